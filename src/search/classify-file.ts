import { readList } from "../data/own-files.ts";
import { whyNotText } from "../text/found-text.ts";
import type { FileAttributes } from "./attributes.ts";
import {
  type FileClass,
  type FileGroup,
  GROUP_RULES,
  isAboutTests,
  isCapitalTest,
  isTestCode,
  LEFT_OUT_RULES,
  type LeftOutKind,
  NAMED,
  type PathRule,
} from "./path-rules.ts";

/** The group of a file by its path alone; null if the file is left out. */
export const groupOf = (path: string): FileGroup | null => classifyFile({ path, mode: "100644", size: 1 }).group;

export const isTestPath = (path: string): boolean => groupOf(path) === "test";

/** Larger text files are left out; bytes. */
const MAX_TEXT = 16 * 1024 * 1024;

/** Larger data files are left out: nobody writes so much data by hand. */
const MAX_DATA = 512 * 1024;

const DATA: ReadonlySet<FileGroup | null> = new Set(["data", "fixture", "locale", "other"]);

export interface FileToClassify {
  path: string;
  mode: string;
  /** bytes; absent when the blob is not there */
  size?: number | undefined;
  /** the first bytes (8 kB are enough); absent: judged by the path alone */
  head?: Uint8Array | undefined;
  attributes?: FileAttributes;
  largest?: number;
}

/**
 * What a file is, with the reason in words: its group for ranking, or why it is not ranked (nor edited by accident).
 * Asks the most trusted source first: the tree, .gitattributes, the name, the content.
 */
export function classifyFile(file: FileToClassify): FileClass {
  const path = file.path.toLowerCase();
  const leftOut = byTree(file) ?? byAttributes(file.attributes ?? {}) ?? byName(file, path) ?? byHead(file);
  if (leftOut) return leftOut;
  const found = grouped(file, path);
  return DATA.has(found.group) ? (tooLarge(file.size, MAX_DATA) ?? found) : found;
}

function leftOut(kind: LeftOutKind, reason: string): FileClass {
  return { kind, reason, group: null, editable: false };
}

function inGroup(group: FileGroup, reason: string): FileClass {
  return { kind: group, reason, group, editable: true };
}

function byTree({ mode, size, largest = MAX_TEXT }: FileToClassify): FileClass | null {
  if (mode === "160000") return leftOut("submodule", "another repository's commit");
  if (mode === "120000") return leftOut("symlink", "a symbolic link");
  return tooLarge(size, largest);
}

function tooLarge(size: number | undefined, most: number): FileClass | null {
  if (size === undefined || size <= most) return null;
  if (size === Number.POSITIVE_INFINITY) return leftOut("oversized", "too large to be fetched");
  return leftOut("oversized", `${Math.ceil(size / 1024)} KiB, more than ${Math.floor(most / 1024)} KiB`);
}

function byAttributes({ generated, vendored, binary, diff, lfs }: FileAttributes): FileClass | null {
  if (lfs) return leftOut("lfs-pointer", "kept in Git LFS, says .gitattributes");
  if (binary) return leftOut("binary", "binary, says .gitattributes");
  if (generated) return leftOut("generated", "generated, says .gitattributes");
  if (vendored) return leftOut("vendored", "vendored, says .gitattributes");
  return diff === false ? leftOut("generated", "without a diff, says .gitattributes") : null;
}

/** A name's verdict gives way to an attribute that says the opposite (`-linguist-vendored`). */
function byName({ attributes = {} }: FileToClassify, path: string): FileClass | null {
  const rule = LEFT_OUT_RULES.find(({ fits }) => fits(path));
  if (rule === undefined) return null;
  const denied =
    (rule.kind === "vendored" && attributes.vendored === false) ||
    (rule.kind === "binary" && (attributes.binary === false || attributes.diff === true)) ||
    (rule.kind !== "vendored" && attributes.generated === false);
  return denied ? null : leftOut(rule.kind as LeftOutKind, rule.reason);
}

function byHead({ head, attributes = {} }: FileToClassify): FileClass | null {
  const content = head === undefined ? null : classifyContent(head);
  if (content === null || (content.kind === "generated" && attributes.generated === false)) return null;
  return leftOut(content.kind, content.reason);
}

