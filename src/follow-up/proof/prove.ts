import { writeCode } from "../../agents/phases.ts";
import { partOf } from "../../change/work-plan.ts";
import { changedFiles } from "../../change/working-copy.ts";
import { unifiedDiff } from "../../code/edits/diff.ts";
import { fileMode } from "../../code/edits/file-mode.ts";
import type { IssueSnapshot } from "../../data/discussion.ts";
import { isMagisError } from "../../data/error.ts";
import type { MadePlan, Task } from "../../data/plan.ts";
import type { Base } from "../../data/run-record.ts";
import type { Left, RunResult } from "../../data/run-state.ts";
import { type ProofVerdict, type RanTests, REASON_WORDS } from "../../data/verdict.ts";
import type { Work } from "../../data/work.ts";
import { type PublishedTest, publishChange, publishTest } from "../../publish/publish-change.ts";
import { rollback } from "../../publish/rollback.ts";
import { type ProofState, proofBlock, ranAny, untested } from "../../report/proof.ts";
import { resultOfWork } from "../../run/ends.ts";
import type { PhaseRunner } from "../../run/phase-runner.ts";
import type { PhaseContext } from "../../run/run-context.ts";
import { momentNow } from "../../run/steady-time.ts";
import { isTestPath } from "../../search/classify-file.ts";
import { figure } from "../../text/counted.ts";
import { conclude, ended, howLeft, kept, LIMIT_MS, leave, type Seen } from "./watch-checks.ts";

/** Whether to prove a fix: the ids of its test's tasks, or a sentence that says why not. */
export type ProofDecision = { proves: readonly string[] } | { unproved: string };

/** A test may bring helpers, fixtures and snapshots, but nothing of the code under test. */
const isSource = (path: string) =>
  !isTestPath(path) && !/(?:^|\/)(?:__)?(?:fixtures?|testdata|snapshots?|helpers?|support)(?:__)?\//.test(path);

/** The test of a fix, as planned. */
const isTestTask = ({ path, action }: Task) => action !== "delete" && isTestPath(path);

/** A proof needs a fix with a test, and a base with green checks. */
export async function decideProof(plan: MadePlan, base: Base, run: PhaseContext): Promise<ProofDecision> {
  const { settings, verifier } = run;
  if (settings.proof === "off") return { unproved: untested.off };
  if (!verifier) return { unproved: untested.noWait };
  if (!plan.description) return { unproved: untested.paper };
  if (plan.description.type !== "fix") return { unproved: untested.noFix };
  const proves = plan.tasks.filter(isTestTask).map(({ id }) => id);
  if (proves.length === 0) return { unproved: untested.noTest };
  if (proves.length === plan.tasks.length) return { unproved: untested.onlyTests };
  const verdict = await verifier.verify(
    { base: base.commit, files: [] },
    { ask: "base", tests: [] },
    AbortSignal.timeout(LIMIT_MS),
  );
  if (verdict.kind === "green") return { proves };
  if (verdict.kind === "other-red") return { unproved: untested.redBase(verdict.check) };
  if (verdict.kind === "no-verdict" && verdict.reason === "none") return { unproved: whyNoCheck(base, run) };
  return { unproved: untested.unclearBase };
}

/** Configuration files of the common CI services. */
const CHECK_FILES = [
  ".github/workflows/",
  ".circleci/",
  ".buildkite/",
  ".travis.yml",
  ".gitlab-ci.yml",
  ".cirrus.yml",
  ".drone.yml",
  ".appveyor.yml",
  "appveyor.yml",
  "azure-pipelines.yml",
  "Jenkinsfile",
];

/** Nothing ran on the base. Say that there are no checks only where none are configured. */
function whyNoCheck({ branch }: Base, { repository }: PhaseContext): string {
  const isSetUp = [...repository.entries.keys()].some((path) => CHECK_FILES.some((file) => path.startsWith(file)));
  return isSetUp ? untested.noneRan(branch) : untested.noChecks;
}

interface ProofInput {
  issue: IssueSnapshot;
  base: Base;
  plan: MadePlan;
  proves: readonly string[];
}

/** Tries at a test that fails as it should. */
const MAX_RED = 2;

/**
 * Makes and publishes a fix with its proof. Develops, reviews and pushes the test first, and codes the fix while its
 * checks run. Once they have failed as they should, the fix follows and must pass. Gives undefined, with nothing
 * published, when there is no test.
 */
