import { unifiedDiff } from "../../edits/unified-diff.ts";
import { type ChangeDescription, createManager } from "../../llm/manager.ts";
import type { IssueSnapshot } from "../../model/issue-snapshot.ts";
import type { PlanWords } from "../../model/plan-words.ts";
import { changedFiles } from "../change/changed-files.ts";
import { describeWork } from "../publish/describe-work.ts";
import { pullRequestTemplate } from "../publish/pull-request-template.ts";
import type { Work } from "../run/coding.ts";
import type { PhaseTools } from "../run/create-phase-runner.ts";

/** The words that a pull request of this work would have. */
export async function localWords(
  { repository, prompts, tracker, record, log }: PhaseTools,
  {
    issue,
    work,
    planned,
  }: { readonly issue: IssueSnapshot; readonly work: Work; readonly planned?: PlanWords | undefined },
): Promise<ChangeDescription> {
  const { outcomes } = work;
  const files = await changedFiles(work.changes, repository);
  const words = await describeWork({
    ...{ manager: createManager(prompts), issue, outcomes, planned, log },
    diffs: new Map(files.map(({ path, before, after }) => [path, unifiedDiff(path, before, after)])),
    template: await pullRequestTemplate(repository),
  });
  await record("words", words);
  await tracker.detail("described, published nowhere");
  return words;
}
