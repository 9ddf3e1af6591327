import { judgeChecks } from "../data/checks.ts";
import { isMagisError } from "../data/error.ts";
import { isOurs, issueOfPull, markers, runOfPull } from "../data/marks.ts";
import type { Base } from "../data/run-record.ts";
import type { FollowUp, RunResult } from "../data/run-state.ts";
import type { Check, CodeHost, HostPullRequest } from "../github/code-host.ts";
import { followUpBlock, replaceBlock, stepBackNote } from "../report/follow-up.ts";
import { proofBlock, replaceProof } from "../report/proof.ts";
import { sayOnce } from "../report/tracking-comment.ts";
import type { RunContext } from "../run/run-context.ts";

/**
 * Puts a line about a run that followed up on a pull request into the pull request's body, and keeps it with the run
 * `root` that opened it. Running it again replaces its own line. Gives how many review threads are unresolved.
 */
export async function reportFollowUp(
  deps: {
    root: string | undefined;
    pullRequest: number;
    what: string;
    outcome: string;
  },
  run: RunContext,
): Promise<number> {
  const { root, pullRequest, ...words } = deps;
  const { host } = run;
  const open = (await host.listThreads(pullRequest)).filter(({ resolved }) => !resolved).length;
  const followUp: FollowUp = { run: run.request.id, ...words, open, money: run.tracker.state().spend.money };
  const earlier = root === undefined ? undefined : run.earlierRun(root);
  const state = await earlier?.state();
  const followUps = [...(state?.followUps ?? []).filter((one) => one.run !== followUp.run), followUp];
  await earlier?.correct({ followUps });
  const pull = await host.readPullRequest(pullRequest);
  const { body } = pull;
  const inAll = await run.spentOn([pullRequest, issueOfPull(pull) ?? pullRequest]);
  const block = followUpBlock(followUps, inAll);
  const changed = replaceBlock(body, block);
  if (changed !== body) await host.updatePullRequest(pullRequest, { body: changed });
  return open;
}

const WHAT = { revise: "Review", repair: "Failing checks", update: "Merge of the base" } as const;

/**
 * Says on a pull request what a run on it has cost that ended without a line of its own: it stepped back, or found what
 * it made to be of no use. Nothing for a run that cost nothing.
 */
export async function reportCost({ kind }: RunResult, run: RunContext): Promise<void> {
  const { host, tracker, earlierRun } = run;
  const { id, work, issue } = run.request;
  if (work.kind === "resolve" || tracker.state().spend.money === 0) return;
  const root = runOfPull(await host.readPullRequest(issue));
  const state = root === undefined ? undefined : await earlierRun(root).state();
  if (state?.followUps?.some(({ run }) => run === id)) return;
  const outcome = kind === "nothing-to-change" ? "nothing was changed" : "stopped; a comment says why";
  await reportFollowUp({ root, pullRequest: issue, what: WHAT[work.kind], outcome }, run);
}

/**
 * Leaves a pull request to a person who has committed to its branch, and says so once. Gives whether there is one. The
 * host's list of `commits` may lag behind the branch.
 */
export async function stepBack(
  host: CodeHost,
  { number, head }: HostPullRequest,
  commits: Awaited<ReturnType<CodeHost["listCommits"]>>,
): Promise<boolean> {
  const person = commits.findLast(({ byApp }) => !byApp)?.author ?? (await personAtHead());
  if (person === undefined) return false;
  await sayOnce(host, number, markers.steppedBack(number), stepBackNote(number, person));
  return true;

  async function personAtHead(): Promise<string | undefined> {
    if (commits.some(({ id }) => id === head)) return undefined;
    const { author } = await host.readCommit(head);
    return author === host.login ? undefined : author;
  }
}

/** Reading the checks of three commits takes seconds. */
const LIMIT_MS = 120_000;

