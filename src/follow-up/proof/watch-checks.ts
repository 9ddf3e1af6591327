import { markers, runOfPull } from "../../data/marks.ts";
import type { Base } from "../../data/run-record.ts";
import type { Left, PullRequestLink } from "../../data/run-state.ts";
import type { NewTest, NoVerdictReason, ProofVerdict, Question } from "../../data/verdict.ts";
import type { HostPullRequest } from "../../github/code-host.ts";
import { markReady, stepBack } from "../../publish/follow-up.ts";
import type { PublishedTest } from "../../publish/publish-change.ts";
import { checkComment } from "../../report/check-comment.ts";
import { type ProofState, proofBlock, replaceProof, testedSentence, untested } from "../../report/proof.ts";
import { sayOnce } from "../../report/tracking-comment.ts";
import type { PhaseRunner } from "../../run/phase-runner.ts";
import type { RunContext } from "../../run/run-context.ts";
import { type Moment, momentNow, msSince } from "../../run/steady-time.ts";

/** What one reading of the checks found. Plain data. */
export interface Seen {
  verdict: ProofVerdict;
  /** what a person has done that ends this */
  left?: Left;
  /** in a sentence: the base branch has changed these files, so red and green were not seen on the same code */
  moved?: string;
  /** milliseconds until they are read again; absent: they are not */
  again?: number;
  /** when it was, and how long the commit had waited by a steady clock, not counting the time without a process */
  waiting?: Waited;
}

interface Waited {
  at: Moment;
  /** milliseconds */
  waited: number;
  /** until the next reading, in milliseconds */
  pause?: number;
}

/**
 * Reads the checks until they have ended, or no more are expected. `red`: for a fix, the commit of its test alone.
 */
export async function ended(
  runner: PhaseRunner,
  base: Base,
  pushed: PublishedTest,
  name: string,
  red?: string,
): Promise<Seen> {
  let before: Waited = { at: pushed.at, waited: 0 };
  for (let poll = 1; ; poll++) {
    const last = before;
    const seen = await runner.step(`${name}: look ${poll}`, (run) =>
      readVerdict(run, base, pushed, { name, red, before: last }),
    );
    before = seen.waiting ?? before;
    if (seen.again === undefined) return seen;
    await runner.wait?.(seen.again);
  }
}

/** One reading takes seconds. */
export const LIMIT_MS = 120_000;

/** Between two readings, unless a webhook comes first: at first, and at most while nothing ends. */
const POLL_MS = 60_000;
const LONGEST_POLL_MS = 15 * 60_000;

/** How long to wait, once the tests ran, for other checks of the base to begin; some never do. */
const BEGUN_MS = 90_000;

/** Until it is said that checks wait for a person, or that none have come. */
const MISSING_MS = 20 * 60_000;

const MAX_RUNNING_MS = 6 * 3_600_000;

async function readVerdict(
  run: RunContext,
  base: Base,
  pushed: PublishedTest,
  { name, red, before }: { name: string; red: string | undefined; before: Waited },
): Promise<Seen> {
  const { host, verifier } = run;
  const { commit, files, tests, pullRequest } = pushed;
  const nothing: ProofVerdict = { kind: "no-verdict", reason: "none", checks: [] };
  const pull = await host.readPullRequest(pullRequest.number);
  const stage = name === "green" ? "green" : "red";
  const left = howLeft(pull) ?? (pull.head === commit ? undefined : "pushed");
  if (left !== undefined) {
    await run.tracker.awaitChecks(false);
    await leave(run, pull.number, left, stage);
    return { verdict: nothing, left };
  }
  const question: Question = { ask: stage, tests };
  const tried = {
    base: base.commit,
    commit,
    files: files.map(({ path }) => ({ path, content: null })),
    red,
  };
  const verdict = verifier ? await verifier.verify(tried, question, AbortSignal.timeout(LIMIT_MS)) : nothing;
  const since = msSince(before.at);
  const waiting = { at: momentNow(), waited: before.waited + since, pause: nextPause(before.pause, since) };
  const elapsed = waiting.waited;
  const limit = limitOf(verdict);
  await run.tracker.awaitChecks(elapsed < limit);
  if (elapsed < limit) return { verdict, waiting, again: Math.max(1_000, Math.min(waiting.pause, limit - elapsed)) };
  if (verdict.kind === "no-verdict" && MISSING.has(verdict.reason))
    await sayOnce(
      host,
      pull.number,
      markers.checksMissing(pull.number),
      checkComment.missing(pull.number, verdict.reason, stage),
    );
  // On a merge conflict, no check runs at all.
  const asked = name === "green" || verdict.kind === "no-verdict";
  const moved = asked ? await whyMoved(run, base, files) : undefined;
  await keepVerdict(run, { commit, stage, asked: tests }, verdict);
  return { verdict, moved };
}

