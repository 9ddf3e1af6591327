import { beginRun, continueFrom, type Delivery, type RunRequest } from "../../data/run-request.ts";
import type { CodeHost } from "../../github/code-host.ts";
import { sayOnce } from "../../report/tracking-comment.ts";
import { COURTESY_GUARDS, requireReadableOptions } from "./courtesy-guards.ts";
import type { Guard, GuardRules, Refusal } from "./dependencies.ts";
import { acknowledge, askGuards, refuseSecondPullRequest, requireOpenIssue, requireTrigger, WHO } from "./guards.ts";

/** Asked in this order: who, then what, then whether it is needed. */
const GUARDS: readonly Guard[] = [
  ...WHO,
  requireReadableOptions,
  requireOpenIssue,
  requireTrigger,
  refuseSecondPullRequest,
  ...COURTESY_GUARDS,
];

export type Admission = { request: RunRequest } | { refused: string };

/**
 * Asks the guards about a delivery and answers on GitHub: `eyes` on the comment or issue when a run may start, otherwise
 * what the refusing guard says. `earlier`: the run to resume, whose own pull request a person has taken over and which
 * may therefore open another; all other guards ask as for a new run. Running it again after a crash changes nothing on
 * GitHub.
 * Throws what the host throws (HOST_REFUSED, HOST_UNREACHABLE), except for reactions, which are a courtesy.
 */
export async function admitDelivery(
  delivery: Delivery,
  host: CodeHost,
  rules: GuardRules,
  earlier?: WithheldRun,
): Promise<Admission> {
  const refusal = await askGuards(GUARDS, delivery, host, { ...rules, takenOver: earlier?.pull });
  if (refusal) {
    await answerRefusal(delivery, host, refusal);
    return { refused: refusal.reason };
  }
  await acknowledge(delivery, host, "eyes");
  return {
    request: earlier ? continueFrom(earlier.request, delivery) : beginRun(delivery, { kind: "resolve", gate: "none" }),
  };
}

/** A run whose paid change was not pushed, and its pull request, which a person has taken over. */
export interface WithheldRun {
  request: RunRequest;
  pull: number;
}

async function answerRefusal(delivery: Delivery, host: CodeHost, { confused, comment }: Refusal): Promise<void> {
  if (confused && "commentId" in delivery.trigger) await acknowledge(delivery, host, "confused");
  if (comment) await sayOnce(host, delivery.issue, comment.marker, comment.body);
}
