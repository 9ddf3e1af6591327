import { posix } from "node:path";
import ignore from "ignore";
import { readList } from "../data/own-files.ts";
import type { Settings } from "../data/settings.ts";

/** Which files of a repository the bot leaves alone. Paths are relative to the repository's root. */
export interface PathPolicy {
  /** whether the bot neither reads nor changes a path */
  ignored(path: string): boolean;
  /** the glob that protects a path from changes; undefined if none does */
  protectedBy(path: string): string | undefined;
  /** whether the only files that may change do not include a path */
  outside(path: string): boolean;
}

/**
 * The path policy of the settings. Globs are those of .gitignore: without a slash at the start or inside, at any depth;
 * with one, from the root; a folder includes everything below. Case matters, except in built-in globs, because some
 * file systems ignore it; the normal form of Unicode does not. `unprotect` lifts built-in protection only, not
 * `protect` and not that of the bot's own configuration.
 */
export function createPathPolicy({
  ignore: left = [],
  protect = [],
  unprotect = [],
  only = [],
  alsoOnly = [],
}: Partial<Settings>): PathPolicy {
  const ignored = matcherOf(left, "as written");
  const lifted = matcherOf(unprotect, "as written");
  const always = OWN_CONFIGURATION.map((glob) => ({ glob, fits: builtIn([glob]) }));
  const limits = [only, alsoOnly].filter((globs) => globs.length > 0);
  const meant = limits.map((globs) => matcherOf(globs, "as written"));
  const rules = [...always, ...protect.map((glob) => ({ glob, fits: matcherOf([glob], "as written") }))];
  const builtInGlob = createBuiltInProtection();
  return {
    ignored: (path) => ignored(fromRoot(path)),
    outside: (path) => !meant.every((fits) => fits(fromRoot(path))),
    protectedBy: (path) => {
      const plain = fromRoot(path);
      return rules.find(({ fits }) => fits(plain))?.glob ?? (lifted(plain) ? undefined : builtInGlob(plain));
    },
  };
}

/**
 * The built-in glob that fits a path. Nearly all paths fit none: one matcher of all globs finds that out, and one for
 * each names the glob.
 */
function createBuiltInProtection(): (path: string) => string | undefined {
  const any = builtIn(readList("protected-files"));
  let each: readonly { glob: string; fits(path: string): boolean }[] | undefined;
  return (path) => {
    if (!any(path)) return undefined;
    each ??= readList("protected-files").map((glob) => ({ glob, fits: builtIn([glob]) }));
    return each.find(({ fits }) => fits(path))?.glob;
  };
}

/** Some file systems ignore case, and characters that cannot be seen. */
function builtIn(globs: readonly string[]): (path: string) => boolean {
  const fits = matcherOf(globs, "any");
  return (path) => fits(path) || fits(fromRoot(plainName(path).replace(/(?<![ .])[ .]+(?=\/|$)/g, "")));
}

function matcherOf(globs: readonly string[], letters: "as written" | "any"): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const matcher = ignore({ ignorecase: letters === "any", allowRelativePaths: true }).add(
    globs.map((glob) => glob.normalize("NFC")),
  );
  return (path) => path !== "" && matcher.ignores(path);
}

/** A model may write `./a` or `/a//b`, which must not bypass a glob. */
function fromRoot(path: string): string {
  return posix
    .normalize(path.normalize("NFC"))
    .replace(/^(?:\.{0,2}\/)+/, "")
    .replace(/^\.{1,2}$/, "");
}

/** The configuration itself. Its protection cannot be lifted, since the bot could then change its own limits. */
const OWN_CONFIGURATION: readonly string[] = ["/.github/magis.yml"];

/** Characters that are invisible or reverse the order of letters: a name with them looks like another. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

/** Read as `.git` by a file system: with trailing dots and spaces, as a stream, or by its short name (NTFS). */
const GIT = /^(?:\.git[ .]*(?::.*)?|git~\d+[ .]*(?::.*)?)$/i;

const MAX_NAME = 255;

const MAX_PATH = 4_000;

/**
 * Why git would refuse a path, or why it leads out of the work tree, in words; undefined if neither. Names are taken as
 * file systems see them, which ignore some characters and case.
 */
export function faultOfPath(path: string): string | undefined {
  const outside = "this is not a path inside the repository";
  if (path.includes("\uFFFD")) return "its name is not in UTF-8, so that it cannot be written back safely";
  if (path === "" || path.length > MAX_PATH || /\\|[\p{Cc}\p{Cs}]/u.test(path)) return outside;
  for (const part of path.split("/")) {
    const plain = plainName(part);
    if (/^\.{0,2}$/.test(part) || /^\.{0,2}$/.test(plain) || GIT.test(plain)) return outside;
  }
  return undefined;
}

const INVISIBLES = new RegExp(INVISIBLE, "gu");

/** A path as a file system may read it: without ignored characters, in the letters it maps them to. */
const plainName = (path: string): string => path.replace(INVISIBLES, "").normalize("NFKC");

/** One key for all paths that some file system takes for the same. */
export const sameName = (path: string): string =>
  /^[ -~]*$/.test(path) ? path.toLowerCase() : plainName(path).toUpperCase().toLowerCase();

const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])[ ]*(?:\.|$)/i;

const SHORT = /^[^.~]{1,6}~\d{1,4}(?:\.[^.]{0,3})?$/;

/** Why a new file should not have this name: some file system would refuse it or mistake it for another. */
export function faultOfNewName(path: string): string | undefined {
  for (const part of path.split("/")) {
    if (INVISIBLE.test(part)) return "its name has characters that nobody sees";
    if (/[<>:"|?*]/.test(part)) return "its name has characters that some file systems refuse";
    if (/^\s|[\s.]$/.test(part)) return "a name must not begin with a space, nor end with a space or a dot";
    if (RESERVED.test(part)) return "this name is reserved on Windows";
    if (SHORT.test(part)) return "on Windows this may be the short name of another file";
    if (Buffer.byteLength(part) > MAX_NAME) return "its name is too long";
  }
  return undefined;
}
