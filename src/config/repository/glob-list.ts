import { listOf } from "./list-of.ts";
import { textMatching } from "./text-matching.ts";

/**
 * A pattern of .gitignore that stands for the same wherever it is in the list: no negation, no comment, nothing that
 * would silently match no path. More than three `**` in one pattern could take seconds on a long path.
 */
const GLOB =
  /^(?![!#\s]|\.{1,2}\/|.*\s$|.*\/\.{1,2}\/|(?:.*?\*\*){4})(?:[^[\]\\\p{Cc}]|\\[^\p{Cc}]|\[[^[\]\\\p{Cc}]+\]){1,200}$/u;

/** A list of globs, in the form of .gitignore. */
export function globList() {
  const glob = textMatching(
    "must be a glob as in .gitignore, in quotes when it begins with a star: no `!` or `#` in front, no `./` or `../`, " +
      "brackets closed, at most three `**` and 200 characters.",
    GLOB,
  );
  return listOf(glob, "must be a list of at most 100 globs, each on a line of its own after a dash.");
}
