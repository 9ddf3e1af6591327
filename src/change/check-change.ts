import { splitLines } from "../code/edits/text-file.ts";
import type { EditedLines, SourceParser, SyntaxCheck, SyntaxFault } from "../code/source-parser.ts";
import { classifyContent } from "../search/classify-file.ts";
import { either } from "../text/patterns.ts";

/** A file before and after a change; `before` is undefined for a new one. Texts are without a BOM. */
export interface CheckedChange {
  parser: SourceParser;
  path: string;
  before: string | undefined;
  after: string;
}

/**
 * Files that cannot be judged broken by their text alone: C and C++, whose macros fit no grammar (a third of jq's
 * files), and JSON read with comments. They only have to be no worse than before.
 */
const UNSURE = either(
  "i",
  /\.(?:[ch]|cc|cpp|cxx|hh|hpp|hxx|inl)$|\.json[c5]$|(?:^|\/)[jt]sconfig[^/]*\.json$/,
  /(?:^|\/)(?:\.\w+rc|devcontainer)\.json$/,
);

/** YAML templates, and JSON with comments. */
const UNSURE_TEXT = { yaml: /\{\{|\{%|<%/, json: /^[ \t]*\/[/*]/m };

const MAX_QUOTE_LENGTH = 160;

/** A pointer to Git LFS is shorter. */
const POINTER = 1_000;

/**
 * What a change broke, in words for the Developer: a pointer of Git LFS, conflict markers, unreadable JSON, YAML or
 * TOML, program text that does not fit its grammar, a text on which its parser newly fails. Undefined if nothing is
 * newly broken, and for files that cannot be checked: those without a parser, or on which it fails before and after.
 */
export async function checkChange({ parser, path, before, after }: CheckedChange): Promise<string | undefined> {
  if (before !== undefined && classifyContent(Buffer.from(before.slice(0, POINTER)))?.kind === "lfs-pointer")
    return `${path} is a pointer of Git LFS: its content is not here, and its lines cannot be changed.`;
  const markers = checkMarkers(splitLines(before ?? ""), splitLines(after));
  if (markers) return markers;
  if (before === undefined && isUnsure(path, after)) return undefined;
  const now = await parser.faults(path, after);
  const [fault] = now.kind === "checked" ? now.faults : [];
  if (now.kind !== "failed" && fault === undefined) return undefined;
  const was: SyntaxCheck = before === undefined ? { kind: "unknown" } : await parser.faults(path, before);
  if (hasFaults(was)) return undefined;
  if (now.kind === "failed") return was.kind === "failed" ? undefined : uncheckable(path, before, now.reason);
  if (was.kind === "failed") return fault && `${path} does not parse: ${fault.message}.`;
  return fault && describeFault(path, before, after, fault);
}

/**
 * Which lines next to the edits mean something else after them, in words for the Developer: a statement that continues
 * into the next for lack of a semicolon, a comment that swallows lines. Undefined if there are none or we cannot know.
 * A Developer who means it may give the same edits again.
 */
export async function checkNeighbours(
  { parser, path, before, after }: Required<CheckedChange>,
  edits: readonly EditedLines[],
): Promise<string | undefined> {
  if (before === undefined) return undefined;
  const found = (await parser.disturbed(path, { before, after, edits })) ?? [];
  if (found.length === 0) return undefined;
  const lines = after.split("\n");
  const places = found.map(({ line, what }) => {
    const quoted = (lines[line - 1] ?? "").trim().slice(0, MAX_QUOTE_LENGTH);
    return `- Line ${line} of the new file, \`${quoted}\`, ${what}.`;
  });
  const head = `The edits of ${path} change what lines beside them mean, although they leave these as they are:`;
  const remedy =
    "Is a separator, a bracket, the end of a comment or text, or the indentation wrong? If it is meant so, give the same edits again.";
  return [head, ...places, remedy].join("\n");
}

function hasFaults(check: SyntaxCheck): boolean {
  return check.kind === "checked" && check.faults.length > 0;
}

/** What our parser gives up on is hard on people and compilers, too, so it counts as broken. */
function uncheckable(path: string, before: string | undefined, reason: string): string {
  const head =
    before === undefined
      ? `The new file ${path} could not be checked for its syntax`
      : `${path} could be checked for its syntax before the change and cannot any more`;
  return `${head}: ${reason}. Write it shorter, with less nesting and without very long lines.`;
}

function isUnsure(path: string, text: string): boolean {
  if (/\.ya?ml$/i.test(path)) return UNSURE_TEXT.yaml.test(text);
  return UNSURE.test(path) || (/\.json$/i.test(path) && UNSURE_TEXT.json.test(text));
}

function describeFault(
  path: string,
  before: string | undefined,
  after: string,
  { line, end, message }: SyntaxFault,
): string {
  const lines = after.split("\n");
  const changed = changedLines(before ?? "", after);
  const quoted = (number: number) =>
    `Line ${number} is: ${(lines[number - 1] ?? "").trim().slice(0, MAX_QUOTE_LENGTH)}`;
  const head =
    before === undefined
      ? `The new file ${path} cannot be parsed: ${message}.`
      : `${path} parsed before the change and does not parse any more: ${message}.`;
  if (before === undefined) return line === undefined ? head : `${head} ${quoted(line)}`;
  const last = Math.max(changed.first, changed.last);
  const span = changed.first === last ? `line ${last}` : `lines ${changed.first} to ${last}`;
  if (line !== undefined && line >= changed.first && line <= last) return `${head} ${quoted(line)}`;
  const hint = `The change is in ${span}: look there for a bracket, quote, separator or indentation that is wrong.`;
  const place = line !== undefined && (end ?? line) < changed.first ? line : changed.first;
  return `${head} ${hint} ${quoted(place)}`;
}

/**
 * Where a text differs from the one before: everything between the common beginning and the common end. 1-based,
 * inclusive; `last` is `first - 1` if lines were only removed.
 */
function changedLines(before: string, after: string): { first: number; last: number } {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return { first: start + 1, last: now.length - end };
}

const MARKER = /^(<{7}|\|{7}|>{7})( |\r?\n?$)/;

/**
 * Reports conflict markers that a change adds, in words for the model; undefined if there are none. Markers in `before`
 * belong to the file. A row of = alone may be a heading.
 */
function checkMarkers(before: readonly string[], after: readonly string[]): string | undefined {
  const known = new Set(before.filter((line) => MARKER.test(line)));
  const index = after.findIndex((line) => MARKER.test(line) && !known.has(line));
  if (index < 0) return undefined;
  return `Line ${index + 1} is a conflict marker (${after[index]?.trim()}). Write the lines as they shall be, without markers.`;
}