export async function proveFix(runner: PhaseRunner, input: ProofInput): Promise<RunResult | undefined> {
  const { issue, base, plan, proves } = input;
  const testPlan = partOf(plan, (task) => proves.includes(task.id));
  const fixPlan = partOf(plan, (task) => !proves.includes(task.id));
  const first = await pushTest(runner, input, testPlan, 1);
  if (!first) return undefined;

  const apart = [...testPlan.tasks, ...first.added];
  const code = (run: PhaseContext) => writeCode({ ...run, issue, plan: fixPlan, apart });
  const fix = await runner.phase("code", { commit: first.commit }, code);
  const work = { ...fix, changes: fix.changes.filter(({ path }) => !first.files.some((file) => file.path === path)) };
  const unchanged = resultOfWork(work);
  if (unchanged) {
    // A draft with a failing test and no fix would only be in the way.
    await runner.step("take back", rollback);
    return unchanged;
  }

  let test = first;
  let red = await ended(runner, base, test, "red 1");
  for (let push = 2; push <= MAX_RED && isWrong(red); push++) {
    const tasks = testPlan.tasks.map((task) => corrected(task, red.verdict));
    const again = await pushTest(runner, input, { ...testPlan, tasks }, push, test);
    if (!again) break;
    test = again;
    red = await ended(runner, base, test, `red ${push}`);
  }
  if (red.left !== undefined) return withhold(runner, test, work, red.left);
  return publishFix(runner, input, { work, test, red });
}

interface PushedTest extends PublishedTest {
  /** tasks that its review added */
  added: readonly Task[];
}

/**
 * Develops the test and pushes it alone; `onto`: the earlier one that it replaces. Undefined: there is no test to push.
 */
async function pushTest(
  runner: PhaseRunner,
  { issue, base, plan: whole, proves }: ProofInput,
  plan: MadePlan,
  push: number,
  onto?: PushedTest,
): Promise<PushedTest | undefined> {
  const named = (name: string) => (push === 1 ? name : `${name} ${push}`);
  const from = onto ? { commit: onto.commit } : base;
  const apart = [...whole.tasks.filter(({ id }) => !proves.includes(id)), ...(onto?.added ?? [])];
  const code = (run: PhaseContext) => writeCode({ ...run, issue, plan, apart });
  const made = await runner.phase("code", from, code, named("code test"));
  const work = { ...made, changes: made.changes.filter(({ path }) => !isSource(path)) };
  if (work.changes.length === 0 || work.stopped) return undefined;
  const proof = proofBlock({ waiting: "red" });
  const pushed = await runner.phase(
    "publish",
    from,
    (run) => unlessMoved(publishTest({ ...run, issue, base, plan, work, proof, onto })),
    named("publish test"),
  );
  if (!pushed) return undefined;
  const added = [...(onto?.added ?? []), ...(made.added ?? [])];
  if (!onto) return { ...pushed, added };
  const kept = onto.files.filter(({ path }) => !pushed.files.some((file) => file.path === path));
  const elsewhere = onto.tests.filter(({ path }) => kept.some((file) => file.path === path));
  const tests = [...elsewhere, ...pushed.tests];
  return { ...pushed, added, tests, files: [...kept, ...pushed.files], diffs: [...onto.diffs, ...pushed.diffs] };
}

