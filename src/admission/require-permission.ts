import { isMagisError } from "../model/magis-error.ts";
import type { Permission } from "../ports/issue-api.ts";
import type { GuardContext, Refusal } from "./guard.ts";
import { isAllowedBot } from "./is-allowed-bot.ts";

const ENOUGH: readonly Permission[] = ["write", "maintain", "admin"];

/**
 * Who asks must be able to push, whoever sets the label included: triage is enough for a label, and not for this.
 * A bot that the configuration names is taken at its word, since GitHub tells no permission of an app's bot.
 */
export async function requirePermission(context: GuardContext): Promise<Refusal | undefined> {
  if (isAllowedBot(context)) return undefined;
  const permission = await permissionOf(context);
  if (ENOUGH.includes(permission)) return undefined;
  return { reason: `The sender's permission is "${permission}", and write is needed.`, confused: true };
}

async function permissionOf({ host, delivery }: GuardContext): Promise<Permission> {
  try {
    return await host.permissionOf(delivery.actor);
  } catch (error) {
    if (isMagisError(error, "HOST_NOT_FOUND")) return "none";
    throw error;
  }
}
