import type { IssueText } from "./ranking-types.ts";
import { HYPHENATED, STOP_WORDS } from "./terms.ts";

/** What an issue names of the code, as it writes it. */
export interface Mentions {
  frames: readonly Frame[];
  /** path-like words, longest useful form, with forward slashes */
  paths: readonly string[];
  /** identifiers in backticks, or that look like code; words joined by hyphens */
  symbols: readonly string[];
}

const MAX_TEXT_LENGTH = 100_000;

const MAX_MENTIONS = 80;

/** No name is as long, and each place in it would be tried as the beginning of one. */
const UNBROKEN = /[\w@+$-]{200,}/g;

const PATH = /(?:[\w@.+-]{1,80}[/\\]){0,20}[\w@+-][\w@.+-]{0,80}\.[A-Za-z]\w{0,7}\b/g;

/** A path with letters beyond ASCII, between blanks or quotes: other scripts have no blanks between words. */
const OTHER_PATH = /(?<![^\s`"'([])[^\s`"'()[\]<>|*?]{1,200}\.[A-Za-z]\w{0,7}(?![^\s`"')\],;:.!?])/g;

const BEYOND_ASCII = /[^ -~]/;

const BACKTICKED = /`([^`\n]{2,120})`/g;

const NAME = /[A-Za-z_$][\w$]{2,80}/g;

const CODE_LOOK = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|^__\w+__$|^[A-Z][a-z]+[A-Z]/;

const CALLED = /\b([A-Za-z_$][\w$]{2,80})\(/g;

/** Reads what the issue names: stack-trace frames, paths, symbols. Never throws, whatever the text. */
export function readMentions(issue: IssueText): Mentions {
  const text = [issue.title, issue.body, ...(issue.hints ?? [])]
    .join("\n")
    .slice(0, MAX_TEXT_LENGTH)
    .replace(UNBROKEN, " ");
  const frames = extractFrames(text);
  const others = [...text.matchAll(OTHER_PATH)].filter(([path]) => BEYOND_ASCII.test(path));
  const symbols = new Set<string>();
  for (const [, quoted = ""] of text.matchAll(BACKTICKED))
    for (const [name] of quoted.matchAll(NAME)) symbols.add(name);
  for (const [name] of text.matchAll(NAME)) if (CODE_LOOK.test(name)) symbols.add(name);
  for (const [, name = ""] of text.matchAll(CALLED)) symbols.add(name);
  for (const [name] of text.matchAll(HYPHENATED)) symbols.add(name);
  for (const { symbol } of frames) if (symbol !== undefined && symbol.length > 2) symbols.add(symbol);
  return {
    frames,
    paths: unique([...others, ...text.matchAll(PATH)].map(([path]) => path.replaceAll("\\", "/"))),
    symbols: [...symbols].filter((name) => !STOP_WORDS.has(name.toLowerCase())).slice(0, MAX_MENTIONS),
  };
}

/** Short ones too: else what stands between two of them would be taken for quoted. */
const QUOTED = /"([^"\n]{1,200})"|`([^`\n]{1,200})`|(?<!\w)'([^'\n]{1,200})'|[“‘]([^”’\n]{1,200})[”’]/g;

const SAID = /(?:error|exception|warning|fatal|panic|failed)\b[^:\n]{0,20}: ?([^\n]{12,300})/gi;

