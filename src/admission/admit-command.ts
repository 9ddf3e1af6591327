import type { Delivery } from "../model/delivery.ts";
import { acknowledge } from "./acknowledge.ts";
import type { AdmissionHost, Guard } from "./guard.ts";
import { refuseBot } from "./refuse-bot.ts";
import { refuseItself } from "./refuse-itself.ts";
import { requirePermission } from "./require-permission.ts";
import { requireTrigger } from "./require-trigger.ts";

const GUARDS: readonly Guard[] = [refuseItself, refuseBot, requirePermission, requireTrigger];

/**
 * Asks who gives a command, and whether it still stands: a reaction says that it was heard, `confused` that it was not
 * for this person to give. Gives why it is refused, if it is. Throws what the host throws, but for reactions.
 */
export async function admitCommand(
  delivery: Delivery,
  host: AdmissionHost,
  { allowedBots }: { readonly allowedBots: readonly string[] },
): Promise<string | undefined> {
  const readIssue = () => host.readIssue(delivery.issue);
  for (const guard of GUARDS) {
    const refusal = await guard({ delivery, host, readIssue, allowedBots });
    if (!refusal) continue;
    if (refusal.confused && delivery.trigger.kind === "other-command") await acknowledge(delivery, host, "confused");
    return refusal.reason;
  }
  const { trigger } = delivery;
  if (trigger.kind === "unlabel") return undefined;
  const seen = acknowledge(delivery, host, "eyes");
  // Writes wait for each other, and for the host's limits: what is to end must not go on meanwhile.
  if (trigger.kind === "other-command" && trigger.command.verb === "cancel") seen.catch(() => undefined);
  else await seen;
  return undefined;
}
