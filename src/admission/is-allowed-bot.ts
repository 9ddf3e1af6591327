import { equalNames } from "./equal-names.ts";
import type { GuardContext } from "./guard.ts";

/** Whether the sender is a bot that the configuration names, with or without the `[bot]` that GitHub appends. */
export function isAllowedBot({ delivery, allowedBots }: GuardContext): boolean {
  const plain = (login: string) => login.replace(/\[bot\]$/i, "");
  return delivery.actorIsBot && allowedBots.some((login) => equalNames(plain(login), plain(delivery.actor)));
}
