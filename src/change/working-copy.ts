import { unifiedDiff } from "../code/edits/diff.ts";
import { applyFileChange, fileChangeBetween, mapLine } from "../code/edits/file-change.ts";
import { fileMode } from "../code/edits/file-mode.ts";
import { readText } from "../code/edits/text-file.ts";
import type { MadePlan } from "../data/plan.ts";
import type { FileChange, TaskOutcome, Work } from "../data/work.ts";
import type { Repository, TreeChange } from "../git/repository.ts";

/** The repository with the Developers' changes so far, in memory. `undefined` is a file that does not exist. */
export interface WorkingCopy {
  read(path: string): Promise<Uint8Array | undefined>;
  write(path: string, content: Uint8Array | undefined): void;
  /** all that differs from the base commit, in path order */
  changes(): Promise<readonly FileChange[]>;
  /** the same as one patch for `git apply` */
  patch(): Promise<string>;
}

export function createWorkingCopy(repository: Repository): WorkingCopy {
  const written = new Map<string, Uint8Array | undefined>();
  const base = async (path: string) => {
    const entry = repository.entries.get(path);
    return entry && repository.readBlob(entry.blob);
  };
  const paths = () => [...written.keys()].sort();
  return {
    read: async (path) => (written.has(path) ? written.get(path) : base(path)),
    write: (path, content) => void written.set(path, content),
    async changes() {
      const changes = await Promise.all(
        paths().map(async (path) => fileChangeBetween(path, await base(path), written.get(path))),
      );
      return changes.filter((change) => change !== undefined);
    },
    async patch() {
      const diffs = paths().map(async (path) => {
        const after = written.get(path);
        return unifiedDiff(path, await base(path), after, { mode: fileMode(path, after, repository.entries) });
      });
      return (await Promise.all(diffs)).join("");
    },
  };
}

/** A changed file in full, both versions; `undefined` if it does not exist. */
export interface ChangedFile {
  path: string;
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
  /** absent: as it was, or a plain file */
  mode?: TreeChange["mode"];
}

/** Applies the kept changes to the base commit again. Throws MagisError ANSWER_INVALID if one does not fit. */
export function changedFiles(changes: readonly FileChange[], repository: Repository): Promise<readonly ChangedFile[]> {
  return Promise.all(
    changes.map(async (change) => {
      const { path } = change;
      const entry = repository.entries.get(path);
      const before = entry && (await repository.readBlob(entry.blob));
      const after = applyFileChange(change, before);
      return entry ? { path, before, after } : { path, before, after, mode: fileMode(path, after, repository.entries) };
    }),
  );
}

/** Unified diffs of changed files, by path. */
export function diffsOf(files: readonly ChangedFile[]): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, before, after }) => [path, unifiedDiff(path, before, after)]));
}

/** Writes the base commit's tree with these files changed, in memory; gives its id. */
export function treeOf(files: readonly ChangedFile[], repository: Repository): Promise<string> {
  return repository.writeTree(files.map(({ path, after, mode }) => ({ path, content: after ?? null, mode })));
}

/** The plan with the tasks added along the way. */
export function wholePlan(plan: MadePlan, { added = [] }: Work): MadePlan {
  return added.length === 0 ? plan : { ...plan, tasks: [...plan.tasks, ...added] };
}

/** What one task leaves behind. */
export interface FinishedTask {
  outcome: TaskOutcome;
  /** the task's own change, for the tasks after it */
  diff: string;
  /** the file in each round that QA reviewed; undefined: deleted */
  reviewed: ReadonlyMap<number, Uint8Array | undefined>;
}

/**
 * Moves the lines of QA comments from the reviewed version to the run's final version of the file, since later rounds
 * and tasks may have changed it. A comment on a file that is gone is about the file as a whole.
 */
export function placeComments(finished: readonly FinishedTask[], copy: WorkingCopy): Promise<TaskOutcome[]> {
  return Promise.all(
    finished.map(async ({ outcome, reviewed }) => {
      const last = linesOf(await copy.read(outcome.path));
      const comments = outcome.comments.map(({ line, ...comment }) => {
        const then = linesOf(reviewed.get(comment.round));
        return line === undefined || !then || !last ? comment : { ...comment, line: mapLine(then, last, line) };
      });
      return { ...outcome, comments };
    }),
  );
}

const linesOf = (content: Uint8Array | undefined) => content && readText(content)?.lines;
