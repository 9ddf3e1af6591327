import { z } from "zod";

/**
 * A pattern of .gitignore that stands for the same wherever it is in the list: no negation, no comment, nothing that
 * would silently match no path. More than three `**` in one pattern could take seconds on a long path.
 */
const GLOB =
  /^(?![!#\s]|\.{1,2}\/|.*\s$|.*\/\.{1,2}\/|(?:.*?\*\*){4})(?:[^[\]\\\p{Cc}]|\\[^\p{Cc}]|\[[^[\]\\\p{Cc}]+\]){1,200}$/u;

/** A list of globs, in the form of .gitignore. */
function globList() {
  const glob = textMatching(
    "must be a glob as in .gitignore, in quotes when it begins with a star: no `!` or `#` in front, no `./` or `../`, " +
      "brackets closed, at most three `**` and 200 characters.",
    GLOB,
  );
  return listOf(glob, "must be a list of at most 100 globs, each on a line of its own after a dash.");
}

const MAX_LENGTH = 100;

/** A list of at most 100 items. */
function listOf<Item extends z.core.SomeType>(item: Item, rule: string) {
  return z.array(item, { error: rule }).max(MAX_LENGTH, { error: rule });
}

const truth = () => z.boolean({ error: "must be true or false." });

const oneOf = <const Word extends string>(...words: readonly [Word, ...Word[]]) =>
  z.enum(words, { error: `must be one of ${words.map((word) => `\`${word}\``).join(", ")}.` });

const effort = () => oneOf("low", "medium", "high", "xhigh", "max").optional();

const modelName = () => textMatching("must be the name of a model, one word.", /^[\w.:@/-]{1,100}$/).optional();

/** After git-check-ref-format; nothing below `magis/`, which is where the bot's own branches are. */
const branch = textMatching(
  "must be the name of a branch, without `refs/heads/`, and none of the bot's own below `magis/`.",
  /^(?!-|\/|refs\/|magis\/|.*(?:\/\/|\.\.|@\{|\/\.|\.lock(?:\/|$)|[/.]$))[^\p{Cc}\s~^:?*[\\.][^\p{Cc}\s~^:?*[\\]{0,199}$/u,
);

/** What stands before `{issue}` ends in no digit, and something stands after it, so that 1 is not taken for 12. */
const branchTemplate = textMatching(
  "must be a template such as `magis/issue-{issue}-{slug}`: it begins with `magis/`, holds `{issue}` once and behind " +
    "it `-`, `_` or `/` and more, perhaps `{slug}`; else only letters, digits, `-`, `_` and `/`.",
  /^(?=.{1,80}$)magis\/(?:[\w-]+\/)*(?:[\w-]*[A-Za-z_-])?\{issue\}(?!\/\/)[-_/](?:[\w-]|\{slug\}|\/(?!\/|$))+$/,
);

const commitTemplate = textMatching(
  "must be one line such as `{type}: {title}`: it holds `{title}` once, perhaps `{type}` and `{issue}`, no other " +
    "braces, and at most 60 characters.",
  /^(?=.{1,60}$)(?!\s|.*\s$)(?=.*\{title\})(?!.*\{title\}.*\{title\})(?:[^{}\p{Cc}]|\{(?:type|title|issue)\})+$/u,
);

const models = mapping({
  fast: modelName().describe("The model that locates files; one of those the operator allows."),
  strong: modelName().describe("The model that plans, writes and reviews; one of those the operator allows."),
});

const efforts = mapping({
  fast: effort().describe("Effort of the fast model: `low`, `medium`, `high`, `xhigh` or `max`."),
  strong: effort().describe("Effort of the strong model: `low`, `medium`, `high`, `xhigh` or `max`."),
});

const budget = mapping({
  money: positiveNumber("US dollars").optional().describe("US dollars one run may cost; not above the operator's."),
  tokens: wholeNumber(1, 1_000_000_000).optional().describe("Tokens one run may use; not above the operator's."),
  minutes: positiveNumber("minutes").optional().describe("Minutes one run may work; not above the operator's."),
});

const login = /^[A-Za-z\d][\w-]{0,63}(?:\[bot\])?$/;

/**
 * Every key of `.github/magis.yml`: its shape, its default and one sentence about it. This is the one list: the type,
 * the JSON schema for editors and the table of `docs/configuration.md` come of it. A key without a default that the
 * operator's environment has too takes the operator's value. Messages follow on the key's name.
 */
export const settingsSchema = mapping({
  _extends: textMatching(
    "must be `.github`, `owner/.github` or either with `:path/to/file.yml`; only the owner's own `.github` " +
      "repository can be named.",
    /^(?:[A-Za-z\d][\w-]{0,63}\/)?\.github(?::(?!\/|.*\.\.|.*\/\/)[\w./ -]{1,200}\.ya?ml)?$/,
  )
    .optional()
    .describe("A file of the owner's `.github` repository whose values hold where this file says nothing."),
  label: textMatching(
    "must be a label of 1 to 50 characters without a comma, in quotes when it looks like a number.",
    /^(?!\s|.*\s$)[^,\p{Cc}]{1,50}$/u,
  )
    .optional()
    .describe("The label that starts the bot on an issue."),
  "base-branch": branch.optional().describe("The branch that changes start from and pull requests go to."),
  draft: truth().optional().describe("Whether pull requests are opened as drafts."),
  approval: oneOf("none", "required")
    .default("none")
    .describe("`required`: nothing is written to the repository before a person approves the plan."),
  models: models.default({}).describe("The models, by tier."),
  effort: efforts.default({}).describe("How hard the models think, by tier."),
  candidates: wholeNumber(1, 100).optional().describe("Candidate files the Custodian hands on (k)."),
  "review-rounds": wholeNumber(1, 10).optional().describe("Rounds of review a task may take (n_max)."),
  budget: budget.default({}).describe("The most that one run may use."),
  ignore: globList().default([]).describe("Globs of files that are neither looked at nor changed."),
  protect: globList().default([]).describe("Globs of files that are not changed, beside the built-in ones."),
  unprotect: globList().default([]).describe("Globs of files that the built-in protection leaves free."),
  branch: branchTemplate
    .default("magis/issue-{issue}-{slug}")
    .describe("The name of the bot's branches, with `{issue}` and `{slug}` (words of the issue's title)."),
  commit: commitTemplate
    .default("{type}: {title}")
    .describe("The first line of commits, with `{type}` (`fix`, `feat`, …), `{title}` and `{issue}`."),
  "sign-off": truth().default(false).describe("Whether commits carry a `Signed-off-by` line of the bot."),
  "allowed-bots": listOf(
    textMatching("must be the login of a bot, such as `renovate[bot]`.", login),
    "must be a list of at most 100 logins, each on a line of its own after a dash.",
  )
    .optional()
    .describe("Logins of bots that may start the bot as if they had write access."),
  "ci-rounds": wholeNumber(0, 10)
    .default(3)
    .describe("Rounds of repair when checks fail on a pull request of the bot; 0 turns them off."),
  language: textMatching("must be the name of a language, such as `English`.", /^(?! )[\p{L}\p{M} ()-]{2,40}$/u)
    .default("English")
    .describe("The language of what the agents write on GitHub."),
  instructions: textMatching("must be a text of at most 4,000 characters.", /^[^\0]{0,4000}$/u)
    .default("")
    .describe("Text for the agents: what they should know about this repository; at most 4,000 characters."),
});

/** A mapping of known keys; any other key is a fault. */
function mapping<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const rule = `must be a mapping with ${Object.keys(shape)
    .slice(0, 3)
    .map((key) => `\`${key}\``)
    .join(", ")} …, each on a line of its own, indented alike.`;
  return z.strictObject(shape, { error: ({ code }) => (code === "invalid_type" ? rule : undefined) });
}

/** A number above zero, perhaps with decimals; `unit` is said in the fault. */
function positiveNumber(unit: string) {
  const error = `must be a number of ${unit} above 0.`;
  return z.number({ error }).positive({ error });
}

/** A text of the given form. */
function textMatching(rule: string, form: RegExp) {
  return z.string({ error: rule }).regex(form, { error: rule });
}

/** A whole number from `min` to `max`. */
function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}.`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}
