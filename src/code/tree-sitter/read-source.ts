import { parse } from "acorn";
import { parse as parseToml, TomlError } from "smol-toml";
import type { Node } from "web-tree-sitter";
import { isScalar, LineCounter, parseAllDocuments, visit, type YAMLMap } from "yaml";
import { type Bounds, excessLength, excessOfJson } from "../../text/bounded.ts";
import { excessOfYaml } from "../../text/bounded-yaml.ts";
import type {
  DisturbedLine,
  EditedLines,
  ImportedModule,
  SourceSymbol,
  SyntaxCheck,
  SyntaxFault,
} from "../source-parser.ts";
import { compareTrees } from "./compare-trees.ts";
import { findFaults, quote } from "./find-faults.ts";
import { findImports } from "./find-imports.ts";
import { findSymbols } from "./find-symbols.ts";
import { loadGrammar, maskC, withTree } from "./grammar.ts";
import { type DataFormat, formatOf, type Grammar, grammarOf } from "./languages.ts";
import { rowsNear, viewTree } from "./tree-view.ts";

/** A verb of `SourceParser` with what it is asked about. */
export interface SourceRequest {
  verb: "faults" | "symbols" | "references" | "imports" | "disturbed";
  path: string;
  text: string;
  /** of `references` */
  name?: string;
  /** of `disturbed`: the text before the edits, and the edits */
  before?: string;
  edits?: readonly EditedLines[];
}

/** What `SourceParser` gives, by verb. */
export type SourceAnswer =
  | SyntaxCheck
  | readonly SourceSymbol[]
  | readonly ImportedModule[]
  | readonly number[]
  | readonly DisturbedLine[]
  | undefined;

/** More would block the asking thread: beyond this drop small symbols, then all. */
const MAX_SYMBOLS = 20_000;

const SMALL: ReadonlySet<string> = new Set(["constant", "field", "variable", "property"]);

function fewEnough(symbols: readonly SourceSymbol[] | undefined): readonly SourceSymbol[] | undefined {
  if (!symbols || symbols.length <= MAX_SYMBOLS) return symbols;
  const large = symbols.filter(({ kind }) => !SMALL.has(kind));
  return large.length > 0 && large.length <= MAX_SYMBOLS ? large : undefined;
}

/**
 * Answers a request in this thread, for as long as it takes. Throws what a parser throws: after that nothing in this
 * thread may be trusted, since a grammar that fell leaves the memory of all of them as it was in that moment.
 */
export async function readSource(request: SourceRequest, { whole, piece: most } = SIZES): Promise<SourceAnswer> {
  const { verb, path, text } = request;
  const length = Math.max(text.length, request.before?.length ?? 0);
  if (length <= whole || grammarOf(path) === undefined) return readWhole(request);
  // Trees are compared whole or not at all.
  if (verb === "disturbed") return undefined;
  const answers: NonNullable<SourceAnswer>[] = [];
  let [start, line] = [0, 0];
  for (const end of cutPieces(text, most)) {
    const piece = text.slice(start, end);
    const answer = await readWhole({ ...request, text: piece });
    if (answer === undefined) return undefined;
    answers.push(moved(answer, line));
    line += piece.split("\n").length - 1;
    start = end;
  }
  if (verb === "faults") return { kind: "checked", faults: (answers as readonly SyntaxCheck[]).flatMap(faultsOf) };
  const all = answers.flat() as readonly SourceSymbol[];
  return verb === "symbols" ? fewEnough(all) : all;
}

/** A tree takes some twenty times the memory of its text: a longer text is read in pieces, in UTF-16 units. */
const SIZES = { whole: 4_000_000, piece: 3_000_000 };

/** How far back in a piece to look for a better end. */
const BACK = 0.2;

/** An unindented line after an empty one that closes nothing most likely begins a declaration. */
const BEGINS = /\n\r?\n(?=[^\s)\]}])/g;

/** The ends of the pieces that a text is read in. */
function* cutPieces(text: string, most: number): Generator<number> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + most);
    if (end < text.length) {
      const from = end - Math.floor(most * BACK);
      const [begins] = [...text.slice(from, end).matchAll(BEGINS)].slice(-1);
      const newline = text.lastIndexOf("\n", end - 1) + 1;
      if (begins) end = from + begins.index + begins[0].length;
      else if (newline > start) end = newline;
    }
    yield end;
    start = end;
  }
}

