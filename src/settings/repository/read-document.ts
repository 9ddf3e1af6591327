import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLError,
} from "yaml";
import { excessOfYaml } from "../../text/bounded-yaml.ts";
import { codeSpan, plain } from "../../text/compose-markdown.ts";

const MAX_SIZE = 64 * 1024;

/** More than any configuration has; the parser's time grows with the square of the keys. */
const LARGEST = { depth: 20, parts: 4000 };

const KEY = /^[\w$.-]{1,60}(?=\s*:)/;

/**
 * Reads a YAML mapping (1.2, one document, at most 64 KiB), or says everything that is wrong with it as YAML. Never
 * throws.
 */
export function readDocument(text: string): SettingsDocument | { faults: readonly DocumentFault[] } {
  if (Buffer.byteLength(text) > MAX_SIZE) {
    return fault("The file is larger than 64 KiB: a configuration has no need of so much.");
  }
  const excess = excessOfYaml(text, LARGEST);
  if (excess) {
    const message = `The file ${excess.what}: leave out what does not belong in a configuration.`;
    return { faults: [{ line: excess.line, key: "", message }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true, prettyErrors: false });
  const faults = [...document.errors, ...document.warnings].map((error) => ({
    line: lines.linePos(error.pos[0]).line,
    key: error.code === "DUPLICATE_KEY" ? (KEY.exec(text.slice(error.pos[0], error.pos[0] + 200))?.[0] ?? "") : "",
    message: describeYamlError(error),
  }));
  // What comes after the first fault of grammar is often only its echo; a key that stands twice is no such fault.
  const [first] = faults;
  if (first !== undefined) {
    const apart = document.errors.every(({ code }) => code === "DUPLICATE_KEY");
    return { faults: apart ? faults : [first, ...findAliasFaults(document, lines)] };
  }
  const aliases = findAliasFaults(document, lines);
  return aliases.length > 0 ? { faults: aliases } : readMapping(document, lines);
}

function readMapping(document: Document, lines: LineCounter): ReturnType<typeof readDocument> {
  const lineOf = (path: readonly PropertyKey[]) => lines.linePos(locatePath(document, path)).line;
  const content: unknown = document.toJS();
  if (content === null) return { content: {}, lineOf };
  if (typeof content !== "object" || Array.isArray(content)) {
    return fault("The file must be a mapping, one `key: value` on each line.", lineOf([]));
  }
  return { content: content as Readonly<Record<string, unknown>>, lineOf };
}

function fault(message: string, line = 1): { faults: readonly DocumentFault[] } {
  return { faults: [{ line, key: "", message }] };
}

const MAX_MESSAGE_LENGTH = 200;

const SENTENCES: Readonly<Partial<Record<YAMLError["code"], string>>> = {
  DUPLICATE_KEY: "This key stands here a second time: keep one of the two.",
  TAB_AS_INDENT: "This line is indented with a tab: YAML is indented with blanks.",
  MULTIPLE_DOCS: "A second document begins here: the file holds one only, so leave the line `---` out.",
  NON_STRING_KEY: "A key must be a plain text.",
  TAG_RESOLVE_FAILED: "This begins with `!`, which YAML takes for a tag: put the value in quotes.",
  BAD_INDENT:
    "The indentation is wrong here, or a bracket above is not closed: indent the keys of one mapping alike, by blanks.",
  BLOCK_AS_IMPLICIT_KEY: "There are two `:` on this line: put a value that holds one in quotes.",
};

/** What is wrong with the YAML, in a sentence or two. */
function describeYamlError({ code, message }: YAMLError): string {
  return (
    SENTENCES[code] ?? `This is not valid YAML: ${plain(message.slice(0, MAX_MESSAGE_LENGTH)).replace(/\.?$/, ".")}`
  );
}

const MAX_NAME_LENGTH = 60;

/** Aliases: YAML reads globs without quotes so (`*.min.js`), and a configuration needs none. */
function findAliasFaults(document: Document, lines: LineCounter): readonly DocumentFault[] {
  const faults: DocumentFault[] = [];
  visit(document, {
    Alias: (_key, { source, range }) => {
      const text = `*${source}`.slice(0, MAX_NAME_LENGTH);
      const message = `${codeSpan(text)} begins with a star, which YAML takes for an alias: write ${codeSpan(JSON.stringify(text))}, in quotes, or the value itself.`;
      faults.push({ line: lines.linePos(range?.[0] ?? 0).line, key: "", message });
    },
  });
  return faults;
}

/** The offset in the text of what is at `path`; see `SettingsDocument.lineOf`. */
function locatePath(document: Document, path: readonly PropertyKey[]): number {
  let node: Node | undefined = document.contents ?? undefined;
  let offset = node?.range?.[0] ?? 0;
  for (const step of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (isNode(pair?.key)) offset = pair.key.range?.[0] ?? offset;
      next = pair?.value;
      if (isScalar(next) && next.value !== null) offset = next.range?.[0] ?? offset;
    } else if (isSeq(node)) {
      next = node.items[Number(step)];
      if (isNode(next)) offset = next.range?.[0] ?? offset;
    }
    node = isNode(next) ? next : undefined;
  }
  return offset;
}

/** The content of one configuration file, with the way back to its lines. */
export interface SettingsDocument {
  /** an empty mapping for an empty file */
  content: Readonly<Record<string, unknown>>;
  /**
   * The line (1-based) of what is at `path`: of a plain value, else of its key; of the nearest that exists if there is
   * nothing at `path`.
   */
  lineOf(path: readonly PropertyKey[]): number;
}

/** A fault before its file is known. */
export interface DocumentFault {
  line: number;
  key: string;
  message: string;
}
