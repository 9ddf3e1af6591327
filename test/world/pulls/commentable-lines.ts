import type { PullState, RepositoryState } from "../state.ts";

export interface CommentableLines {
  /** The hunk up to each line number, in the form of `diff_hunk`. */
  LEFT: Map<number, string>;
  RIGHT: Map<number, string>;
}

/** The lines of `path` in the pull request's diff, on both sides, or undefined if the file is not in it. */
export async function commentableLines(
  repo: RepositoryState,
  pull: PullState,
  path: string,
): Promise<CommentableLines | undefined> {
  const range = `${pull.baseSha}...${pull.headSha}`;
  const diff = await repo.bare.fixed("diff", "--no-renames", range, "--", `:(literal)${path}`);
  if (diff === "") return undefined;
  const lines: CommentableLines = { LEFT: new Map(), RIGHT: new Map() };
  let left = 0;
  let right = 0;
  let hunk = "";
  for (const line of diff.split("\n")) {
    const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (head !== null) {
      left = Number(head[1]);
      right = Number(head[2]);
      hunk = line;
      continue;
    }
    if (hunk === "") continue;
    hunk += `\n${line}`;
    if (line.startsWith("-") || line.startsWith(" ")) lines.LEFT.set(left++, hunk);
    if (line.startsWith("+") || line.startsWith(" ")) lines.RIGHT.set(right++, hunk);
  }
  return lines;
}
