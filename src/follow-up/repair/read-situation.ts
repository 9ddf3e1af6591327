import { createHash } from "node:crypto";
import { type CheckIdentity, checkKey, checkTitle, hasPassed, judgeChecks, splitFailures } from "../../data/checks.ts";
import { isHostRefusal } from "../../data/error.ts";
import { isOurs, markers, type Repair, readRepairs } from "../../data/marks.ts";
import type { Check, CodeHost, HostPullRequest } from "../../github/code-host.ts";
import { markReady, proveRepaired, stepBack } from "../../publish/follow-up.ts";
import { type CheckNames, checkComment, type UnsteadyCheck } from "../../report/check-comment.ts";
import { checkedSince } from "../../report/proof.ts";
import { sayOnce } from "../../report/tracking-comment.ts";
import type { RunContext } from "../../run/run-context.ts";

/**
 * Reads the pull request and the checks of `head` again, since both may have changed, and does what needs no model:
 * says that its checks are green, marks a green draft ready, and reports checks that are red on the base too or have no
 * round left. Reports each once.
 */
export async function readSituation(run: RunContext, head: string): Promise<Situation> {
  const { host, settings } = run;
  const pullRequest = run.request.issue;
  const pull = await host.readPullRequest(pullRequest);
  if (!pull.open || !pull.byApp || pull.head !== head) return { nothing: "The pull request is closed or has gone on." };
  const checks = await host.checksOf(head);
  const verdict = judgeChecks(checks);
  if (verdict === "green") {
    const proved = await correctText(await proveRepaired(pull, run), host);
    const isWhole = !pull.draft || ((await hasPassedSince(pull, checks, host)) && (await reportLost(proved, run)));
    if (isWhole && (await markReady(proved, checks, run)))
      return { nothing: "All checks are green: the pull request is ready for review." };
  }
  const refused = checks.filter(({ because }) => because === "not-allowed").map(({ name }) => name);
  if (refused.length > 0) {
    await sayOnce(host, pullRequest, markers.checked(head), checkComment.notAllowed(head, refused));
    return { nothing: "Its checks are not allowed to run." };
  }
  if (verdict !== "failed") return { nothing: `The checks call for nothing (${verdict}).` };
  if (settings.ciRounds === 0) return { nothing: "Repairs are turned off." };

  const comments = await host.listComments(pullRequest);
  const own = comments.filter((one) => isOurs(one, host.login)).map(({ body }) => body);
  const said = (marker: string) => own.some((body) => body.includes(marker));
  if (said(markers.checked(head))) return { nothing: "The checks of this commit have been dealt with." };
  const commits = await host.listCommits(pullRequest);
  if (await stepBack(host, pull, commits)) return { nothing: "A person has committed to the branch." };

  const tip = await host.branchTip(pull.base);
  const base = await baseOf(tip, head, host);
  const sorted = await sortFailures({ branch: pull.base, tip, base, checks, host });
  const earlier = readRepairs(own);
  const failing: FailingChecks = { pull, base: base ?? "", ...sorted, earlier };
  const { ours, unsteady, theirsId } = sorted;
  const names = checkNames(failing);
  if (ours.length === 0 && unsteady.length > 0) {
    const body = checkComment.unsteady(names, unsteady);
    await postCheckComment(run, pullRequest, { marker: markers.checked(head), body });
    return { nothing: "What fails does not look like this change's." };
  }
  if (ours.length === 0) {
    const marker = markers.redOnBase(theirsId);
    if (!said(marker)) await postCheckComment(run, pullRequest, { marker, body: checkComment.redOnBase(names) });
    return { nothing: "What fails is red on the base commit too." };
  }
  if (earlier.length >= settings.ciRounds) {
    const marker = markers.exhausted;
    const body = checkComment.exhausted(names, earlier);
    if (!said(marker)) await postCheckComment(run, pullRequest, { marker, body });
    return { nothing: "All rounds of repair are used up." };
  }
  return { failing };
}

/** A pull request that said that nothing ran, when it was opened, says that its checks have passed since. */
async function correctText(pull: HostPullRequest, host: CodeHost): Promise<HostPullRequest> {
  const body = checkedSince(pull.body, pull.head);
  if (body !== pull.body) await host.updatePullRequest(pull.number, { body });
  return { ...pull, body };
}

/** Whether the checks that the last repair was for have passed: others may be green long before these run again. */
async function hasPassedSince(
  { number, base: branch }: HostPullRequest,
  checks: readonly Check[],
  host: CodeHost,
): Promise<boolean> {
  const own = (await host.listComments(number)).filter((one) => isOurs(one, host.login)).map(({ body }) => body);
  const repair = readRepairs(own).at(-1);
  const failed = repair && (await host.readCommit(repair.commit)).parents[0];
  if (failed === undefined) return true;
  const base = await baseOf(await host.branchTip(branch), failed, host);
  const { ours } = splitFailures(await host.checksOf(failed), base === undefined ? [] : await host.checksOf(base));
  return ours.every((check) => hasPassed(check, checks));
}

type Sorted = Pick<FailingChecks, "ours" | "unknown" | "theirs" | "theirsId"> & {
  unsteady: readonly UnsteadyCheck[];
};

