const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The RIGHT side of one hunk: line numbers of the new version, 1-based, ascending. */
interface HunkLines {
  /** added and context lines */
  readonly shown: readonly number[];
  /** added lines */
  readonly added: readonly number[];
  /** where lines only went away: the line that now stands there, or the last one before */
  readonly besideRemoved: readonly number[];
}

/**
 * Reads the hunks of one file's unified diff, with or without the header (GitHub's `patch` has none).
 * None for a binary file, a change of mode, and an empty diff.
 */
export function diffLines(diff: string): HunkLines[] {
  const hunks: HunkLines[] = [];
  const lines = diff.split("\n");
  for (let index = 0; index < lines.length; ) {
    const header = HUNK.exec(lines[index] ?? "");
    index += 1;
    if (header === null) continue;
    const body: string[] = [];
    let [oldLeft, newLeft] = [Number(header[1] ?? 1), Number(header[3] ?? 1)];
    for (; (oldLeft > 0 || newLeft > 0) && index < lines.length; index += 1) {
      const sign = lines[index]?.[0] ?? " ";
      if (sign !== "+" && sign !== "\\") oldLeft -= 1;
      if (sign !== "-" && sign !== "\\") newLeft -= 1;
      body.push(sign);
    }
    hunks.push(hunkLines(body, Number(header[2]), Number(header[3] ?? 1)));
  }
  return hunks;
}

function hunkLines(signs: readonly string[], start: number, count: number): HunkLines {
  const added: number[] = [];
  const removedAt: number[] = [];
  let line = start;
  for (const sign of signs) {
    if (sign === "-") removedAt.push(line);
    if (sign === "+") added.push(line);
    if (sign !== "-" && sign !== "\\") line += 1;
  }
  const shown = Array.from({ length: count }, (_, index) => start + index);
  const last = start + count - 1;
  const beside = [...new Set(removedAt.map((at) => Math.min(at, last)))];
  return { shown, added, besideRemoved: count === 0 ? [] : beside.filter((at) => !added.includes(at)) };
}