/**
 * Shows a proof that a repair has made whole: the test failed alone as it should, the fix was red too, and now all
 * checks are green, with the test as it was. Gives the pull request as it is then. A person's commit or a base that has
 * moved under these files leaves it as it was. `pull`: whose head's checks are all green.
 */
export async function proveRepaired(pull: HostPullRequest, run: RunContext): Promise<HostPullRequest> {
  const { host, earlierRun, verifier } = run;
  const root = runOfPull(pull);
  const { start, proof } = root === undefined ? {} : await earlierRun(root).record();
  const lastOf = (stage: string) => proof?.pushes.findLast((push) => push.stage === stage);
  const [red, fix] = [lastOf("red"), lastOf("green")];
  if (!start || red?.verdict !== "right-red" || !fix || fix.verdict === "green") return pull;
  if (!verifier || !(await isAsPushed(pull, start.base, red.commit, host))) return pull;
  const files = [...new Set(red.asked.map(({ path }) => path))].map((path) => ({ path, content: null }));
  const tried = { base: start.base.commit, red: red.commit, commit: pull.head, files };
  const verdict = await verifier.verify(tried, { ask: "green", tests: red.asked }, AbortSignal.timeout(LIMIT_MS));
  if (verdict.kind !== "green") return pull;
  const green = { commit: pull.head, checks: verdict.checks };
  const note = "The fix was red at first and was repaired since; the test is unchanged.";
  const body = replaceProof(pull.body, proofBlock({ red, green, tests: red.tests, note }));
  if (body === pull.body) return pull;
  await host.updatePullRequest(pull.number, { body });
  const outcome = "tested: its test failed without the fix and passes with it";
  await reportFollowUp({ root, pullRequest: pull.number, what: "Proof", outcome }, run);
  return host.readPullRequest(pull.number);
}

/** Whether only the bot has committed, and the test's files are unchanged, on the branch and on the base. */
async function isAsPushed(
  { number, head }: HostPullRequest,
  base: Base,
  test: string,
  host: CodeHost,
): Promise<boolean> {
  if ((await host.listCommits(number)).some(({ byApp }) => !byApp)) return false;
  const tip = (await host.branchTip(base.branch)) ?? base.commit;
  const [tests, since, moved] = [
    await host.changedPaths(base.commit, test),
    await host.changedPaths(test, head),
    tip === base.commit ? [] : await host.changedPaths(base.commit, tip),
  ];
  if (!tests || !since || !moved) return false;
  return !tests.some((path) => since.includes(path)) && ![...tests, ...since].some((path) => moved.includes(path));
}

/**
 * Takes the bot's own draft out of draft when all checks of its head are green and none of its QA threads is open:
 * once, so that a person who makes it a draft again is obeyed. Only where pull requests begin as drafts. `checks`: of its
 * head. Tells whether it did.
 */
export async function markReady(
  pull: HostPullRequest,
  checks: readonly Check[],
  { host, settings, log }: RunContext,
): Promise<boolean> {
  const { number, open, draft, byApp, body } = pull;
  if (!settings.draft || !open || !byApp || body.includes(markers.ready)) return false;
  if ([markers.proving, markers.unproved, markers.resolved].some((mark) => body.includes(mark))) return false;
  if (judgeChecks(checks) !== "green") return false;
  const threads = await host.listThreads(number);
  if (
    threads.some(({ resolved, comments }) => !resolved && comments[0] !== undefined && isOurs(comments[0], host.login))
  )
    return false;
  // One that is no draft any more was made ready by a try that ended before it could say so, or by a person: both are said.
  try {
    if (draft) await host.markReady(number);
  } catch (error) {
    if (!isMagisError(error, "HOST_REFUSED")) throw error;
    log.warn({ error, pullRequest: number }, "the host refused to take the pull request out of draft");
    return false;
  }
  await host.updatePullRequest(number, { body: `${body.trimEnd()}\n\n${markers.ready}\n` });
  return draft;
}
