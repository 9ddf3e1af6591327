import { isMagisError } from "../model/error.ts";
import { markers } from "../model/marks.ts";
import { type AdmissionDecision, beginRun, type Delivery } from "../model/run-request.ts";
import type { CodeHost } from "../ports/code-host.ts";
import { backportRefusal } from "../report/backport.ts";
import { sayOnce } from "../report/tracking-comment.ts";
import type { AdmissionDependencies } from "./dependencies.ts";
import { acknowledge, askGuards, requireTrigger, WHO } from "./guards.ts";
import { recordRefusal } from "./record-decision.ts";

/** `/magis backport` on a pull request, anybody's. */
export function isBackport({ trigger }: Delivery): boolean {
  return trigger.kind === "other-command" && trigger.command.verb === "backport" && trigger.on === "pull request";
}

/** Branches of one command. */
const MAX_BRANCHES = 10;

/**
 * Starts the backport of a merged pull request for a person who may write. Answers where the pull request is not merged
 * or the branches cannot be names of branches; anybody else gets a reaction. Running it again after a crash says nothing
 * twice. Throws what the host throws.
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
  const why = whyMisnamed(branches) ?? (await whyNotMerged(host, issue));
  if (why !== undefined) {
    const marker = markers.command(trigger.commentId);
    await acknowledge(delivery, host, "confused");
    await sayOnce(host, issue, marker, `${marker}\n${why}`);
    recordRefusal(deps, delivery, why);
    return undefined;
  }
  await acknowledge(delivery, host, "eyes");
  return { start: beginRun(delivery, { kind: "backport", branches }) };
}

function whyMisnamed(branches: readonly string[]): string | undefined {
  if (branches.length === 0) return backportRefusal.noBranch;
  if (branches.length > MAX_BRANCHES) return backportRefusal.tooMany(MAX_BRANCHES);
  const wrong = branches.filter((name) => !isBranchName(name));
  return wrong.length > 0 ? backportRefusal.misnamed(wrong) : undefined;
}

async function whyNotMerged(host: Pick<CodeHost, "readPullRequest">, number: number): Promise<string | undefined> {
  try {
    const { merged, open } = await host.readPullRequest(number);
    if (merged) return undefined;
    return open ? backportRefusal.notYet : backportRefusal.closed;
  } catch (error) {
    if (isMagisError(error, "HOST_NOT_FOUND")) return backportRefusal.closed;
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
