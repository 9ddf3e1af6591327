import { createGlob, type StepBudget } from "./attribute-globs.ts";

/** The attributes of .gitattributes that say what a file is. Absent: not set. */
export interface FileAttributes {
  generated?: boolean;
  vendored?: boolean;
  documentation?: boolean;
  diff?: boolean;
  binary?: boolean;
  lfs?: boolean;
  /** git turns its line ends: the store has \n */
  text?: boolean;
}

interface Line {
  folder: string;
  fits: (path: string, budget: StepBudget) => boolean;
  attributes: FileAttributes;
}

/** What the .gitattributes files of a tree say. */
export interface TreeAttributes {
  of(path: string): FileAttributes;
  /** Why something was skipped so far, as a sentence without its full stop; undefined when nothing was. */
  unread(): string | undefined;
}

const NAMES: Readonly<Record<string, keyof FileAttributes>> = {
  "linguist-generated": "generated",
  "linguist-vendored": "vendored",
  "linguist-documentation": "documentation",
  diff: "diff",
  binary: "binary",
  text: "text",
};

/** The most characters of all .gitattributes files of a tree, and the most lines that say what files are. */
const MAX_LENGTH = 4 * 1024 * 1024;

const MAX_LINES = 20_000;

/** Comparing lines with paths: about a second. 400,000 paths and 100 lines take 40 million. */
const MAX_STEPS = 100_000_000;

/** Git skips longer lines, too. */
const MAX_LINE_LENGTH = 2048;

/**
 * Reads all .gitattributes files of a tree (path and text of each). As in git, the file nearest to the path wins, then
 * the last line that fits; patterns are those of .gitignore, without negation. Skips lines that it cannot read, and
 * what would take too long; `unread` reports the latter. Never throws.
 */
export function parseAttributes(
  files: Iterable<{ path: string; text: string }>,
  { budget = { left: MAX_STEPS }, isPart = false }: { budget?: StepBudget; isPart?: boolean } = {},
): TreeAttributes {
  const byDepth = [...files].sort((a, b) => a.path.split("/").length - b.path.split("/").length);
  const lines: Line[] = [];
  let room = MAX_LENGTH;
  let macros: Macros = new Map();
  for (const { path, text } of byDepth) {
    room -= text.length;
    if (room < 0) break;
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const written = text.split(/\r?\n/);
    if (folder === "") macros = readMacros(written);
    for (const line of written) lines.push(...readLine(line, folder, macros));
  }
  const isTooLarge = isPart || room < 0 || lines.length > MAX_LINES;
  const read = lines.slice(0, MAX_LINES);
  return {
    of(path) {
      const fitting = read.filter(
        ({ folder, fits }) => path.startsWith(folder) && fits(path.slice(folder.length), budget),
      );
      return Object.assign({}, ...fitting.map(({ attributes }) => attributes));
    },
    unread() {
      if (isTooLarge) return "the .gitattributes files are too large, and were read in part";
      return budget.left < 0 ? "the .gitattributes files take too long to compare with all paths" : undefined;
    },
  };
}

/** What each macro sets. */
type Macros = ReadonlyMap<string, FileAttributes>;

/** The macros that a tree's topmost file defines (`[attr]art filter=lfs -text`); git obeys none of other files. */
function readMacros(lines: readonly string[]): Macros {
  const words = new Map<string, string>();
  for (const line of lines) {
    const [, name, rest = ""] = /^\s*\[attr\]([\w.-]+)\s(.*)$/.exec(line.slice(0, MAX_LINE_LENGTH)) ?? [];
    if (name !== undefined) words.set(name, rest);
  }
  const macros = new Map<string, FileAttributes>();
  // One may use others, whatever their order: as many rounds as macros settle all that do not lead to themselves.
  for (let round = 0; round < Math.min(words.size, MAX_NESTED); round += 1)
    for (const [name, rest] of words) macros.set(name, readWords(rest, macros));
  return macros;
}

/** Macros within macros. */
const MAX_NESTED = 5;

function readLine(line: string, folder: string, macros: Macros): Line[] {
  if (line.length > MAX_LINE_LENGTH) return [];
  const [, quoted, plain, rest = ""] = /^\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))\s(.*)$/.exec(line) ?? [];
  const pattern = quoted?.replace(/\\(.)/g, "$1") ?? plain;
  if (pattern === undefined || /^(?:[#!]|\[attr\])/.test(pattern) || pattern.endsWith("/")) return [];
  const attributes = readWords(rest, macros);
  if (Object.keys(attributes).length === 0) return [];
  return [{ folder, fits: createGlob(pattern), attributes }];
}

/** What the words after a pattern, or after a macro's name, say. */
function readWords(words: string, macros: Macros): FileAttributes {
  const attributes: { -readonly [Name in keyof FileAttributes]: boolean } = {};
  for (const word of words.split(/\s+/)) {
    const [, sign, name = "", value] = /^([-!]?)([\w.-]+)(?:=(.*))?$/.exec(word) ?? [];
    if (sign === "" && value === undefined) Object.assign(attributes, macros.get(name));
    if (name === "filter") attributes.lfs = value === "lfs" && sign === "";
    const attribute = NAMES[name];
    if (attribute !== undefined && sign !== "!") attributes[attribute] = sign === "" && value !== "false";
  }
  return attributes;
}

/** Reads the .gitattributes files of a tree. `readBlob`'s errors pass through. */
export async function readAttributes(
  entries: Iterable<TreeFile>,
  readBlob: (blob: string) => Promise<Uint8Array>,
): Promise<TreeAttributes> {
  const files: { path: string; text: string }[] = [];
  let isPart = false;
  for (const { path, blob, mode, size = Number.POSITIVE_INFINITY } of entries) {
    if (!/(?:^|\/)\.gitattributes$/.test(path) || !mode.startsWith("100")) continue;
    if (size > MAX_LENGTH) isPart = true;
    else files.push({ path, text: new TextDecoder().decode(await readBlob(blob)) });
  }
  return parseAttributes(files, { isPart });
}

/** A file as a tree names it. */
export interface TreeFile {
  path: string;
  blob: string;
  mode: string;
  /** bytes; absent where the blob was left out of the clone */
  size?: number;
}
