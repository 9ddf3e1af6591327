import { textMatching } from "./kinds.ts";

/**
 * A .gitignore pattern that means the same anywhere in the list: no negation, no comment, nothing that silently matches
 * no path. More than three `**` could take seconds on a long path.
 */
export const GLOB = textMatching(
  "must be a glob as in .gitignore, in quotes when it begins with a star: no `!` or `#` in front, no `./` or `../`, " +
    "brackets closed, at most three `**` and 200 characters.",
  /^(?![!#\s]|\.{1,2}\/|.*\s$|.*\/\.{1,2}\/|(?:.*?\*\*){4})(?:[^[\]\\\p{Cc}]|\\[^\p{Cc}]|\[[^[\]\\\p{Cc}]+\]){1,200}$/u,
);

/** Follows git-check-ref-format, and excludes `magis/`, where the bot's own branches are. */
export const BRANCH_NAME = textMatching(
  "must be the name of a branch, without `refs/heads/`, and none of the bot's own below `magis/`.",
  /^(?!-|\/|refs\/|magis\/|.*(?:\/\/|\.\.|@\{|\/\.|\.lock(?:\/|$)|[/.]$))[^\p{Cc}\s~^:?*[\\.][^\p{Cc}\s~^:?*[\\]{0,199}$/u,
);

/** No digit right before `{issue}`, and a separator right after it, so that 1 is not taken for 12. */
export const BRANCH_TEMPLATE = textMatching(
  "must be a template such as `magis/issue-{issue}-{slug}`: it begins with `magis/`, holds `{issue}` once and behind " +
    "it `-`, `_` or `/` and more, perhaps `{slug}`; else only letters, digits, `-`, `_` and `/`.",
  /^(?=.{1,80}$)magis\/(?:[\w-]+\/)*(?:[\w-]*[A-Za-z_-])?\{issue\}(?!\/\/)[-_/](?:[\w-]|\{slug\}|\/(?!\/|$))+$/,
);

export const COMMIT_TEMPLATE = textMatching(
  "must be one line such as `{type}: {title}`: it holds `{title}` once, perhaps `{type}` and `{issue}`, no other " +
    "braces, and at most 60 characters.",
  /^(?=.{1,60}$)(?!\s|.*\s$)(?=.*\{title\})(?!.*\{title\}.*\{title\})(?:[^{}\p{Cc}]|\{(?:type|title|issue)\})+$/u,
);

/** A file of the owner's `.github` repository, in the form that `_extends` takes. */
export const EXTENDED_FILE = textMatching(
  "must be `.github`, `owner/.github` or either with `:path/to/file.yml`; only the owner's own `.github` " +
    "repository can be named.",
  /^(?:[A-Za-z\d][\w-]{0,63}\/)?\.github(?::(?!\/|.*\.\.|.*\/\/)[\w./ -]{1,200}\.ya?ml)?$/,
);

export const EXTENDED_FILE_SENTENCE =
  "A file of the owner's `.github` repository whose values hold where this file says nothing.";