/** Sorts failures by cause: the change, the base, or neither as far as we know. */
async function sortFailures({
  branch,
  tip,
  base,
  checks,
  host,
}: {
  branch: string;
  tip: string | undefined;
  base: string | undefined;
  checks: readonly Check[];
  host: CodeHost;
}): Promise<Sorted> {
  const before = base === undefined ? [] : await host.checksOf(base);
  const split = splitFailures(checks, before);
  const red = split.ours.length === 0 ? new Map<string, string>() : await redLately(tip, base, host);
  const others = checks.filter(({ byApp }) => !byApp);
  const titleOf = (check: CheckIdentity) => checkTitle(check, others);
  const isRedLately = (check: Check) => red.has(checkKey(check));
  const lately = split.ours.filter(isRedLately).map((check) => ({
    name: titleOf(check),
    why: `it also fails on ${red.get(checkKey(check))}, a recent commit of ${branch}`,
  }));
  const foreign = split.foreign.map((check) => ({
    name: titleOf(check),
    why: "it did not run on the base, and another check has its name: it cannot be told whose it is",
  }));
  const keys = split.theirs.map(checkKey).sort();
  return {
    ours: split.ours
      .filter((check) => !isRedLately(check))
      .map((check) => ({
        ...check,
        title: titleOf(check),
        jobOnBase: before.find((one) => checkKey(one) === checkKey(check))?.jobId,
      })),
    unknown: split.unknown.filter((check) => !isRedLately(check)).map(titleOf),
    theirs: split.theirs.map(titleOf).sort(),
    theirsId: createHash("sha256").update(keys.join("\n")).digest("hex").slice(0, 16),
    unsteady: [...lately, ...foreign],
  };
}

/** Reports once which tests ran on the base and not on this green head. Gives whether there are none. */
async function reportLost({ number, head, base }: HostPullRequest, run: RunContext): Promise<boolean> {
  const { host, verifier } = run;
  if (!verifier?.lostTests) return true;
  const from = await baseOf(await host.branchTip(base), head, host);
  const lost = from === undefined ? [] : await verifier.lostTests(from, head);
  if (lost.length > 0) await sayOnce(host, number, markers.lostTests(head), checkComment.lostTests(head, lost));
  return lost.length === 0;
}

/** Commits of the base branch to look at, besides the pull request's base. */
const RECENT = 3;

/**
 * Checks, by their keys, that failed on the base branch's tip or just before the pull request's base, each with one
 * such commit.
 */
async function redLately(
  tip: string | undefined,
  base: string | undefined,
  host: CodeHost,
): Promise<ReadonlyMap<string, string>> {
  const recent = new Set<string>();
  if (tip !== undefined && tip !== base) recent.add(tip);
  for (let at = base; at !== undefined && recent.size < RECENT; ) {
    at = (await host.readCommit(at)).parents[0];
    if (at !== undefined) recent.add(at);
  }
  const red = new Map<string, string>();
  for (const commit of recent) {
    const failed = (await host.checksOf(commit)).filter(({ byApp, state }) => !byApp && state === "failed");
    for (const check of failed) red.set(checkKey(check), commit);
  }
  return red;
}

/** The latest commit of the base branch that a head was made on or merged; the branch's tip when they share none. */
async function baseOf(tip: string | undefined, head: string, host: CodeHost): Promise<string | undefined> {
  return tip && ((await host.mergeBase(tip, head)) ?? tip);
}

/** Failing checks to repair, with all that later steps need. Plain data. */
export interface FailingChecks {
  pull: HostPullRequest;
  /** the pull request's base commit */
  base: string;
  ours: readonly FailingCheck[];
  unknown: readonly string[];
  theirs: readonly string[];
  theirsId: string;
  /** earlier repairs of this pull request */
  earlier: readonly Repair[];
  /** checks that fail for other reasons than the change, as far as we know; absent in earlier runs */
  unsteady?: readonly UnsteadyCheck[];
}

/** A failing check with its name for people. */
export interface FailingCheck extends Check {
  title: string;
  /** the same check's job on the base */
  jobOnBase?: number | undefined;
}

/** What the checks of a head call for. */
export type Situation = { failing: FailingChecks } | { nothing: string };

/**
 * Posts a comment about failing checks, unless the app's own comment with `marker` is there, and minimises the one that
 * it replaces as outdated.
 */
export async function postCheckComment(
  { host, log }: RunContext,
  pullRequest: number,
  { marker, body }: { marker: string; body: string },
): Promise<void> {
  const comments = await host.listComments(pullRequest);
  const own = comments.filter((one) => isOurs(one, host.login, markers.checks));
  const at = own.findIndex((one) => one.body.includes(marker));
  if (at < 0) await host.createComment(pullRequest, body);
  const outdated = at < 0 ? own.at(-1) : own[at - 1];
  if (!outdated) return;
  try {
    await host.minimiseComment(outdated.nodeId);
  } catch (error) {
    if (!isHostRefusal(error)) throw error;
    log.warn({ error, comment: outdated.id }, "could not hide an outdated comment");
  }
}

/** What the comments say about failing checks. */
export function checkNames({ pull, ours, unknown, theirs, theirsId }: FailingChecks): CheckNames {
  return { head: pull.head, ours: ours.map(({ title }) => title), unknown, theirs, theirsId };
}
