/** What a line of a unified diff is. */
export type DiffLine = "head" | "hunk" | "added" | "removed" | "same";

/** A line of a unified diff with what it is. */
export interface ReadLine {
  readonly kind: DiffLine;
  readonly text: string;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * Reads a unified diff by the lengths that its hunks tell, so that a removed line `-- x`, which looks like a header
 * there, is one.
 */
export function readDiff(diff: string): ReadLine[] {
  let [old, fresh] = [0, 0];
  return diff
    .replace(/\n$/, "")
    .split("\n")
    .map((text) => {
      const hunk = old <= 0 && fresh <= 0 ? HUNK.exec(text) : null;
      if (hunk) {
        [old, fresh] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
        return { kind: "hunk", text };
      }
      if (old <= 0 && fresh <= 0) return { kind: text.startsWith("\\") ? "same" : "head", text };
      if (text.startsWith("\\")) return { kind: "same", text };
      if (!text.startsWith("+")) old -= 1;
      if (!text.startsWith("-")) fresh -= 1;
      return { kind: text.startsWith("+") ? "added" : text.startsWith("-") ? "removed" : "same", text };
    });
}
