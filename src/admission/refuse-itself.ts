import { equalNames } from "./equal-names.ts";
import type { GuardContext, Refusal } from "./guard.ts";

/** The app never answers itself, whatever the configuration says. */
export async function refuseItself({ delivery, host }: GuardContext): Promise<Refusal | undefined> {
  return equalNames(delivery.actor, host.login) ? { reason: "The sender is the app itself." } : undefined;
}
