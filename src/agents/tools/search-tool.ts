import { z } from "zod";
import { numberedSpans, type Span } from "../../code/edits/numbered.ts";
import { readText } from "../../code/edits/text-file.ts";
import type { Tool } from "../../models/toolset.ts";
import { figure } from "../../text/counted.ts";
import { defineTool, type ToolLimits, type ToolOptions } from "./define-tool.ts";
import type { FileLines, FoundLine, FoundText } from "./lookups/find-text.ts";
import type { Lookups } from "./lookups/lookups.ts";
import type { SnapshotFiles } from "./lookups/snapshot-files.ts";
import { dealt, lengthOf, shorten, showMatches, withoutSeen } from "./matches.ts";

const MAX_AROUND = 20;

const shape = z.object({
  pattern: z.string(),
  path: z.string().optional().describe("file, folder or glob"),
  ignoreCase: z.boolean().optional(),
  around: z
    .int()
    .optional()
    .transform((lines = 0) => Math.min(MAX_AROUND, Math.max(0, lines)))
    .describe("lines shown around each match"),
});

/** `search`: lines that match a regular expression. */
export function createSearchTool(lookups: Lookups, options: ToolOptions): Tool {
  return defineTool({
    name: "search",
    description: "Lines that match a regular expression (RE2).",
    shape,
    run: async ({ around, ...question }) => {
      const found = await lookups.findText(question);
      return "reason" in found ? found.reason : showText(found, { files: lookups.files, around, ...options });
    },
  });
}

interface Showing extends ToolOptions {
  files: SnapshotFiles;
  /** lines to show around each match */
  around: number;
}

/** Puts the found lines into words, and names snapshots and declarations that match but are left out. */
async function showText(found: FoundText, showing: Showing): Promise<string> {
  const { meant, files, elsewhere, looked, cut, asText, fault } = found;
  const named = countsOf(elsewhere);
  const before = [
    fault === undefined ? "" : `Not a regular expression (${fault}): searched as plain text.`,
    asText ? "No line matches as a regular expression; as plain text these do." : "",
  ];
  const after = [
    looked < meant.paths.length
      ? `Stopped after ${looked} of ${meant.paths.length} files, in path order: narrow with path.`
      : "",
    cut > 0 ? `Of ${figure(cut, "very long line")} without a match only the beginning was searched.` : "",
    named ? `Also in files that are left out, by count; name one as path to see its lines: ${named}.` : "",
    meant.note ?? "",
    files.length === 0 ? (meant.ifNothing ?? "") : "",
  ];
  const parts = [...before, ...(await shownLines(found, showing)), ...after];
  return parts.filter((part) => part !== "").join("\n");
}

async function shownLines({ files, looked }: FoundText, showing: Showing): Promise<string[]> {
  const { around, limits, seen } = showing;
  const count = files.reduce((sum, { lines }) => sum + lines.length, 0);
  if (count === 0) return [`No line matches in ${figure(looked, "file")}.`];
  const head = `${figure(count, "line")} in ${files.length} of ${figure(looked, "file")}:`;
  const unseen = withoutSeen(files, seen);
  if (around > 0) return [head, await showAround(unseen.files, showing), unseen.note];
  const shown = unseen.files.map(({ path, lines }) => ({
    path,
    lines: lines.map((found) => lineInWords(found, limits)),
  }));
  return [head, showMatches(shown, limits), unseen.note];
}

function lineInWords(found: FoundLine, { lineCharacters }: ToolLimits) {
  const { line, inside, declares: name, matched } = found;
  const mark = inside === undefined ? "" : `  [in ${inside}]`;
  return {
    line,
    name,
    at: `${line}`,
    text: `${shortenFound(found, lineCharacters)}${mark}`,
    matched,
  };
}

/** Cuts a line so that its match is seen. */
function shortenFound({ text, matched }: FoundLine, most: number): string {
  const at = text.indexOf(matched);
  return shorten(text, most, at + matched.length > most ? at : 0);
}

/** Names the first files with their counts of lines. */
function countsOf(found: readonly FileLines[]): string {
  const first = found.slice(0, MAX_NAMED).map(({ path, lines }) => `${path} (${lines.length})`);
  const named = first.filter((_, at) => at === 0 || lengthOf(first.slice(0, at + 1)) <= MAX_REST);
  return `${named.join(", ")}${found.length > named.length ? " and more" : ""}`;
}

/** How many files are named. */
const MAX_NAMED = 8;

/** The fewest characters that show something of a file, the most of a line, and those of its number. */
const LEAST = 500;

const MAX_LINE_LENGTH = 2_000;

const NUMBER = 6;

/** Characters for the names and numbers of a file's other matches, and for the names of other files. */
const MAX_REST = 400;

/**
 * Shows matches with `around` lines before and after, file by file, within the limit of `read`. Files and matches come
 * as they are dealt; each file gets an equal share of what is left.
 */
async function showAround(matching: readonly FileLines[], { files, around, limits, seen }: Showing): Promise<string> {
  const order = dealt(matching);
  const linesOf = new Map(order.map(({ path }) => [path, [] as FoundLine[]]));
  for (const { path, line } of order) linesOf.get(path)?.push(line);
  const found = [...linesOf].map(([path, lines]) => ({ path, lines }));
  const parts: string[] = [];
  let left = limits.readCharacters - (found.length > 1 ? Math.min(MAX_REST, limits.readCharacters / 4) : 0);
  for (const [at, { path, lines: matches }] of found.entries()) {
    if (at > 0 && left < LEAST)
      return [...parts, `… not shown for want of room: ${countsOf(found.slice(at))}.`].join("\n\n");
    const bytes = await files.bytes(path);
    let share = Math.min(left, Math.max(LEAST, left / (found.length - at)));
    const most = Math.min(MAX_LINE_LENGTH, Math.ceil(share / 2));
    const lines = ((bytes && readText(bytes)?.lines) ?? []).map((text) =>
      text.length > most ? shorten(text, most) : text,
    );
    for (const match of matches) lines[match.line - 1] = shortenFound(match, most);
    const spans: Span[] = [];
    for (const { line } of matches) {
      const near = (reach: number) => ({ start: Math.max(1, line - reach), end: line + reach });
      const costOf = ({ start, end }: Span) => {
        const held = lines.slice(start - 1, end);
        return lengthOf(held) + held.length * NUMBER;
      };
      let reach = around;
      // The first match is shown in any case, with as many lines around as there is room for.
      while (spans.length === 0 && reach > 0 && costOf(near(reach)) > share) reach -= 1;
      share -= costOf(near(reach));
      if (share < 0 && spans.length > 0) break;
      spans.push(near(reach));
    }
    const rest = matches
      .slice(spans.length)
      .map(({ line, declares: name }) => (name === undefined ? `${line}` : `${name} (${line})`));
    spans.sort((a, b) => a.start - b.start);
    const shown = [path, numberedSpans(lines, spans, seen.get(path))];
    const text = [...shown, ...(rest.length > 0 ? [`also ${shorten(rest.join(", "), MAX_REST)}`] : [])].join("\n");
    left -= text.length;
    parts.push(text);
  }
  return parts.join("\n\n");
}
