import { markers } from "../../model/marks.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { RunResult } from "../../model/run-state.ts";
import { type BranchOutcome, backportAnswer } from "../../report/backport.ts";
import { sayOnce } from "../../report/tracking-comment.ts";
import type { KnownHunk } from "../change/resolve-conflicts.ts";
import type { RunKind } from "../run/phase-runner.ts";
import type { RunTools } from "../run/run-tools.ts";
import { backportToBranch } from "./backport-to-branch.ts";
import { readMerged } from "./read-merged.ts";

/** What the answer says. Plain data: another process may give it. */
interface About {
  readonly outcomes: readonly BranchOutcome[];
  readonly own?: string | undefined;
}

/**
 * Brings a merged pull request's change to the branches that a person named, the newest first: what was resolved there
 * serves the older ones. Each branch gets a pull request of its own, or stays as it is; one that fails stops no other.
 */
export function backportPullRequest(request: RunRequest): RunKind {
  let about: About = { outcomes: [] };
  return {
    async phases(run) {
      const merged = await run.step("read", (tools) => readMerged(request, tools));
      if ("refused" in merged) return { kind: "refused", reason: merged.refused };
      const known: KnownHunk[] = [];
      for (const [at, branch] of merged.branches.entries()) {
        const made = await run.step(`branch ${at}`, ({ host }) => host.branchTip(branch).then((tip) => tip ?? ""));
        if (made === "") {
          about = { ...about, outcomes: [...about.outcomes, { branch, kind: "no such branch" }] };
          continue;
        }
        const target = { branch, commit: made };
        const { outcome, resolved, own } = await run.phase(
          "code",
          target,
          (tools) => backportToBranch({ request, merged, target, known }, tools),
          `backport ${at}`,
        );
        known.push(...resolved);
        about = { outcomes: [...about.outcomes, outcome], own: own ?? about.own };
      }
      return resultOf(about.outcomes);
    },
    report: (_result, tools, about) => answer(request, (about as About | undefined) ?? { outcomes: [] }, tools),
    about: () => about,
  };
}

function resultOf(outcomes: readonly BranchOutcome[]): RunResult {
  const [first, ...others] = outcomes.flatMap((one) => (one.kind === "opened" ? [one.pullRequest] : []));
  if (first) return { kind: "published", pullRequest: first, others, openThreads: 0 };
  const left = outcomes.filter(({ kind }) => kind !== "already there" && kind !== "open already");
  if (left.length === 0) return { kind: "nothing-to-change", reason: "The change is on every branch already." };
  return { kind: "gave-up", reason: `No backport to ${left.map(({ branch }) => branch).join(", ")}.` };
}

async function answer(
  { issue, actor, trigger, id }: RunRequest,
  { outcomes, own }: About,
  { host }: Pick<RunTools, "host">,
): Promise<void> {
  if (outcomes.length === 0) return;
  const mark = trigger.kind === "other-command" ? markers.command(trigger.commentId) : markers.run(id);
  const { body, mention } = backportAnswer({ mark, asked: actor, outcomes, own });
  await sayOnce(host, issue, mark, body, mention);
}