/** Moves what was found in a piece to its place in the whole. */
function moved(answer: NonNullable<SourceAnswer>, line: number) {
  if (!Array.isArray(answer)) {
    const faults = faultsOf(answer as SyntaxCheck).map((fault) => ({
      ...fault,
      line: fault.line && fault.line + line,
      end: fault.end && fault.end + line,
    }));
    return { kind: "checked" as const, faults };
  }
  return answer.map((one: number | ImportedModule | SourceSymbol) => {
    if (typeof one === "number") return one + line;
    return { ...one, start: one.start + line, end: one.end + line };
  }) as NonNullable<SourceAnswer>;
}

const faultsOf = (check: SyntaxCheck): readonly SyntaxFault[] => (check.kind === "checked" ? check.faults : []);

async function readWhole(request: SourceRequest): Promise<SourceAnswer> {
  const { verb, path, text, name = "" } = request;
  if (verb === "faults") return checkSource(path, text);
  if (verb === "symbols") {
    return fewEnough(await withGrammar(path, text, (root, grammar) => findSymbols(root, grammar, text)));
  }
  if (verb === "imports") return withGrammar(path, text, (root, grammar) => findImports(root, grammar, text));
  if (verb === "disturbed") return findDisturbed(request);
  return withGrammar(path, text, (root) => findReferences(root, text, name));
}

async function findDisturbed({ path, text, before = "", edits = [] }: SourceRequest) {
  const old = await withGrammar(path, before, (root) => viewTree(root, before, rowsNear(edits, "old")));
  const now = old && (await withGrammar(path, text, (root) => viewTree(root, text, rowsNear(edits, "new"))));
  return old && now ? compareTrees(old, now, edits) : undefined;
}

async function checkSource(path: string, text: string): Promise<SyntaxCheck> {
  const format = formatOf(path);
  if (format !== undefined) {
    const fault = dataFault(format, text);
    return { kind: "checked", faults: fault === undefined ? [] : [fault] };
  }
  const faults = await withGrammar(path, text, (root, grammar) => findFaults(root, grammar, text));
  if (faults === undefined) return { kind: "unknown" };
  const [first] = faults;
  return { kind: "checked", faults: first && /\.[cm]?js$/i.test(path) ? secondOpinion(path, text, faults) : faults };
}

/** The grammar may be older than the language, and acorn often knows the place better. */
function secondOpinion(path: string, text: string, faults: readonly SyntaxFault[]): readonly SyntaxFault[] {
  if (excessLength(text, LARGEST_SCRIPT) !== undefined) return faults;
  const script = scriptFault(path, text);
  if (script === undefined) return [];
  // JSX and types are not plain JavaScript: what acorn says about them does not help.
  if (/<\/\w*>|\/>|@flow\b/.test(text)) return faults;
  const line = script.line ?? faults[0]?.line ?? 1;
  return [{ ...faults[0], line, message: `${script.message}: ${quote(text.split("\n")[line - 1])}` }];
}

async function withGrammar<T>(
  path: string,
  text: string,
  use: (root: Node, grammar: Grammar) => T,
): Promise<T | undefined> {
  const grammar = grammarOf(path);
  if (grammar === undefined) return undefined;
  const language = await loadGrammar(grammar);
  return withTree(language, maskC(path, text), (root) => use(root, grammar));
}

const IDENTIFIER =
  /identifier|^(?:constant|name|simple_symbol|hash_key_symbol|(?:instance|class|global)_variable|preproc_arg)$/;

