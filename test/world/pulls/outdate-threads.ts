import type { PullState, RepositoryState } from "../state.ts";
import { commentableLines } from "./commentable-lines.ts";

/**
 * Marks the threads of `pull` whose line changed between `before` and the present head, like GitHub: the comment keeps
 * `original_line`, and its `line` becomes null. A moved line gets its new number.
 */
export async function outdateThreads(repo: RepositoryState, pull: PullState, before: string): Promise<void> {
  const open = repo.threads.filter((thread) => thread.pull === pull.number && !thread.outdated);
  for (const thread of open) {
    const first = thread.comments[0];
    if (first === undefined || first.line === null || first.side === "LEFT") continue;
    const moved = await lineAfter(repo, before, pull.headSha, first.path, first.line);
    const lines = moved === undefined ? undefined : await commentableLines(repo, pull, first.path);
    const line = moved !== undefined && lines?.RIGHT.has(moved) ? moved : null;
    thread.outdated = line === null;
    for (const comment of thread.comments) {
      comment.line = line;
      comment.commit_id = line === null ? comment.commit_id : pull.headSha;
    }
  }
}

/** The number at `after` of line `line` of `path` at `before`, or undefined if it was changed or removed. */
async function lineAfter(
  repo: RepositoryState,
  before: string,
  after: string,
  path: string,
  line: number,
): Promise<number | undefined> {
  const diff = await repo.bare.git("diff", "--unified=0", "--no-renames", before, after, "--", path);
  let shift = 0;
  for (const [, start, removed = "1", , added = "1"] of diff.matchAll(
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm,
  )) {
    const first = Number(start) + (Number(removed) === 0 ? 1 : 0);
    if (line < first) break;
    if (line < first + Number(removed)) return undefined;
    shift += Number(added) - Number(removed);
  }
  return line + shift;
}
