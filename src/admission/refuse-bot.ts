import type { GuardContext, Refusal } from "./guard.ts";
import { isAllowedBot } from "./is-allowed-bot.ts";

/** Two bots that answer each other would never stop: bots are refused unless the configuration names them. */
export async function refuseBot(context: GuardContext): Promise<Refusal | undefined> {
  if (!context.delivery.actorIsBot || isAllowedBot(context)) return undefined;
  return { reason: "The sender is a bot that MAGIS_ALLOWED_BOTS does not name." };
}
