import { posix } from "node:path";
import ignore from "ignore";
import type { Settings } from "../../model/settings.ts";
import { PROTECTED_PATHS } from "./protected-paths.ts";
import { plainName } from "./unsafe-path.ts";

/** Which files of a repository the bot leaves alone. Paths are relative to the repository's root. */
export interface PathPolicy {
  /** whether a path is neither looked at nor changed */
  ignored(path: string): boolean;
  /** the glob that protects a path from being changed; undefined when none does */
  protectedBy(path: string): string | undefined;
}

/**
 * The path policy of the settings. Globs are those of .gitignore: without a slash in front or within, at any depth; with
 * one, from the root; a folder stands for all below it. Case counts, but not in the built-in globs, since some file
 * systems do not see it. `unprotect` lifts built-in protection only, neither that of `protect` nor that of the bot's
 * own configuration.
 */
export function createPathPolicy(settings: Pick<Settings, "ignore" | "protect" | "unprotect">): PathPolicy {
  const ignored = matcherOf(settings.ignore, false);
  const lifted = matcherOf(settings.unprotect, false);
  const rules = [
    ...OWN_CONFIGURATION.map((glob) => ({ glob, fits: builtIn(glob) })),
    ...settings.protect.map((glob) => ({ glob, fits: matcherOf([glob], false) })),
    ...PROTECTED_PATHS.map((glob) => {
      const fits = builtIn(glob);
      return { glob, fits: (path: string) => fits(path) && !lifted(path) };
    }),
  ];
  return {
    ignored: (path) => ignored(fromRoot(path)),
    protectedBy: (path) => {
      const plain = fromRoot(path);
      return rules.find(({ fits }) => fits(plain))?.glob;
    },
  };
}

/** Some file systems see neither the case of letters nor what is invisible in a name. */
function builtIn(glob: string): (path: string) => boolean {
  const fits = matcherOf([glob], true);
  return (path) => fits(path) || fits(fromRoot(plainName(path).replace(/[ .]+(?=\/|$)/g, "")));
}

function matcherOf(globs: readonly string[], ignorecase: boolean): (path: string) => boolean {
  const matcher = ignore({ ignorecase, allowRelativePaths: true }).add([...globs]);
  return (path) => path !== "" && matcher.ignores(path);
}

/** A model may write `./a` or `/a//b` for a path: it must not get round a glob by it. */
function fromRoot(path: string): string {
  return posix
    .normalize(path)
    .replace(/^(?:\.{0,2}\/)+/, "")
    .replace(/^\.{1,2}$/, "");
}

/** The configuration itself: what would let the bot change its own limits cannot be lifted. */
const OWN_CONFIGURATION: readonly string[] = ["/.github/magis.yml"];
