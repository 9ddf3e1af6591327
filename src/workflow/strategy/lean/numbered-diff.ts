import { readPatch } from "../../../edits/read-patch.ts";

/**
 * A file's unified diff for a reader who has to name lines: each line of the new file with its number, `+` for the new
 * ones, and the lines that went away without a number, after `-`; hunks apart by `⋮`. The header is left out.
 */
export function numberedDiff(diff: string): string {
  return readPatch(diff)
    .flatMap(({ hunks }) => hunks)
    .map(({ lines, newStart }) => numbered(lines, newStart))
    .join("\n⋮\n");
}

function numbered(lines: readonly string[], start: number): string {
  let line = start;
  return lines
    .filter((text) => !text.startsWith("\\"))
    .map((text) => {
      const number = text.startsWith("-") ? "" : String(line++);
      return `${number.padStart(5)} ${text[0] ?? " "} ${text.slice(1)}`.trimEnd();
    })
    .join("\n");
}
