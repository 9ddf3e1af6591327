import { isMagisError } from "../model/error.ts";
import { beginRun, type Delivery, type RunRequest } from "../model/run-request.ts";
import type { HostIssue } from "../ports/code-host.ts";
import type { AdmissionHost, Guard, Refusal } from "./dependencies.ts";
import {
  acknowledge,
  refuseBot,
  refuseItself,
  refuseSecondPullRequest,
  requireOpenIssue,
  requirePermission,
  requireTrigger,
} from "./guards.ts";

/** In the order they are asked: who, then what, then whether it is needed. */
const GUARDS: readonly Guard[] = [
  refuseItself,
  refuseBot,
  requirePermission,
  requireOpenIssue,
  requireTrigger,
  refuseSecondPullRequest,
];

export type Admission = { readonly request: RunRequest } | { readonly refused: string };

/**
 * Asks the guards about a delivery and answers on GitHub: `eyes` on the comment or the issue when a run may start,
 * else what the refusing guard says. Doing it again after a crash changes nothing on GitHub.
 * Throws what the host throws (HOST_REFUSED, HOST_UNREACHABLE), but for reactions, which are a courtesy.
 */
export async function admitDelivery(
  delivery: Delivery,
  host: AdmissionHost,
  options: { readonly allowedBots: readonly string[] },
): Promise<Admission> {
  let issue: Promise<HostIssue | undefined> | undefined;
  const readIssue = () => {
    issue ??= readFresh(host, delivery.issue);
    return issue;
  };
  for (const guard of GUARDS) {
    const refusal = await guard({ delivery, host, readIssue, allowedBots: options.allowedBots });
    if (!refusal) continue;
    await answerRefusal(delivery, host, refusal);
    return { refused: refusal.reason };
  }
  await acknowledge(delivery, host, "eyes");
  return { request: beginRun(delivery, { kind: "resolve", gate: "none" }) };
}

async function readFresh(host: AdmissionHost, issue: number): Promise<HostIssue | undefined> {
  try {
    return await host.readIssue(issue);
  } catch (error) {
    if (isMagisError(error, "HOST_NOT_FOUND")) return undefined;
    throw error;
  }
}

async function answerRefusal(delivery: Delivery, host: AdmissionHost, { confused, comment }: Refusal): Promise<void> {
  if (confused && "commentId" in delivery.trigger) await acknowledge(delivery, host, "confused");
  if (!comment || (await host.findOwnComment(delivery.issue, comment.marker))) return;
  await host.createComment(delivery.issue, comment.body);
}
