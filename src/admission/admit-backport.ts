import { isMagisError } from "../model/error.ts";
import { markers, ownMarks } from "../model/marks.ts";
import { type AdmissionDecision, beginRun, type Delivery, isBackport, triggerOfComment } from "../model/run-request.ts";
import type { CodeHost } from "../ports/code-host.ts";
import { backportRefusal, backportWaits } from "../report/backport.ts";
import { sayOnce } from "../report/tracking-comment.ts";
import type { AdmissionDependencies } from "./dependencies.ts";
import { acknowledge, askGuards, requireTrigger, WHO } from "./guards.ts";
import { recordRefusal } from "./record-decision.ts";

/** Branches of one command. */
const MAX_BRANCHES = 10;

/**
 * Starts the backport of a merged pull request for a person who may write; on an open one, says that it waits for the
 * merge. Answers where the pull request was closed or the branches cannot be names of branches; anybody else gets a
 * reaction. Running it again after a crash says nothing twice. Throws what the host throws.
 */
export async function admitBackport(
  delivery: Delivery,
  host: CodeHost,
  deps: Pick<AdmissionDependencies, "allowedBots" | "log" | "audit">,
): Promise<AdmissionDecision | undefined> {
  const { trigger, issue } = delivery;
  if (trigger.kind !== "other-command" || trigger.command.verb !== "backport") return undefined;
  const refusal = await askGuards([...WHO, requireTrigger], delivery, host, deps);
  if (refusal) {
    if (refusal.confused) await acknowledge(delivery, host, "confused");
    recordRefusal(deps, delivery, refusal.reason);
    return undefined;
  }
  const { branches } = trigger.command;
  const state = await stateOf(host, issue);
  const why = whyMisnamed(branches) ?? (state === "closed" ? backportRefusal.closed : undefined);
  if (why !== undefined) {
    const marker = markers.command(trigger.commentId);
    await acknowledge(delivery, host, "confused");
    await sayOnce(host, issue, marker, `${marker}\n${why}`);
    recordRefusal(deps, delivery, why);
    return undefined;
  }
  await acknowledge(delivery, host, "eyes");
  if (state === "merged") return { start: beginRun(delivery, { kind: "backport", branches }) };
  const mark = markers.whenMerged(trigger.commentId);
  await sayOnce(host, issue, mark, backportWaits(mark, branches));
  // The merge may have been handled just before this answer was there.
  if ((await stateOf(host, issue)) === "merged") return admitMerged(delivery, host);
  return { watch: { repository: delivery.repository, number: issue } };
}

/**
 * Passes on each backport command that waits for this merge, as its comment reads now. Each becomes a delivery of its
 * own, so that the guards check again who gave it; seeing the merge twice delivers it once. One request.
 */
export async function admitMerged(
  { repository, issue, at }: Delivery,
  host: Pick<CodeHost, "login" | "listComments">,
): Promise<AdmissionDecision | undefined> {
  const comments = await host.listComments(issue);
  const waiting = ownMarks("when-merged", comments, host.login);
  const deliveries = comments
    .filter(({ id }) => waiting.has(String(id)))
    .map(({ id, author: actor, byBot: actorIsBot, body }): Delivery => {
      const trigger = triggerOfComment(id, body, "pull request");
      return { id: `merged-${id}`, repository, issue, actor, actorIsBot, trigger, at };
    })
    .filter(isBackport);
  return deliveries.length > 0 ? { deliver: deliveries } : undefined;
}

function whyMisnamed(branches: readonly string[]): string | undefined {
  if (branches.length === 0) return backportRefusal.noBranch;
  if (branches.length > MAX_BRANCHES) return backportRefusal.tooMany(MAX_BRANCHES);
  const wrong = branches.filter((name) => !isBranchName(name));
  return wrong.length > 0 ? backportRefusal.misnamed(wrong) : undefined;
}

async function stateOf(host: Pick<CodeHost, "readPullRequest">, number: number): Promise<"merged" | "open" | "closed"> {
  try {
    const { merged, open } = await host.readPullRequest(number);
    if (merged) return "merged";
    return open ? "open" : "closed";
  } catch (error) {
    if (isMagisError(error, "HOST_NOT_FOUND")) return "closed";
    throw error;
  }
}

/** Characters that git refuses in a name. */
const REFUSED = /[\p{Cc} ~^:?*[\\]/u;

const MAX_LENGTH = 200;

/** Whether git takes a name for a branch (`git check-ref-format --branch`), without the short forms of revisions. */
export function isBranchName(name: string): boolean {
  if (name === "" || name.length > MAX_LENGTH || name === "HEAD" || name.startsWith("-")) return false;
  if (REFUSED.test(name) || name.includes("..") || name.includes("@{") || name === "@") return false;
  return name.split("/").every((part) => part !== "" && !/^\.|\.$|\.lock$/.test(part));
}