/** A word of a message that is a value, or part of one: it is quoted or in brackets, or has a digit or a slash. */
const VALUE = /["`“”‘<>{}()[\]$%\d/\\]|(?<!\w)'|'(?!\w)/;

/** A shorter message stands in many files. */
const LEAST_WORDS = 3;

const MAX_MESSAGES = 20;

/** The messages that an issue quotes, or that follow "Error:" and the like, cut where a value stands in one. */
export function readMessages(issue: IssueText): readonly string[] {
  const text = [issue.title, issue.body, ...(issue.hints ?? [])].join("\n").slice(0, MAX_TEXT_LENGTH);
  const quoted = [...text.matchAll(QUOTED), ...text.matchAll(SAID)].map(([, ...groups]) => groups.find(Boolean) ?? "");
  const pieces = quoted.flatMap((message) => {
    const words = message.split(/\s+/).map((word) => (VALUE.test(word) ? "\n" : word));
    return words.join(" ").split("\n");
  });
  const isTelling = (piece: string) => (piece.match(/\p{L}{2,}/gu) ?? []).length >= LEAST_WORDS;
  return [...new Set(pieces.map((piece) => piece.trim()))].filter(isTelling).slice(0, MAX_MESSAGES);
}

function unique(words: string[]): string[] {
  return [...new Set(words)].slice(0, MAX_MENTIONS);
}

/** One line of a stack trace: the path as the trace writes it (absolute, or a package's), never a path of the tree. */
export interface Frame {
  path: string;
  line: number;
  /** of a link to lines on the host: the last one */
  end?: number;
  symbol: string | undefined;
}

const FRAME_PATH = String.raw`(?:[A-Za-z]:)?[\w@.+~/\\$-]{1,200}\.[A-Za-z]\w{0,7}`;

const MAX_LINE_LENGTH = 600;

const MAX_LINES = 4_000;

const MAX_FRAMES = 60;

const PYTHON = /File "([^"]{1,300})", line (\d{1,7})(?:, in ([\w<>.]+))?/;

const JAVA = /\bat ([\w$.]{1,200})\.([\w$<>]{1,100})\((\w{1,100}\.(?:java|kt|scala|groovy)):(\d{1,7})\)/;

/** A link to lines on the host: `…/blob/REF/path/file.py#L98-L102`. */
const LINK = new RegExp(
  String.raw`/blob/(?<path>${FRAME_PATH})(?:\?[\w=&]{1,40})?#L(?<line>\d{1,7})(?:C\d+)?(?:-L(?<end>\d{1,7}))?`,
  "g",
);

const FORMATS: readonly RegExp[] = [
  new RegExp(
    String.raw`\bat (?:async )?(?:(?<symbol>[\w$.<>]{1,100})(?: \[as [\w$]+\])? )?\(?(?:file://)?(?<path>${FRAME_PATH}):(?<line>\d{1,7})`,
  ),
  /(?:\bat (?<symbol>[\w.`<>+]{1,200})\(.{0,200}\))? in (?<path>.{1,300}\.\w{1,8}):line (?<line>\d{1,7})/,
  new RegExp(String.raw`#\d+ (?<path>${FRAME_PATH})\((?<line>\d{1,7})\)(?:: (?<symbol>[\w\\:>-]{1,200}))?`),
  new RegExp(String.raw`\bin (?<path>${FRAME_PATH}) on line (?<line>\d{1,7})`),
  new RegExp(
    String.raw`(?<path>${FRAME_PATH}):(?<line>\d{1,7})(?::\d{1,7})?(?::in [\`'](?<symbol>[\w:#.?! ]{1,100})')?`,
  ),
];

/**
 * The stack-trace frames of a text, innermost first, in the forms of Python, JavaScript, Java and its kin, Go, Rust,
 * Ruby, C# and PHP; a bare `path:line` counts as one. Long texts are read in part; never throws.
 */
export function extractFrames(text: string): Frame[] {
  const python: Frame[] = [];
  const others: Frame[] = [];
  for (const whole of text.split("\n", MAX_LINES)) {
    const line = whole.slice(0, MAX_LINE_LENGTH);
    const inPython = PYTHON.exec(line);
    if (inPython !== null) python.push(frame(inPython[1], inPython[2], inPython[3]));
    else others.push(...otherFrame(line));
  }
  return [...python.reverse(), ...others].slice(0, MAX_FRAMES);
}

function otherFrame(line: string): Frame[] {
  const links = [...line.matchAll(LINK)].map(({ groups = {} }) => ({
    ...frame(groups.path, groups.line),
    end: Number(groups.end ?? groups.line),
  }));
  if (links.length > 0) return links;
  const inJava = JAVA.exec(line);
  if (inJava !== null) {
    const [, type = "", method, file, number] = inJava;
    const folders = type.split(".").slice(0, -1);
    return [frame([...folders, file].join("/"), number, method)];
  }
  for (const format of FORMATS) {
    const groups = format.exec(line)?.groups;
    if (groups !== undefined) return [frame(groups.path, groups.line, groups.symbol)];
  }
  return [];
}

function frame(path = "", line = "0", symbol?: string): Frame {
  const name = symbol?.split(/[.#:>\\ ]/).findLast((part) => part !== "");
  return { path: path.replaceAll("\\", "/"), line: Number(line), symbol: name };
}
