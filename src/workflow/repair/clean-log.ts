import { stripInvisible } from "../../text/strip-invisible.ts";

const STAMP = /^\uFEFF?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z ?/;
const ESCAPE = "\u001b";
/** Colours and cursor movements (CSI), titles and links (OSC), and what else begins with an escape. */
const ANSI = new RegExp(
  `${ESCAPE}\\[[0-?]*[ -/]*[@-~]|${ESCAPE}\\][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\)|${ESCAPE}.`,
  "g",
);
/** Logging commands of GitHub Actions, in both of their spellings. */
const WORDS: Readonly<Record<string, string>> = { error: "Error: ", warning: "Warning: ", notice: "Notice: " };
const DROPPED = /^(?:##\[endgroup\]|::endgroup::|##\[debug\]|::debug::|::add-matcher|::remove-matcher)/;
const MARK = /^(?:##\[(\w+)\]|::(\w+)(?: [^:]*)?::)/;
/** A line longer than this is cut: it is data or minified code. */
const MAX_LINE_LENGTH = 500;

/**
 * The lines of a job's log without what a reader of GitHub's page does not see: timestamps, terminal colours, the marks
 * of groups, overwritten progress bars, invisible characters. Runs of empty lines become one.
 */
export function cleanLog(log: string): readonly string[] {
  const lines: string[] = [];
  for (const raw of log.split(/\r?\n/)) {
    const line = cleanLine(raw);
    if (line === undefined || (line === "" && (lines.at(-1) ?? "") === "")) continue;
    lines.push(line);
  }
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

function cleanLine(raw: string): string | undefined {
  const unstamped = raw.replace(STAMP, "").replace(ANSI, "");
  const shown = unstamped.split("\r").findLast((part) => part.trim() !== "") ?? "";
  if (DROPPED.test(shown)) return undefined;
  const unmarked = shown.replace(MARK, (_, first?: string, second?: string) => WORDS[first ?? second ?? ""] ?? "");
  const line = stripInvisible(unmarked).replaceAll("\n", " ").trimEnd();
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)} […]` : line;
}
