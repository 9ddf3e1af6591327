import { createHash } from "node:crypto";
import { judgeChecks, splitFailures } from "../../model/checks.ts";
import { isHostRefusal } from "../../model/error.ts";
import { isOurs, markers, type Repair, readRepairs } from "../../model/marks.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { Check, CodeHost } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { HostPullRequest } from "../../ports/pull-requests.ts";
import { type CheckNames, checkComment, type UnsteadyCheck } from "../../report/check-comment.ts";
import { sayOnce } from "../../report/tracking-comment.ts";
import { markReady, proveRepaired, stepBack } from "../publish/follow-up.ts";
import type { RunTools } from "../run/run-tools.ts";

type SituationInput = Pick<RunTools, "host" | "settings" | "log" | "earlierRun" | "tracker" | "verifier">;

/**
 * Reads the pull request and the checks of `head` again, since both may have changed, and does what needs no model: a
 * green draft is marked ready, what is red on the base too or has no round left is said. Each is said once.
 */
export async function readSituation(tools: SituationInput, request: RunRequest, head: string): Promise<Situation> {
  const { host, settings, log } = tools;
  const pullRequest = request.issue;
  const pull = await host.readPullRequest(pullRequest);
  if (!pull.open || !pull.byApp || pull.head !== head) return { nothing: "The pull request is closed or has gone on." };
  const checks = await host.checksOf(head);
  const verdict = judgeChecks(checks);
  if (verdict === "green") {
    const proved = await proveRepaired({ pull, run: request.id }, tools);
    const kept = !pull.draft || (await tellLost(proved, tools));
    if (kept && (await markReady({ host, settings, pull: proved, checks, log })))
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

  const base = await baseOf(pull, commits[0]?.id, host);
  const { theirs, ...rest } = splitFailures(checks, base === undefined ? [] : await host.checksOf(base));
  const red = rest.ours.length === 0 ? new Map<string, string>() : await redLately(pull.base, base, host);
  const ours = rest.ours.filter(({ name }) => !red.has(name));
  const unknown = rest.unknown.filter((name) => !red.has(name));
  const unsteady = rest.ours.flatMap(({ name }) => {
    const commit = red.get(name);
    return commit === undefined ? [] : [{ name, why: `it also fails on ${commit}, a recent commit of ${pull.base}` }];
  });
  const names = theirs.map(({ name }) => name).sort();
  const theirsId = createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 16);
  const earlier = readRepairs(own);
  const failing: FailingChecks = { pull, base: base ?? "", ours, unknown, theirs: names, theirsId, earlier, unsteady };
  const told = { head, ours: ours.map(({ name }) => name), unknown, theirs: names, theirsId };
  if (ours.length === 0 && unsteady.length > 0) {
    const body = checkComment.unsteady(told, unsteady);
    await postCheckComment({ ...tools, pullRequest, marker: markers.checked(head), body });
    return { nothing: "What fails is red on recent commits of the base too." };
  }
  if (ours.length === 0) {
    const marker = markers.redOnBase(theirsId);
    if (!said(marker)) await postCheckComment({ ...tools, pullRequest, marker, body: checkComment.redOnBase(told) });
    return { nothing: "What fails is red on the base commit too." };
  }
  if (earlier.length >= settings.ciRounds) {
    const marker = markers.exhausted;
    const body = checkComment.exhausted(told, earlier);
    if (!said(marker)) await postCheckComment({ ...tools, pullRequest, marker, body });
    return { nothing: "All rounds of repair are used up." };
  }
  return { failing };
}

/** Says once which tests ran on the base and do not run on this green head; tells whether there are none. */
async function tellLost({ number, head, base }: HostPullRequest, tools: SituationInput): Promise<boolean> {
  const { host, verifier } = tools;
  if (!verifier?.lostTests) return true;
  const commits = await host.listCommits(number);
  const from = await baseOf({ base }, commits[0]?.id, host);
  const lost = from === undefined ? [] : await verifier.lostTests(from, head);
  if (lost.length > 0) await sayOnce(host, number, markers.lostTests(head), checkComment.lostTests(head, lost));
  return lost.length === 0;
}

/** Commits of the base branch that are looked at, beside the one that the pull request begins from. */
const RECENT = 3;

/** Checks that failed on the base branch's tip or just before the pull request's base, each with one such commit. */
async function redLately(
  branch: string,
  base: string | undefined,
  host: SituationInput["host"],
): Promise<ReadonlyMap<string, string>> {
  const recent = new Set<string>();
  const tip = await host.branchTip(branch);
  if (tip !== undefined && tip !== base) recent.add(tip);
  for (let at = base; at !== undefined && recent.size < RECENT; ) {
    at = (await host.readCommit(at)).parents[0];
    if (at !== undefined) recent.add(at);
  }
  const red = new Map<string, string>();
  for (const commit of recent) {
    const failed = (await host.checksOf(commit)).filter(({ byApp, state }) => !byApp && state === "failed");
    for (const { name } of failed) red.set(name, commit);
  }
  return red;
}

/** The commit that the pull request's first commit was made on; the base branch's tip when it has none. */
async function baseOf(
  { base }: Pick<HostPullRequest, "base">,
  first: string | undefined,
  host: SituationInput["host"],
): Promise<string | undefined> {
  return first === undefined ? host.branchTip(base) : (await host.readCommit(first)).parents[0];
}

/** Failing checks that are to be repaired, with all that the steps after this one need. Plain data. */
export interface FailingChecks {
  readonly pull: HostPullRequest;
  /** the commit that the pull request begins from */
  readonly base: string;
  readonly ours: readonly Check[];
  readonly unknown: readonly string[];
  readonly theirs: readonly string[];
  readonly theirsId: string;
  /** repairs of this pull request that came before */
  readonly earlier: readonly Repair[];
  /** checks that fail for another reason than the change, as far as can be told; absent in runs of before */
  readonly unsteady?: readonly UnsteadyCheck[];
}

/** What the checks of a head call for. */
export type Situation = { readonly failing: FailingChecks } | { readonly nothing: string };

/**
 * Posts a comment about failing checks, unless the app's own comment with `marker` is there, and folds away as outdated
 * the one that it takes the place of.
 */
export async function postCheckComment(deps: {
  readonly host: Pick<CodeHost, "login" | "listComments" | "createComment" | "minimiseComment">;
  readonly pullRequest: number;
  readonly marker: string;
  readonly body: string;
  readonly log: Log;
}): Promise<void> {
  const { host, pullRequest, marker, body, log } = deps;
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
    log.warn({ error, comment: outdated.id }, "an outdated comment could not be folded away");
  }
}

/** What the comments say of failing checks. */
export function checkNames({ pull, ours, unknown, theirs, theirsId }: FailingChecks): CheckNames {
  return { head: pull.head, ours: ours.map(({ name }) => name), unknown, theirs, theirsId };
}