/** Pushes the fix on top of its test, waits for the checks, and reports the proof. */
async function publishFix(
  runner: PhaseRunner,
  { issue, base, plan }: ProofInput,
  { work, test, red }: { work: Work; test: PublishedTest; red: Seen },
): Promise<RunResult> {
  const tests = red.verdict.kind === "right-red" ? red.verdict.tests.filter((one) => one.test) : undefined;
  const unproved = {
    unproved: red.moved ?? untested.verdict(red.verdict, "red"),
    keep: red.verdict.kind !== "other-red",
    ran: ranAny(red.verdict),
  };
  const outcomes = [...test.outcomes, ...work.outcomes];
  const published = await runner.phase("publish", { commit: test.commit }, async (run) => {
    const ended = howLeft(await run.host.readPullRequest(test.pullRequest.number));
    if (ended !== undefined) {
      await leave(run, test.pullRequest.number, ended, "red");
      return { left: ended };
    }
    const state = tests ? ({ waiting: "green" } as const) : kept(unproved, run);
    const { entries } = run.repository;
    const isFrozen = test.files.every(({ path, blob }) => (entries.get(path)?.blob ?? null) === blob);
    await run.record("work", { ...work, outcomes });
    const input = { ...run, issue, base, plan, work, proof: proofBlock(state), onto: test };
    const made = isFrozen ? await unlessMoved(publishChange(input)) : undefined;
    if (made) return made;
    await leave(run, test.pullRequest.number, "pushed", "red");
    return { left: "pushed" } as const;
  });
  if ("left" in published) return withhold(runner, test, work, published.left);
  const { head, at, ...link } = { ...published, at: test.at };
  const about = { ...link, head };
  if (!tests) return { kind: "published", ...link, proof: await conclude(runner, about, unproved) };

  const since = await runner.step("pushed", async () => momentNow());
  const files = [...test.files, ...work.changes.map(({ path }) => ({ path, blob: null }))];
  const green = await ended(runner, base, { ...test, files, commit: head, at: since }, "green", test.commit);
  if (green.left !== undefined) return { kind: "published", ...link, ...leftEnd(green.left, "green") };
  const isGreen = green.verdict.kind === "green";
  const failing = green.verdict.kind === "right-red" || green.verdict.kind === "other-red";
  const state: ProofState =
    isGreen && !green.moved
      ? {
          tests,
          note: numbersOf(red.verdict, green.verdict),
          red: { ...red.verdict, commit: test.commit },
          green: { ...green.verdict, commit: head },
        }
      : {
          unproved: green.moved ?? untested.verdict(green.verdict, "green"),
          keep: isGreen || green.verdict.kind === "no-verdict",
          ran: ranAny(green.verdict),
          failing,
        };
  const proof = await conclude(runner, about, state);
  return { kind: "published", ...link, proof: { ...proof, failed: failing ? head : undefined } };
}

/** Undefined: somebody else has pushed to the branch. Their work stays. */
async function unlessMoved<T>(publishing: Promise<T>): Promise<T | undefined> {
  try {
    return await publishing;
  } catch (error) {
    if (isMagisError(error, "GIT_BRANCH_MOVED")) return undefined;
    throw error;
  }
}

/**
 * A person took the pull request over before the fix was pushed: keep the fix as a patch for a run that continues.
 */
function withhold(runner: PhaseRunner, test: PublishedTest, work: Work, how: Left): Promise<RunResult> {
  return runner.phase(
    "publish",
    { commit: test.commit },
    async ({ record, repository }): Promise<RunResult> => {
      const files = await changedFiles(work.changes, repository);
      const patch = files.map(({ path, before, after }) =>
        unifiedDiff(path, before, after, { mode: fileMode(path, after, repository.entries) }),
      );
      await record("work", { ...work, outcomes: [...test.outcomes, ...work.outcomes] });
      const { pullRequest } = test;
      return { kind: "published", pullRequest, openThreads: 0, withheld: patch.join(""), ...leftEnd(how, "red") };
    },
    "withhold",
  );
}

/** What a run says when it leaves its pull request to a person. */
const leftEnd = (left: Left, stage: "red" | "green") => ({
  left,
  proof: { proved: false, said: `Not tested: ${untested.left(left, stage)}` },
});

/** A verdict that the test's Developer can act on. */
const isWrong = ({ verdict, left }: Seen) =>
  left === undefined && (verdict.kind === "not-red" || verdict.kind === "other-red");

/** The task of a test that did not fail as it should, with what it did instead. Its draft was tried already. */
function corrected({ draft: _, ...task }: Task, verdict: ProofVerdict): Task {
  const quoted = verdict.kind === "other-red" ? verdict.words.replace(/^/gm, "> ") : "";
  const why =
    verdict.kind === "other-red"
      ? `It failed in the repository's check "${verdict.check}" for another reason than the fault (${REASON_WORDS[verdict.reason]}), in these words:\n\n${quoted}\n\nMake it fail on its own assertion, and on nothing else.`
      : "It passed on the code as it is, so that it does not show the fault. First find what the code really does there and pin exactly that; then turn the assertion round into what it should do.";
  return {
    ...task,
    action: "modify",
    description: `${task.description}\n\nThe test was written and run already, without the fix. ${why}`,
  };
}

/** How many tests ran on each commit, where the new ones were seen. */
function numbersOf(red: ProofVerdict, green: ProofVerdict): string {
  return (red.ran ?? []).map((one) => numbersIn(one, green.ran ?? [])).join(" ");
}

function numbersIn({ check, step, from, before, now }: RanTests, green: readonly RanTests[]): string {
  const fix = green.find((one) => one.check === check && one.step === step);
  const where = from === "report" ? `the report "${check}"` : `"${step}" of ${check}`;
  return `By ${where}, ${figure(before, "test")} ran before, ${now} with the test alone${fix ? ` and ${fix.now} with the fix` : ""}.`;
}
