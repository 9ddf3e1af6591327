import { diffLines } from "../../edits/diff-lines.ts";

/** Where a comment goes in a pull request: a line of the new version, or the file as a whole. */
export type CommentPlace =
  | { readonly path: string; readonly line: number; readonly side: "RIGHT" }
  | { readonly path: string; readonly file: true };

/** What a comment is about: a line of the new version, or the file as a whole. */
export interface CommentTarget {
  readonly path: string;
  readonly line?: number;
}

/**
 * Chooses the place of a QA comment in the final diff: its very line when the diff shows it, else the nearest changed
 * line of the same file (added, or beside removed ones; the upper one of two), else the file as a whole (a deleted or
 * binary file, a comment without a line). Undefined when the file is not in the change: the review's body is for that.
 * `diffs` has each changed file's unified diff by path; undefined or "" where there is none to show.
 */
export function placeComment(
  { path, line }: CommentTarget,
  diffs: ReadonlyMap<string, string | undefined>,
): CommentPlace | undefined {
  if (!diffs.has(path)) return undefined;
  const hunks = diffLines(diffs.get(path) ?? "");
  if (line === undefined) return { path, file: true };
  if (hunks.some(({ shown }) => shown.includes(line))) return { path, line, side: "RIGHT" };
  let nearest: number | undefined;
  for (const candidate of hunks.flatMap(({ added, besideRemoved }) => [...added, ...besideRemoved])) {
    const distance = Math.abs(candidate - line);
    const best = nearest === undefined ? Number.POSITIVE_INFINITY : Math.abs(nearest - line);
    if (distance < best || (distance === best && nearest !== undefined && candidate < nearest)) nearest = candidate;
  }
  return nearest === undefined ? { path, file: true } : { path, line: nearest, side: "RIGHT" };
}