function grouped({ path: written, attributes = {} }: FileToClassify, path: string): FileClass {
  if (attributes.documentation) return inGroup("documentation", "documentation, says .gitattributes");
  // Computed only for what would otherwise be a test: most files are not.
  let known: boolean | undefined;
  const about = () => {
    known ??= isAboutTests(path);
    return known;
  };
  const applies = ({ kind, reason, fits }: PathRule) => {
    if (kind === "documentation" && attributes.documentation === false) return false;
    if (!fits(path)) return false;
    // A name alone does not make a test of a file that is not a program: `openapi.spec.json` is data.
    return kind !== "test" || !((reason === NAMED && !isTestCode(path)) || about());
  };
  const rule = GROUP_RULES.find(applies);
  const capital = /Test|Spec|Suite|IT|test[A-Z]/.test(written) && rule?.kind !== "fixture" && isCapitalTest(written);
  if (capital && !about()) return inGroup("test", NAMED);
  if (rule === undefined) return inGroup("other", "nothing in its name says what it is");
  if (rule.kind === "test" && !isTestCode(path)) return inGroup("fixture", "beside tests, and not a program");
  return inGroup(rule.kind as FileGroup, rule.reason);
}

const HEAD = 8_000;

const HEADER_LINES = 15;

const HEADER = 1_500;

const NEWLINE = 10;

const LFS = "version https://git-lfs.github.com/spec/";

/** What generators write at the top of a file. */
const GENERATED = new RegExp(readList("generated-headers").join("|").replaceAll("…", ".{0,200}?"), "is");

/** What the first bytes of a file reveal. */
export interface ContentClass {
  kind: LeftOutKind & ("binary" | "generated" | "lfs-pointer" | "minified");
  reason: string;
}

/**
 * Looks at the beginning of a file (8 kB are enough); null for what seems to be written by hand. Only the first 15
 * lines can say "generated": further down, a program may be writing such a header itself.
 */
export function classifyContent(bytes: Uint8Array): ContentClass | null {
  const notText = whyNotText(bytes.subarray(0, HEAD));
  if (notText !== undefined) return { kind: "binary", reason: notText };
  const header = headerOf(bytes);
  if (header.startsWith(LFS)) return { kind: "lfs-pointer", reason: "a Git LFS pointer" };
  if (GENERATED.test(header)) return { kind: "generated", reason: "its header says it is generated" };
  return isMinified(bytes) ? { kind: "minified", reason: "a few very long lines of program text" } : null;
}

/** The first lines if they may be a telling header (`git-lfs`, `generated`), else "": most files cost no string. */
function headerOf(bytes: Uint8Array): string {
  let lines = 0;
  let telling = false;
  let end = 0;
  for (; end < bytes.length && end < HEADER && lines < HEADER_LINES; end++) {
    const byte = (bytes[end] as number) | 32;
    if (bytes[end] === NEWLINE) lines++;
    else if (byte === 103 && ((bytes[end + 1] as number) | 32) === 101)
      telling ||= ((bytes[end + 2] as number) | 32) === 110;
    else if (byte === 108 && bytes[end + 1] === 102) telling ||= bytes[end + 2] === 115;
  }
  return telling ? latin1(bytes.subarray(0, end)) : "";
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode.apply(null, bytes as unknown as number[]);
}

/** Long lines of dense code. Prose and data have long lines too, so braces and semicolons are required. */
function isMinified(bytes: Uint8Array): boolean {
  const size = Math.min(bytes.length, HEAD);
  if (size < 2_000) return false;
  let lines = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0 && end < size; end = bytes.indexOf(NEWLINE, end + 1))
    if (++lines > size / 500) return false;
  const text = latin1(bytes.subarray(0, size));
  const dense = (text.match(/[;{},()]/g) ?? []).length / size;
  const blanks = (text.match(/ /g) ?? []).length / size;
  return dense > 0.06 && blanks < 0.08 && /function|=>|\{[\w-]+:/.test(text);
}
