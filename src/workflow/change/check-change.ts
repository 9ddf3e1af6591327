import { splitLines } from "../../edits/split-lines.ts";
import type { SourceParser } from "../../ports/source-parser.ts";
import { changedLines } from "./changed-lines.ts";
import { checkMarkers } from "./check-markers.ts";
import { dataFault } from "./data-fault.ts";
import { scriptFault } from "./script-fault.ts";

/** A file before and after a change; `before` is undefined for a new one. Texts are without a BOM. */
export interface CheckedChange {
  readonly parser: SourceParser;
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

interface Fault {
  readonly line?: number;
  readonly end?: number;
  readonly message: string;
}

/**
 * Files of which nobody can tell by their text alone that they are broken: C and C++, whose macros fit no grammar (a
 * third of the files of jq), and JSON that is read with comments. They are held only to what they were before.
 */
const UNSURE =
  /\.(?:[ch]|cc|cpp|cxx|hh|hpp|hxx|inl)$|\.json[c5]$|(?:^|\/)[jt]sconfig[^/]*\.json$|(?:^|\/)(?:\.\w+rc|devcontainer)\.json$/i;
/** YAML made of a template, and JSON with comments. */
const UNSURE_TEXT = { yaml: /\{\{|\{%|<%/, json: /^\s*\/[/*]/m };
const MAX_QUOTE_LENGTH = 160;

/**
 * Tells what a change broke, in words that a Developer can act on: conflict markers, JSON, YAML or TOML that cannot be
 * read, program text that does not fit its grammar. undefined when nothing is broken that was not broken before, and
 * for files of which that cannot be told.
 */
export async function checkChange({ parser, path, before, after }: CheckedChange): Promise<string | undefined> {
  const markers = checkMarkers(splitLines(before ?? ""), splitLines(after));
  if (markers) return markers;
  if (before === undefined && isUnsure(path, after)) return undefined;
  const fault = await faultOf(parser, path, after);
  if (fault === undefined) return undefined;
  if (before !== undefined && (await faultOf(parser, path, before)) !== undefined) return undefined;
  return told(path, before, after, fault);
}

function isUnsure(path: string, text: string): boolean {
  if (/\.ya?ml$/i.test(path)) return UNSURE_TEXT.yaml.test(text);
  return UNSURE.test(path) || (/\.json$/i.test(path) && UNSURE_TEXT.json.test(text));
}

async function faultOf(parser: SourceParser, path: string, text: string): Promise<Fault | undefined> {
  const data = dataFault(path, text);
  if (data) return data;
  const [fault] = (await parser.faults(path, text)) ?? [];
  if (fault === undefined || !/\.[cm]?js$/i.test(path)) return fault;
  // A second opinion: the grammar may be older than the language, and acorn often knows the place better.
  const script = scriptFault(path, text);
  return script && (mayBeScript(text) ? { ...fault, ...script } : fault);
}

/** JSX and types are not plain JavaScript: what acorn says about them does not help. */
function mayBeScript(text: string): boolean {
  return !/<\/\w*>|\/>|@flow\b/.test(text);
}

function told(path: string, before: string | undefined, after: string, { line, end, message }: Fault): string {
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
