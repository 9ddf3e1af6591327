import { parse } from "acorn";
import { parse as parseToml, TomlError } from "smol-toml";
import { parseAllDocuments } from "yaml";
import { splitLines } from "../../edits/text-file.ts";
import type { SourceParser } from "../../ports/source-parser.ts";

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

/** 1-based lines of a new text, inclusive; `last` is `first - 1` where lines were only taken away. */
export interface ChangedLines {
  readonly first: number;
  readonly last: number;
}

/** Where a text differs from the one before: all between what is the same at the beginning and at the end. */
function changedLines(before: string, after: string): ChangedLines {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return { first: start + 1, last: now.length - end };
}

/** Where a file of data cannot be read, and why. */
export interface DataFault {
  /** 1-based; absent when the reader does not say */
  readonly line?: number;
  readonly message: string;
}

/** What is wrong with a JSON, YAML or TOML file, by its path; undefined for other files and when nothing is. */
function dataFault(path: string, text: string): DataFault | undefined {
  if (/\.(?:jsonc?|json5)$/i.test(path)) return jsonFault(text);
  if (/\.ya?ml$/i.test(path)) return yamlFault(text);
  return /\.toml$/i.test(path) ? tomlFault(text) : undefined;
}

function jsonFault(text: string): DataFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const { message } = error as SyntaxError;
    const told = /at position (\d+)/.exec(message)?.[1];
    const position = told ?? (/end of JSON/.test(message) ? text.trimEnd().length : undefined);
    if (position === undefined) return { message };
    return { message, line: text.slice(0, Number(position)).split("\n").length };
  }
}

/** Several documents and tags of one's own are YAML; a tag that is not known is only a warning. */
function yamlFault(text: string): DataFault | undefined {
  const documents = parseAllDocuments(text, { merge: true, logLevel: "silent" });
  const [error] = [...documents].flatMap(({ errors }) => errors);
  if (error === undefined) return undefined;
  const message = error.message.split("\n")[0] ?? error.message;
  const line = error.linePos?.[0].line;
  return line === undefined ? { message } : { message, line };
}

function tomlFault(text: string): DataFault | undefined {
  try {
    parseToml(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { message: error.message.split("\n")[0] ?? error.message, line: error.line };
  }
}

const MARKER = /^(<{7}|\|{7}|>{7})( |\r?\n?$)/;

/**
 * Tells of conflict markers that a change brought into a file, in words that a model can act on; undefined when it
 * brought none. Those that `before` had are left: they belong to the file. A row of = alone may be a heading.
 */
export function checkMarkers(before: readonly string[], after: readonly string[]): string | undefined {
  const known = new Set(before.filter((line) => MARKER.test(line)));
  const index = after.findIndex((line) => MARKER.test(line) && !known.has(line));
  if (index < 0) return undefined;
  return `Line ${index + 1} is a conflict marker (${after[index]?.trim()}). Write the lines as they shall be, without markers.`;
}

/** Where a script cannot be read, and why. */
export interface ScriptFault {
  /** 1-based; undefined when it is not known */
  readonly line?: number;
  readonly message: string;
}

/** What is wrong with a text as plain JavaScript; undefined when nothing is. `path` tells modules (.mjs) from scripts (.cjs). */
function scriptFault(path: string, text: string): ScriptFault | undefined {
  const extension = /\.([cm]?js)$/i.exec(path)?.[1]?.toLowerCase() ?? "js";
  const faults = (["module", "commonjs"] as const)
    .filter((kind) => extension === "js" || (extension === "cjs") === (kind === "commonjs"))
    .map((sourceType) => faultIn(() => parse(text, { ecmaVersion: "latest", sourceType })));
  return faults.includes(undefined) ? undefined : faults[0];
}

function faultIn(read: () => unknown): ScriptFault | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    const { message, loc } = error as Error & { readonly loc?: { readonly line: number } };
    return loc ? { line: loc.line, message } : { message };
  }
}
