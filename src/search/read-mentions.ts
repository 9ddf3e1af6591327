import { readList } from "../data/own-files.ts";
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

const MAX_LINE_LENGTH = 600;

const MAX_LINES = 4_000;

const MAX_FRAMES = 60;

/** What stands in `lists/stack-traces.txt` for a part of a line. */
const PARTS: Readonly<Record<string, string>> = {
  PATH: String.raw`(?<path>(?:[A-Za-z]:)?[\w@.+~/\\$-]{1,200}\.[A-Za-z]\w{0,7})`,
  LINE: String.raw`(?<line>\d{1,7})`,
  END: String.raw`(?<end>\d{1,7})`,
};

const FORMATS = readList("stack-traces").map((line) => {
  const [, kind = "", written = ""] = /^(\w+): (.*)$/.exec(line) ?? [];
  return {
    kind,
    pattern: new RegExp(
      written.replace(/PATH|LINE|END/g, (part) => PARTS[part] as string),
      "g",
    ),
  };
});

/**
 * The stack-trace frames of a text, innermost first, in the forms of `lists/stack-traces.txt`; a bare `path:line` counts
 * as one. Long texts are read in part; never throws.
 */
export function extractFrames(text: string): Frame[] {
  const found = text.split("\n", MAX_LINES).flatMap((line) => framesOf(line.slice(0, MAX_LINE_LENGTH)));
  const last = found.filter(({ kind }) => kind === "last").reverse();
  return [...last, ...found.filter(({ kind }) => kind !== "last")].map(({ frame }) => frame).slice(0, MAX_FRAMES);
}

/** The frames in a line, with the kind of its form. */
function framesOf(line: string) {
  for (const { kind, pattern } of FORMATS) {
    const found = [...line.matchAll(pattern)].map(({ groups = {} }) => ({ kind, frame: frameOf(groups, kind) }));
    if (found.length > 0) return found;
  }
  return [];
}

function frameOf({ path = "", line, end, symbol, type }: RegExpGroups, kind: string): Frame {
  const folders = type?.split(".").slice(0, -1) ?? [];
  return {
    path: [...folders, path.replaceAll("\\", "/")].join("/"),
    line: Number(line),
    end: kind === "link" ? Number(end ?? line) : undefined,
    symbol: symbol?.split(/[.#:>\\ ]/).findLast((part) => part !== ""),
  };
}

type RegExpGroups = Readonly<Record<string, string | undefined>>;
