import { z } from "zod";
import type { IssueSnapshot } from "../data/discussion.ts";
import { orElse, text } from "./agents.ts";
import type { Check, PromptRunner } from "./prompt-runner.ts";

/** Two versions that are merged, as the agents see them. */
export interface MergeView {
  /** what the change is for */
  issue: IssueSnapshot;
  /** the names of both sides */
  ours: string;
  theirs: string;
  /** the diff of the pull request; "" where it is too long to show */
  change: string;
}

/** A place that both sides changed, its versions and what stands around it as texts. */
export interface HunkView {
  id: string;
  path: string;
  base: string;
  ours: string;
  theirs: string;
  before: string;
  after: string;
}

const ResolutionShape = z.object({
  hunks: z.array(
    z.object({
      id: text,
      lines: orElse(z.string(), ""),
      left: orElse(z.array(z.string()), []),
      differed: orElse(z.string(), ""),
      kept: orElse(z.string(), ""),
      why: orElse(z.string(), ""),
      unclear: orElse(z.boolean(), false),
    }),
  ),
});

const MergeReviewShape = z.object({
  hunks: z.array(z.object({ id: text, right: z.boolean(), why: orElse(z.string(), "") })),
});

export type MergeResolution = z.infer<typeof ResolutionShape>;

export type ProposedHunk = MergeResolution["hunks"][number];

export type MergeReview = z.infer<typeof MergeReviewShape>;

/** The agents who resolve what a merge by lines leaves open. Beyond the paper. */
export function createMergeAgents(prompts: PromptRunner) {
  return {
    /** A Developer resolves every place, or says that it is unclear. */
    resolve(view: MergeView, hunks: readonly HunkView[], check: Check<MergeResolution>): Promise<MergeResolution> {
      return prompts.ask("x01-resolve-conflicts", { ...view, hunks }, ResolutionShape, (answer) => {
        return missing(hunks, answer.hunks) ?? check(answer);
      });
    },

    /** A QA Engineer judges every resolved place. */
    review(
      view: MergeView,
      hunks: readonly (HunkView & Pick<ProposedHunk, "lines" | "why">)[],
      check: Check<MergeReview>,
    ): Promise<MergeReview> {
      return prompts.ask("x02-review-merge", { ...view, hunks }, MergeReviewShape, (answer) => {
        return missing(hunks, answer.hunks) ?? check(answer);
      });
    },
  };
}

function missing(asked: readonly { id: string }[], answered: readonly { id: string }[]): string | undefined {
  const ids = answered.map(({ id }) => id);
  const none = asked.filter(({ id }) => ids.filter((one) => one === id).length !== 1).map(({ id }) => id);
  return none.length === 0 ? undefined : `Answer each of these places exactly once: ${none.join(", ")}.`;
}
