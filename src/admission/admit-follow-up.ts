import { judgeChecks } from "../model/checks.ts";
import { isMagisError } from "../model/error.ts";
import { issueOfPull, markers } from "../model/marks.ts";
import { type AdmissionDecision, beginRun, type Delivery } from "../model/run-request.ts";
import type { CodeHost } from "../ports/code-host.ts";
import type { HostPullRequest } from "../ports/pull-requests.ts";
import type { AdmissionDependencies } from "./dependencies.ts";
import { acknowledge, askGuards, WHO } from "./guards.ts";

/**
 * Reviews of the bot's pull request and comments on it: a run of kind `revise` when the pull request is the app's own and
 * open and the person may write. Everybody else gets no answer at all. Done again after a crash, it changes nothing.
 */
export async function admitFeedback(
  delivery: Delivery,
  host: CodeHost,
  deps: Pick<AdmissionDependencies, "allowedBots" | "log">,
): Promise<AdmissionDecision | undefined> {
  const { id: guid, issue, trigger } = delivery;
  const { log } = deps;
  const refusal = await askGuards(WHO, delivery, host, deps);
  if (refusal) {
    log.info({ delivery: guid, reason: refusal.reason }, "feedback refused");
    return undefined;
  }
  const pull = await readPullRequest(host, issue);
  if (!pull?.open || !pull.byApp) {
    log.info({ delivery: guid }, "the feedback is not on an open pull request of the app");
    return undefined;
  }
  if (trigger.kind === "comment") await acknowledge(delivery, host, "eyes");
  return { start: beginRun(delivery, { kind: "revise", asked: false }) };
}

async function readPullRequest(host: CodeHost, number: number): Promise<HostPullRequest | undefined> {
  try {
    return await host.readPullRequest(number);
  } catch (error) {
    if (isMagisError(error, "HOST_NOT_FOUND")) return undefined;
    throw error;
  }
}

/**
 * Ended checks of the bot's pull request: a run when all checks of its head have ended and there may be something to do,
 * that is when one failed, or when the pull request is a draft that may be ready. It costs three requests, or one; what
 * is really to be done, the run finds out. Who ended the checks does not matter: only what they say does.
 */
export async function admitChecks(
  delivery: Delivery,
  host: CodeHost,
  { unfinished }: Pick<AdmissionDependencies, "unfinished">,
): Promise<AdmissionDecision | undefined> {
  const { trigger } = delivery;
  if (trigger.kind !== "checks") return undefined;
  const { head, branch } = trigger;
  const pulls = await host.findOwnPullRequests(branch, "open");
  const pull = pulls.find((one) => one.branch === branch && one.head === head);
  if (!pull) return undefined;
  const verdict = judgeChecks(await host.checksOf(head));
  if (pull.body.includes(markers.proving)) {
    // A test that is to fail is no failure to repair, while its run is there to judge it.
    const issue = issueOfPull(pull) ?? pull.number;
    const waiting = await unfinished(delivery.repository, issue);
    if (waiting.length > 0)
      return verdict === "pending" ? undefined : { wake: { repository: delivery.repository, issue } };
  }
  const mayBeReady = verdict === "green" && pull.draft;
  if (verdict !== "failed" && !mayBeReady) return undefined;
  return { start: beginRun(delivery, { kind: "repair", head }, pull.number) };
}