/** A prefix that is not part of a name: `$x`, `@x`, `#x`, `:x`. */
const SIGIL = /^[$@#:]+/;

/**
 * The 1-based lines on which `name` stands as an identifier, ascending, each once. Comments, strings and text between
 * tags do not count; expressions inside a string template do.
 */
function findReferences(root: Node, text: string, name: string): number[] {
  const bare = name.replace(SIGIL, "");
  const lines = new Set<number>();
  if (bare === "") return [];
  for (let at = text.indexOf(bare); at >= 0; at = text.indexOf(bare, at + bare.length)) {
    const node = root.descendantForIndex(at, at + bare.length);
    if (node !== null && isUse(node, text, bare)) {
      const before = text.slice(node.startIndex, at);
      lines.add(node.startPosition.row + 1 + (before.split("\n").length - 1));
    }
  }
  return [...lines];
}

function isUse(node: Node, text: string, bare: string): boolean {
  if (node.childCount > 0 || !node.isNamed || !IDENTIFIER.test(node.type)) return false;
  const own = text.slice(node.startIndex, node.endIndex);
  // The body of a C macro is one token: split it at non-word characters.
  if (node.type === "preproc_arg") return own.split(/\W+/).includes(bare);
  return own.replace(SIGIL, "") === bare;
}

/** What is wrong with a data file; undefined when nothing is. Throws when it cannot be read to its end. */
function dataFault(format: DataFormat, text: string): SyntaxFault | undefined {
  if (format === "json") return jsonFault(text);
  return format === "yaml" ? yamlFault(text) : tomlFault(text);
}

function jsonFault(text: string): SyntaxFault | undefined {
  refuse(excessOfJson(text, LARGEST_JSON));
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { message } = error;
    const reported = /at position (\d+)/.exec(message)?.[1];
    const position = reported ?? (/end of JSON/.test(message) ? text.trimEnd().length : undefined);
    if (position === undefined) return { message };
    return { message, line: text.slice(0, Number(position)).split("\n").length };
  }
}

/** Several documents and tags of one's own are YAML; a tag that is not known is only a warning. */
function yamlFault(text: string): SyntaxFault | undefined {
  refuse(excessLength(text, LARGEST_YAML));
  const excess = excessOfYaml(text, LARGEST_YAML_TREE);
  refuse(excess && `it ${excess.what}`);
  const lines = new LineCounter();
  // The parser's own check for double keys is quadratic.
  const documents = [
    ...parseAllDocuments(text, { merge: true, logLevel: "silent", uniqueKeys: false, lineCounter: lines }),
  ];
  const [error] = documents.flatMap(({ errors }) => errors);
  if (error === undefined) {
    const twice = documents.map(secondKey).find((at) => at !== undefined);
    return twice === undefined ? undefined : { message: "Map keys must be unique", line: lines.linePos(twice).line };
  }
  const message = error.message.split("\n")[0] ?? error.message;
  return { message, line: error.linePos?.[0].line };
}

/** Where a key begins that its mapping already has; `<<` may be repeated. */
function secondKey(document: ReturnType<typeof parseAllDocuments>[number]): number | undefined {
  let found: number | undefined;
  visit(document, {
    Map(_, { items }: YAMLMap) {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === "<<") continue;
        if (known.has(key.value)) {
          found = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        known.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

const LARGEST_JSON: Bounds = { length: 16 * 1024 * 1024 };

const LARGEST_TOML: Bounds = { length: 4 * 1024 * 1024 };

const LARGEST_YAML: Bounds = { length: 1024 * 1024 };

const LARGEST_SCRIPT: Bounds = { length: 1024 * 1024 };

/** Refuses what is too large before parsing, which would take minutes or crash. */
function refuse(excess: string | undefined): void {
  if (excess !== undefined) throw new RangeError(excess);
}

/** Its parser takes a second for this many tokens. */
const LARGEST_YAML_TREE = { depth: 200, parts: 100_000 };

function tomlFault(text: string): SyntaxFault | undefined {
  refuse(excessLength(text, LARGEST_TOML));
  try {
    parseToml(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { message: error.message.split("\n")[0] ?? error.message, line: error.line };
  }
}

/**
 * What is wrong with a text as plain JavaScript; undefined when nothing is. `path` tells modules (.mjs) from scripts
 * (.cjs).
 */
function scriptFault(path: string, text: string): SyntaxFault | undefined {
  const extension = /\.([cm]?js)$/i.exec(path)?.[1]?.toLowerCase() ?? "js";
  const faults = (["module", "commonjs"] as const)
    .filter((kind) => extension === "js" || (extension === "cjs") === (kind === "commonjs"))
    .map((sourceType) => faultIn(() => parse(text, { ecmaVersion: "latest", sourceType })));
  return faults.includes(undefined) ? undefined : faults[0];
}

function faultIn(read: () => unknown): SyntaxFault | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { message, loc } = error as SyntaxError & { loc?: { line: number } };
    return { line: loc?.line, message };
  }
}
