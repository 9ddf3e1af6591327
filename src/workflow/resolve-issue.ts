import { locateFiles, makePlan, PROFILES, writeCode } from "../agents/phases.ts";
import type { IssueSnapshot } from "../data/discussion.ts";
import type { MadePlan, ProposedPlan } from "../data/plan.ts";
import type { Base, KeptStart } from "../data/run-record.ts";
import type { RunRequest } from "../data/run-request.ts";
import { estimateCost } from "../data/spend.ts";
import { countOpen } from "../data/work.ts";
import { decideProof, type ProofDecision, proveFix } from "../follow-up/proof/prove.ts";
import { publishChange } from "../publish/publish-change.ts";
import { rollbackUntouched } from "../publish/rollback.ts";
import { proofBlock, testedSentence, untested } from "../report/proof.ts";
import { obeyAiPolicy } from "../run/ai-policy.ts";
import { resultOfPlan, resultOfWork } from "../run/ends.ts";
import type { RunKind } from "../run/phase-runner.ts";
import type { PhaseContext, RunContext } from "../run/run-context.ts";
import { planMark, startRun } from "../run/start.ts";
import { REVIEW_ROUNDS } from "../run/strategy.ts";
import { checkBase, checkWork, type LocalCheck } from "./dry-run/check-work.ts";

/**
 * The main job: from an issue to a reviewed pull request, or to a plan that a person is to approve. `check` is what a
 * person on the command line has their own machine run: a change that it finds red is not published.
 */
export function resolveIssue(request: RunRequest, check?: LocalCheck): RunKind {
  return {
    async phases(runner) {
      const start = await runner.step("start", (run) => startRun(run, () => rollbackUntouched(run)));
      if ("refused" in start) return { kind: "refused", reason: start.refused };
      const { issue, base } = start;
      const onBase = check && (await checkBase(runner, base, check));
      if (onBase && "end" in onBase) return onBase.end;

      const located = await runner.phase("locate", base, (run) => locateUnlessForbidden(issue, run));
      const { candidates, policy, stopped } = located;
      if (stopped !== undefined) return { kind: "refused", reason: stopped, paid: true };

      const plan = await runner.phase("plan", base, async (run) => {
        const made = await makePlan({ ...run, issue, candidates, aiPolicy: policy });
        return { ...made, proof: made.tasks.length === 0 ? undefined : await decideProof(made, base, run) };
      });
      const unplanned = resultOfPlan(plan);
      if (unplanned) return unplanned;

      const renewed = whyRenewed(start, plan);
      if (request.work.kind === "resolve" && (request.work.gate === "plan" || renewed !== undefined)) {
        const proposed = await runner.step("propose", async (run) => proposePlan(plan, base, run));
        return { kind: "awaiting-approval", plan: proposed, renewed };
      }

      const { proof } = plan;
      const proved = proof && "proves" in proof && (await proveFix(runner, { issue, base, plan, ...proof }));
      if (proved) return proved;

      const first = await runner.phase("code", base, (run) => writeCode({ ...run, issue, plan }));
      const unchanged = resultOfWork(first);
      if (unchanged) return unchanged;
      const checked = check && onBase && (await checkWork(runner, { base, issue, plan, work: first, check, onBase }));
      const { work } = checked ?? { work: first };
      if (checked?.end === "red") {
        return { kind: "dry-run", made: "patch", openComments: countOpen(work.outcomes), check: "red" };
      }

      const locally = checked && { said: checked.said, passed: checked.end === "green" };
      const published = await runner.phase("publish", base, async (run) => {
        const unproved = whyUnproved(plan, run);
        const reason = unproved && testedSentence(unproved);
        if (reason !== undefined) await run.record("proof", { said: reason, pushes: [] });
        const change = await publishChange({
          ...run,
          issue,
          base,
          plan,
          work,
          checked: locally,
          proof: unproved && proofBlock(unproved, locally),
        });
        return { ...change, reason };
      });
      const { pullRequest, openThreads, reason } = published;
      return {
        kind: "published",
        pullRequest,
        openThreads,
        checked: locally?.said,
        proof: !locally && reason !== undefined ? { proved: false, said: reason } : undefined,
      };
    },
  };
}

/** Locates the files, unless the repository's policy on AI says that nothing may be made; `stopped`: in a sentence. */
async function locateUnlessForbidden(issue: IssueSnapshot, run: PhaseContext) {
  const { policy, stopped } = await obeyAiPolicy(run, { anyway: run.request.options?.anyway });
  return { policy, stopped, candidates: stopped === undefined ? await locateFiles({ ...run, issue }) : [] };
}

/** Why there is no proof; nothing for a plan of a run that an earlier version began. */
function whyUnproved(
  { proof, description }: MadePlan & { proof?: ProofDecision | undefined },
  { settings }: RunContext,
): { unproved: string; keep: boolean } | undefined {
  if (!proof) return undefined;
  const keep = settings.proof === "required" && (description?.type ?? "fix") === "fix";
  return { unproved: "unproved" in proof ? proof.unproved : untested.unusable, keep };
}

/**
 * Why a plan goes before a person again although one was approved: it is not that one, or no longer fits its commit.
 */
function whyRenewed({ renewed, approved }: KeptStart, plan: MadePlan): string | undefined {
  if (renewed !== undefined || approved === undefined || approved === planMark(plan)) return renewed;
  return "The approved plan could not be found again, and this one differs from it.";
}

/** Its calls are of the fast tier, many times cheaper than those that carry a plan out. */
const CUSTODIAN = "Repository Custodian";

/** The plan as a person is to approve it, with what carrying it out may cost. */
async function proposePlan(
  { tasks, order, meeting }: MadePlan,
  base: Base,
  { spendByRole, settings }: RunContext,
): Promise<ProposedPlan> {
  const made = (await spendByRole()).filter(({ role }) => role !== CUSTODIAN);
  const sum = (of: "calls" | "money") => made.reduce((all, one) => all + one[of], 0);
  return {
    tasks: tasks.map(({ id, path, action, title, description }) => ({ id, path, action, title, description })),
    order,
    meeting,
    base,
    estimate: estimateCost(
      { calls: sum("calls"), money: sum("money") },
      {
        tasks: tasks.length,
        rounds: REVIEW_ROUNDS,
        form: PROFILES[settings.profile].form,
      },
    ),
  };
}
