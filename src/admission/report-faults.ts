import type { SettingsFault } from "../config/repository/settings-fault.ts";
import type { Delivery } from "../model/delivery.ts";
import type { CodeHost } from "../ports/code-host.ts";
import { equalNames } from "./equal-names.ts";
import { faultReport } from "./fault-report.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import { requirePermission } from "./require-permission.ts";

/**
 * Says on the issue what is wrong with the repository's configuration, once for each time that somebody who may asks for
 * something. Whoever only reviews, or lets checks end, hears nothing of it.
 */
export async function reportFaults(
  delivery: Delivery,
  host: CodeHost,
  faults: readonly SettingsFault[],
  { label, allowedBots }: Pick<HandlerDependencies, "label" | "allowedBots">,
): Promise<void> {
  const { trigger } = delivery;
  const asked =
    trigger.kind === "label"
      ? equalNames(trigger.label, label)
      : trigger.kind === "command" || trigger.kind === "other-command";
  const isSelf = delivery.actor === host.login;
  if (!asked || isSelf || (delivery.actorIsBot && allowedBots.length === 0)) return;
  const readIssue = () => host.readIssue(delivery.issue);
  if (await requirePermission({ delivery, host, allowedBots, readIssue })) return;
  const marker = `<!-- magis:settings ${delivery.id} -->`;
  if (await host.findOwnComment(delivery.issue, marker)) return;
  await host.createComment(delivery.issue, `${marker}\n\n${faultReport(faults)}`);
}
