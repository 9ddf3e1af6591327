import { readList } from "../data/own-files.ts";

/** What a group of `lists/file-groups.txt` says of the files that it fits. */
export interface PathRule {
  kind: FileGroup | LeftOutKind;
  /** in words, for the record of the run */
  reason: string;
  /** Whether a path fits: in lower case, but for `CAPITAL_TEST`. */
  fits: (path: string) => boolean;
}

const HEADING = /^\[(?<kind>[\w -]+)(?:: (?<reason>.+))?\]$/;

function readRules(lines: readonly string[]): readonly PathRule[] {
  const starts = lines.flatMap((line, at) => (HEADING.test(line) ? [at] : []));
  return starts.map((start, at) => {
    const { kind = "", reason = "" } = HEADING.exec(lines[start] as string)?.groups ?? {};
    const own = lines.slice(start + 1, starts[at + 1]);
    const globs = reason === CAPITALS ? own : own.map((line) => line.toLowerCase());
    const pattern = anyGlob(globs.filter((glob) => !glob.startsWith("!")));
    const excepted = anyGlob(globs.flatMap((glob) => (glob.startsWith("!") ? [glob.slice(1)] : [])));
    return { kind: kind as PathRule["kind"], reason, fits: (path) => pattern.test(path) && !excepted.test(path) };
  });
}

/** One pattern for several globs: trees have tens of thousands of paths. Without any, nothing fits. */
export const anyGlob = (globs: readonly string[]): RegExp => new RegExp(globs.map(sourceOf).join("|") || "(?!)");

/**
 * The regular expression of a line of .gitignore, in which `{a,b}` stands for either; `.*` behind a name is any one
 * extension.
 */
function sourceOf(glob: string): string {
  const path = glob.replace(/^\/|\/$/g, "");
  const isAnchored = glob.startsWith("/") || (path.includes("/") && !path.startsWith("**/"));
  const body = path.replace(/^\*\*\//, "").replace(SIGN, (sign) => SIGNS[sign] ?? literal(sign));
  return `${isAnchored ? "^" : "(?:^|/)"}${body}${glob.endsWith("/") ? "/" : "$"}`;
}

const SIGN = /\*\*\/|(?<=.)\.\*$|\*|\[[^[\]]*\]|[^\w/]/g;

const SIGNS: Readonly<Record<string, string>> = {
  "**/": "(?:.*/)?",
  ".*": "\\.\\w+",
  "*": "[^/]*",
  "{": "(?:",
  ",": "|",
  "}": ")",
};

const literal = (sign: string): string => (sign.startsWith("[") ? sign : `\\${sign}`);

/** The reasons for a test that its name shows, and for one whose name shows it by its capitals. */
export const NAMED = "a test by its name";

const CAPITALS = "capitals";

const RULES = readRules(readList("file-groups"));

const rulesOf = (kind: string) => RULES.filter((rule) => rule.kind === kind);

const anyOf = (rules: readonly PathRule[]) => (path: string) => rules.some(({ fits }) => fits(path));

/** Names that say "test" in languages with capitalised names; the only rule for paths as they are written. */
export const isCapitalTest = anyOf(rulesOf("test").filter(({ reason }) => reason === CAPITALS));

/** Whether a lower-case path is about tests but not a test: a library for tests, say, or a command that runs them. */
export const isAboutTests = anyOf(rulesOf("about tests" as FileGroup));

const LEFT_OUT: readonly string[] = ["vendored", "lock", "minified", "generated", "binary"];

/** What is left out of ranking. */
export const LEFT_OUT_RULES = RULES.filter(({ kind }) => LEFT_OUT.includes(kind));

/** The group in which the rest is ranked. */
export const GROUP_RULES = RULES.filter(
  ({ kind, reason }) => !LEFT_OUT.includes(kind) && reason !== "" && reason !== CAPITALS,
);

const [program, embedded] = rulesOf("source") as [PathRule, PathRule];

/** Source code, and what is written by hand to be built into programs. */
export const isCode = anyOf([program, embedded]);

const isTestLanguage = anyOf(rulesOf("test").filter(({ reason }) => reason === "a test by its language"));

/** Whether a file in a test folder, by its lower-case path, is a test itself rather than its material. */
export const isTestCode = (path: string): boolean => isTestLanguage(path) || program.fits(path);

/** Groups of files that are ranked. */
export type FileGroup =
  | "source"
  | "test"
  | "fixture"
  | "example"
  | "documentation"
  | "locale"
  | "config"
  | "data"
  | "other";

/** Kinds of files that are neither ranked nor edited by accident. */
export type LeftOutKind =
  | "generated"
  | "vendored"
  | "lock"
  | "minified"
  | "binary"
  | "oversized"
  | "lfs-pointer"
  | "submodule"
  | "symlink";

/** What a file is, and why we think so. */
export interface FileClass {
  kind: FileGroup | LeftOutKind;
  /** in words, for the record of the run */
  reason: string;
  /** the group it is ranked in; null when it is left out */
  group: FileGroup | null;
  editable: boolean;
}

/** Plain names for kinds whose own name is technical. */
const KINDS_IN_WORDS: Readonly<Partial<Record<FileClass["kind"], string>>> = {
  lock: "lock files",
  symlink: "symbolic links",
  submodule: "submodules",
  oversized: "too large",
  "lfs-pointer": "in Git LFS",
};

/** A kind of file in plain words. */
export const kindInWords = (kind: FileClass["kind"]): string => KINDS_IN_WORDS[kind] ?? kind;
