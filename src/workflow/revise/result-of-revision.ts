import type { RunResult } from "../../model/run-result.ts";
import type { Work } from "../run/coding.ts";
import type { PublishedRevision } from "./publish-revision.ts";
import type { Batch } from "./read-feedback.ts";

/** How a revision ended, or nothing when the branch has moved and it is to be done again. */
export function resultOfRevision(
  { pull: { number, url } }: Batch,
  { stopped, patch, outcomes }: Work,
  published: PublishedRevision,
): RunResult | undefined {
  if ("undone" in published) {
    return published.undone === "moved" ? undefined : { kind: "nothing-to-change", reason: "closed" };
  }
  if (stopped) {
    const finished = outcomes.map(({ summary, path }) => `${summary} (\`${path}\`)`);
    return { kind: "budget-reached", phase: "code", patch, finished, ...stopped };
  }
  const { commit, openThreads } = published;
  if (commit !== undefined) return { kind: "published", pullRequest: { number, url }, openThreads };
  return { kind: "nothing-to-change", reason: "everything was answered without a change" };
}
