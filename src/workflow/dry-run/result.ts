import { gitPatch } from "../../edits/diff.ts";
import { type ChangeDescription, createManager } from "../../llm/agents.ts";
import type { IssueSnapshot } from "../../model/discussion.ts";
import type { PlannedDescription } from "../../model/plan.ts";
import type { FileChange, Work } from "../../model/work.ts";
import type { Repository } from "../../ports/repository.ts";
import { changedFiles, diffsOf } from "../change/working-copy.ts";
import { describeWork, pullRequestTemplate } from "../publish/describe-work.ts";
import type { PhaseTools } from "../run/phase-runner.ts";

/** The words that a pull request of this work would have. */
export async function describeLocally(
  { repository, prompts, tracker, record, log }: PhaseTools,
  {
    issue,
    work,
    planned,
  }: { readonly issue: IssueSnapshot; readonly work: Work; readonly planned?: PlannedDescription | undefined },
): Promise<ChangeDescription> {
  const { outcomes } = work;
  const files = await changedFiles(work.changes, repository);
  const description = await describeWork({
    ...{ manager: createManager(prompts), issue, outcomes, planned, log },
    diffs: diffsOf(files),
    template: await pullRequestTemplate(repository),
  });
  await record("description", description);
  await tracker.detail("described, published nowhere");
  return description;
}

/** The changes as one patch for `git apply`, byte by byte whatever the files' encodings. */
export async function patchOf(changes: readonly FileChange[], repository: Repository): Promise<Uint8Array> {
  const files = await changedFiles(changes, repository);
  const patches = files.map(({ path, before, after }) => {
    const mode = repository.entries.get(path)?.mode === "100755" ? "100755" : "100644";
    return gitPatch(path, before, after, { mode });
  });
  return new Uint8Array(Buffer.concat(patches));
}
