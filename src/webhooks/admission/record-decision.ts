import type { Audit, AuditEntry } from "../../data/audit.ts";
import type { Log } from "../../data/log.ts";
import type { AdmissionDecision, Delivery, Trigger } from "../../data/run-request.ts";

interface Recorders {
  log: Log;
  audit?: Audit | undefined;
}

/** Records that a delivery is refused, and why: for the log and for the audit log. */
export function recordRefusal({ log, audit }: Recorders, delivery: Delivery, reason: string): void {
  log.info({ delivery: delivery.id, reason }, "delivery refused");
  audit?.({ ...about(delivery), answer: "refused", reason });
}

/** Records a decision for the audit log. */
export function recordDecision({ audit }: Recorders, delivery: Delivery, decision: AdmissionDecision): void {
  if (audit === undefined || "deliver" in decision) return;
  if ("start" in decision) audit({ ...about(delivery), answer: "admitted", run: decision.start.id });
  else audit({ ...about(delivery), answer: "cancel" in decision ? "cancels runs" : "wakes runs" });
}

function about({ id, repository, issue, actor, trigger }: Delivery) {
  return {
    what: "request",
    delivery: id,
    repository: `${repository.owner}/${repository.name}`,
    number: issue,
    person: actor,
    asked: nameOf(trigger),
  } as const satisfies Partial<AuditEntry>;
}

function nameOf(trigger: Trigger): string {
  return trigger.kind === "other-command" ? `command ${trigger.command.verb}` : trigger.kind;
}
