import pMap from "p-map";
import { showFile } from "../../../edits/show-file.ts";
import type { Assignment, Manager, TaskDefinition } from "../../../llm/manager.ts";
import type { Candidate } from "../../../model/candidate.ts";
import type { IssueSnapshot } from "../../../model/issue-snapshot.ts";
import type { Repository } from "../../../ports/repository.ts";
import type { PathGuard } from "../../change/create-path-guard.ts";

/** P4 calls that may be under way together. */
const AT_ONCE = 4;

export interface DefinedTasks {
  readonly assignments: readonly Assignment[];
  /** proposals that could not become tasks, and why */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  /** why the files that need no task need none */
  readonly reason: string;
}

/** Algorithm 2, line 2: the file-level task of each candidate (P4), and of the new files that the issue needs. */
export async function defineTasks(deps: {
  readonly issue: IssueSnapshot;
  readonly candidates: readonly Candidate[];
  readonly repository: Repository;
  readonly manager: Manager;
  readonly guard: PathGuard;
}): Promise<DefinedTasks> {
  const { issue, candidates, repository, manager, guard } = deps;
  const definitions = await pMap(
    candidates,
    async (candidate) => {
      const file = showFile(candidate.path, await repository.readBlob(candidate.blob));
      const others = candidates.filter((other) => other !== candidate);
      return manager.defineTask(issue, file, others);
    },
    { concurrency: AT_ONCE },
  );
  const proposals = [...existing(candidates, definitions), ...created(definitions)];
  const refused = proposals.flatMap((proposal) => guard(proposal) ?? []);
  const tasks = proposals.filter(({ path }) => !refused.some((one) => one.path === path));
  return {
    assignments: tasks.map((task, index) => ({ ...task, id: `t${index + 1}` })),
    refused,
    reason: reasonOf(candidates, definitions, refused),
  };
}

function reasonOf(
  candidates: readonly Candidate[],
  definitions: readonly TaskDefinition[],
  refused: DefinedTasks["refused"],
): string {
  if (candidates.length === 0) return "No file of the repository has anything in common with the issue.";
  return [
    ...definitions.map(({ reason }, index) => `\`${candidates[index]?.path}\`: ${reason}`),
    ...refused.map(({ path, reason }) => `\`${path}\`: left alone, ${reason}`),
  ].join("\n");
}

function existing(candidates: readonly Candidate[], definitions: readonly TaskDefinition[]) {
  return definitions.flatMap(({ needed, action, title, description }, index) =>
    needed ? [{ path: candidates[index]?.path as string, action, title, description }] : [],
  );
}

/** Several candidates may ask for the same new file: it becomes one task that has all of their words. */
function created(definitions: readonly TaskDefinition[]) {
  const files = new Map<string, { path: string; action: "create"; title: string; description: string }>();
  for (const { path, title, description } of definitions.flatMap(({ newFiles }) => newFiles)) {
    const known = files.get(path);
    const words = known && known.description !== description ? `${known.description}\n\n${description}` : description;
    files.set(path, { path, action: "create", title: known?.title ?? title, description: words });
  }
  return [...files.values()];
}
