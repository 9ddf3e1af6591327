import type { AdmissionDecision } from "../model/admission-decision.ts";
import type { Delivery } from "../model/delivery.ts";
import { judgeChecks } from "../model/judge-checks.ts";
import { repositoryName } from "../model/repository-id.ts";
import type { CodeHost } from "../ports/code-host.ts";

/**
 * Ended checks of the bot's pull request: a run when all checks of its head have ended and there may be something to do,
 * that is when one failed, or when the pull request is a draft that may be ready. It costs three requests, or one; what
 * is really to be done, the run finds out. Who ended the checks does not matter: only what they say does.
 */
export async function admitChecks(delivery: Delivery, host: CodeHost): Promise<AdmissionDecision | undefined> {
  const { trigger, repository, actor, id: guid, at: requestedAt } = delivery;
  if (trigger.kind !== "checks") return undefined;
  const { head, branch } = trigger;
  const pulls = await host.findOwnPullRequests(branch, "open");
  const pull = pulls.find((one) => one.branch === branch && one.head === head);
  if (!pull) return undefined;
  const verdict = judgeChecks(await host.checksOf(head));
  const mayBeReady = verdict === "green" && pull.draft;
  if (verdict !== "failed" && !mayBeReady) return undefined;
  const id = `${repositoryName(repository)}#${pull.number}@${guid}`;
  const work = { kind: "repair", head } as const;
  const asked = { repository, issue: pull.number, trigger, actor, delivery: guid, requestedAt };
  return { start: { id, root: id, work, ...asked, allowance: 0 } };
}
