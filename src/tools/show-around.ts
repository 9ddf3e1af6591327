import { numberedRanges } from "../edits/numbered-ranges.ts";
import { readText } from "../edits/read-text.ts";
import type { SearchedFiles } from "./search-files.ts";
import type { ToolContext } from "./tool-context.ts";

/** Less of a file tells nothing. */
const LEAST = 500;

/** Matches with `around` lines before and after each, numbered, file by file, within the limit of `read`. */
export async function showAround(
  { files, limits }: ToolContext,
  found: SearchedFiles["files"],
  around: number,
): Promise<string> {
  const shown: string[] = [];
  let room = limits.readCharacters;
  for (const [at, { path, lines: matches }] of found.entries()) {
    const bytes = await files.bytes(path);
    const lines = (bytes && readText(bytes)?.lines) ?? [];
    const most = found.length > 1 ? limits.matchesPerFile : limits.matches;
    const ranges = matches.slice(0, most).map(({ line }) => ({ from: line - around, to: line + around }));
    // What a file leaves is for the ones after it; one with many matches does not crowd them out.
    const share = Math.max(LEAST, Math.floor(room / (found.length - at)));
    let count = ranges.length;
    const textOf = () => `${path}\n${numberedRanges(lines, ranges.slice(0, count))}`;
    while (count > 1 && textOf().length > share) count -= 1;
    const text = textOf();
    if (text.length > room) {
      const left = found.slice(at).map((one) => `${one.path} (${one.lines.length})`);
      shown.push(`… not shown for want of room: ${left.slice(0, 8).join(", ")}${left.length > 8 ? " and more" : ""}.`);
      break;
    }
    room -= text.length;
    const more = matches.length - count;
    shown.push(more > 0 ? `${text}\n… ${more} more of its matches not shown` : text);
  }
  return shown.join("\n\n");
}