/** Twice as long as before, unless a webhook cut that pause short: something happens. */
export function nextPause(before: number | undefined, since: number): number {
  return before === undefined || since < before ? POLL_MS : Math.min(2 * before, LONGEST_POLL_MS);
}

/** Records what the checks said about a commit, and how the proof ended. */
async function keepVerdict(
  { kept: recorded, record }: RunContext,
  { commit, stage, asked }: { commit: string; stage: "red" | "green"; asked: readonly NewTest[] },
  verdict: ProofVerdict,
): Promise<void> {
  const { pushes = [] } = (await recorded()).proof ?? {};
  const tests = "tests" in verdict ? verdict.tests.map(({ name, check, words }) => ({ name, check, words })) : [];
  const reason = "reason" in verdict ? { reason: verdict.reason } : {};
  const push = { commit, stage, verdict: verdict.kind, ...reason, checks: verdict.checks, tests, asked };
  await record("proof", { pushes: [...pushes.filter((one) => one.commit !== commit), push] });
}

/** How a person ended a pull request. */
export function howLeft({ open, merged }: HostPullRequest): Left | undefined {
  if (open) return undefined;
  return merged ? "merged" : "closed";
}

/**
 * Leaves a pull request to the person who took it over: says so, and promises nothing more in its body. Without the fix
 * (`red`) it no longer belongs to the run: a continuing run opens another, and must not take this one back.
 */
export async function leave({ host }: RunContext, number: number, how: Left, stage: "red" | "green"): Promise<void> {
  const pull = await host.readPullRequest(number);
  if (how === "pushed") await stepBack(host, pull, await host.listCommits(number));
  const unproved = stage === "red" ? untested.withheld(how) : untested.left(how, stage);
  const unproven = replaceProof(pull.body, proofBlock({ unproved, keep: true }));
  const root = stage === "red" ? runOfPull(pull) : undefined;
  const body = root === undefined ? unproven : unproven.replace(markers.run(root), "").trimStart();
  if (body !== pull.body) await host.updatePullRequest(number, { body });
}

/** Checks of a pull request run on its merge with the present base. */
async function whyMoved(
  { host }: RunContext,
  base: Base,
  files: readonly { path: string }[],
): Promise<string | undefined> {
  const tip = await host.branchTip(base.branch);
  if (tip === undefined || tip === base.commit) return undefined;
  const changed = await host.changedPaths(base.commit, tip);
  if (changed && !files.some(({ path }) => changed.includes(path))) return undefined;
  return untested.moved(base.branch);
}

/** For how long after the push another reading may find more, in milliseconds. */
function limitOf(verdict: ProofVerdict): number {
  if (verdict.kind === "no-verdict") {
    if (verdict.reason === "running") return MAX_RUNNING_MS;
    if (MISSING.has(verdict.reason)) return MISSING_MS;
  }
  return (verdict.missing ?? []).length > 0 ? BEGUN_MS : 0;
}

/** Still waited for, since a person may yet approve the run. */
const MISSING: ReadonlySet<NoVerdictReason> = new Set(["none", "missing", "waiting", "not-allowed"]);

/** Says in the pull request how the proof ended. Makes a proved draft with green checks ready. */
export function conclude(
  runner: PhaseRunner,
  about: { pullRequest: PullRequestLink; head: string },
  concluded: ProofState,
): Promise<{ proved: boolean; said: string }> {
  return runner.step("conclude", async (run) => {
    const { host } = run;
    const { pullRequest, head } = about;
    const state = "unproved" in concluded ? kept(concluded, run) : concluded;
    const pull = await host.readPullRequest(pullRequest.number);
    const body = replaceProof(pull.body, proofBlock(state));
    if (body !== pull.body) await host.updatePullRequest(pull.number, { body });
    const proved = "red" in state;
    if (proved) await markReady({ ...pull, body }, await host.checksOf(head), run);
    const said = testedSentence(state);
    const { pushes = [] } = (await run.kept()).proof ?? {};
    await run.record("proof", { pushes, said });
    return { proved, said };
  });
}

/** Where a proof is required, only a person takes an unproved change out of draft. */
export const kept = (state: Extract<ProofState, { unproved: string }>, { settings }: RunContext) => ({
  ...state,
  keep: state.keep || settings.proof === "required",
});
