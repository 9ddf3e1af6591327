import type { Ignore } from "ignore";
import ignore from "ignore";

/** The attributes of .gitattributes that say what a file is. Absent: nothing said. */
export interface FileAttributes {
  readonly generated?: boolean;
  readonly vendored?: boolean;
  readonly documentation?: boolean;
  readonly diff?: boolean;
  readonly binary?: boolean;
  readonly lfs?: boolean;
}

interface Line {
  readonly folder: string;
  readonly fits: (path: string) => boolean;
  readonly attributes: FileAttributes;
}

const NAMES: Readonly<Record<string, keyof FileAttributes>> = {
  "linguist-generated": "generated",
  "linguist-vendored": "vendored",
  "linguist-documentation": "documentation",
  diff: "diff",
  binary: "binary",
};

/**
 * Reads all .gitattributes files of a tree (path and text of each) and gives a function from path to attributes.
 * As in git, the file nearest to the path wins, then the last line that fits; patterns are those of .gitignore, without
 * negation. Lines that cannot be read are passed over; never throws.
 */
export function parseAttributes(
  files: Iterable<{ readonly path: string; readonly text: string }>,
): (path: string) => FileAttributes {
  const byDepth = [...files].sort((a, b) => a.path.split("/").length - b.path.split("/").length);
  const lines = byDepth.flatMap(({ path, text }) => {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    return text.split(/\r?\n/).flatMap((line) => readLine(line, folder));
  });
  return (path) => {
    const fitting = lines.filter(({ folder, fits }) => path.startsWith(folder) && fits(path.slice(folder.length)));
    return Object.assign({}, ...fitting.map(({ attributes }) => attributes));
  };
}

function readLine(line: string, folder: string): Line[] {
  const [, quoted, plain, rest = ""] = /^\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))\s+(.*)$/.exec(line) ?? [];
  const pattern = quoted?.replace(/\\(.)/g, "$1") ?? plain;
  if (pattern === undefined || /^[#![]/.test(pattern) || pattern.endsWith("/")) return [];
  const attributes: { -readonly [Name in keyof FileAttributes]: boolean } = {};
  for (const word of rest.split(/\s+/)) {
    const [, sign, name = "", value] = /^([-!]?)([\w.-]+)(?:=(.*))?$/.exec(word) ?? [];
    if (name === "filter") attributes.lfs = value === "lfs" && sign === "";
    const attribute = NAMES[name];
    if (attribute !== undefined && sign !== "!") attributes[attribute] = sign === "" && value !== "false";
  }
  if (Object.keys(attributes).length === 0) return [];
  return [{ folder, fits: matcherOf(pattern), attributes }];
}

/**
 * Unlike in .gitignore, a pattern that fits a folder says nothing of the files below it, unless it ends in two stars.
 * Suffixes (`*.png`), by far the most common, are compared without the machinery.
 */
function matcherOf(pattern: string): (path: string) => boolean {
  const suffix = /^\*(\.[\w.-]+)$/.exec(pattern)?.[1];
  if (suffix !== undefined) return (path) => path.endsWith(suffix);
  const matcher: Ignore = ignore({ ignorecase: false }).add(pattern.replace(/\/\*\*\/\*$/, "/**"));
  if (!pattern.includes("/")) return (path) => matcher.ignores(path.slice(path.lastIndexOf("/") + 1));
  if (/\/\*\*(?:\/\*)?$/.test(pattern)) return (path) => matcher.ignores(path);
  return (path) => {
    if (!matcher.ignores(path)) return false;
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    return folder === "" || !matcher.ignores(folder);
  };
}

/** Reads every .gitattributes file of a tree; gives what they say of a path. `readBlob`'s errors pass through. */
export async function readAttributes(
  entries: Iterable<TreeFile>,
  readBlob: (blob: string) => Promise<Uint8Array>,
): Promise<(path: string) => FileAttributes> {
  const files: { path: string; text: string }[] = [];
  for (const { path, blob, mode } of entries)
    if (/(?:^|\/)\.gitattributes$/.test(path) && mode.startsWith("100"))
      files.push({ path, text: new TextDecoder().decode(await readBlob(blob)) });
  return parseAttributes(files);
}

/** A file as a tree names it. */
export interface TreeFile {
  readonly path: string;
  readonly blob: string;
  readonly mode: string;
  readonly size?: number;
}
