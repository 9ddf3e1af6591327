import type { SettingDefinitions } from "./definition.ts";
import { listOf, modelPrices, oneOf, positiveNumber, textMatching, truth, wholeNumber } from "./kinds.ts";
import { BRANCH_NAME, BRANCH_TEMPLATE, COMMIT_TEMPLATE, GLOB } from "./name-forms.ts";

const globs = listOf(GLOB, "globs");

/** From cheap to dear. */
export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

const effort = oneOf(...EFFORTS);

const effortOrAuto = oneOf("auto", ...EFFORTS);

const modelName = textMatching("must be the name of a model, one word.", /^[\w.:@/-]{1,200}$/);

const login = textMatching(
  "must be the login of a bot, such as `renovate[bot]`.",
  /^[A-Za-z\d][\w-]{0,63}(?:\[bot\])?$/,
);

const label = textMatching(
  "must be a label of 1 to 50 characters without a comma.",
  /^(?!\s|.*\s$)[^,\p{Cc}]{1,50}$/u,
  "in quotes when it looks like a number",
);

/** Settings of the agents' work: the operator sets them, repositories most of them, a command's options some. */
export const RUN_SETTINGS = {
  label: {
    kind: label,
    default: "magis",
    sentence: "The label that starts the bot on an issue.",
    environment: { variable: "MAGIS_LABEL", fromAnybody: true, place: "trigger.label" },
    file: { key: "label" },
  },
  allowedBots: {
    kind: listOf(login, "logins"),
    default: [],
    sentence: "Logins of bots that may start the bot as if they had write access, and whose reviews it answers.",
    environment: {
      variable: "MAGIS_ALLOWED_BOTS",
      place: "trigger.allowedBots",
      note: "separated by commas",
      example: "renovate[bot]",
    },
    file: { key: "allowed-bots" },
    run: true,
  },
  skipLabels: {
    kind: listOf(label, "labels"),
    default: ["question", "discussion", "security", "blocked", "on-hold", "duplicate", "invalid", "wontfix"],
    sentence: "Labels and types of issues that the bot leaves to people until it is told to go on anyway.",
    environment: { variable: "MAGIS_SKIP_LABELS", place: "trigger.skipLabels", note: "separated by commas" },
    file: { key: "skip-labels" },
  },
  commentsFrom: {
    kind: oneOf("everyone", "maintainers-and-author", "maintainers"),
    default: "everyone",
    sentence:
      "Whose comments on an issue the agents are shown; the issue itself is always shown, and who wrote what is always said.",
    environment: { variable: "MAGIS_COMMENTS_FROM", fromAnybody: true, place: "agents.commentsFrom", commands: true },
    file: { key: "comments-from" },
    run: true,
  },
  baseBranch: {
    kind: BRANCH_NAME,
    sentence: "The branch that changes start from and pull requests go to.",
    file: { key: "base-branch", whenAbsent: "the repository's default branch" },
    request: { name: "base", value: "BRANCH" },
    run: true,
  },
  draft: {
    kind: truth(),
    default: true,
    sentence: "Whether pull requests are opened as drafts.",
    environment: { variable: "MAGIS_DRAFT", place: "pullRequest.draft", commands: true },
    file: { key: "draft" },
    request: { name: "draft", value: "true|false", lasts: true },
    run: true,
  },
  staleDays: {
    kind: wholeNumber(0, 80),
    default: 30,
    sentence:
      "Days without an answer of a person after which the bot asks once whether its draft is still wanted, to close it 7 days later; 0 never asks.",
    environment: { variable: "MAGIS_STALE_DAYS", place: "pullRequest.staleDays" },
    file: { key: "stale-days" },
  },
  approval: {
    kind: oneOf("none", "required"),
    default: "none",
    sentence: "`required`: nothing is written to the repository before a person approves the plan.",
    file: { key: "approval" },
  },
  "models.fast": {
    kind: modelName,
    default: "claude-haiku-5-5",
    sentence: "The model that finds the files to look at.",
    environment: { variable: "MAGIS_MODEL_FAST", place: "model.models.fast", commands: true },
    file: { key: "models.fast", note: "one of those the operator allows" },
    option: { name: "fast-model", value: "NAME" },
  },
  "models.strong": {
    kind: modelName,
    default: "claude-opus-5-5",
    sentence: "The model that plans, writes and reviews.",
    environment: { variable: "MAGIS_MODEL_STRONG", place: "model.models.strong", commands: true },
    file: { key: "models.strong", note: "one of those the operator allows" },
    option: { name: "model", value: "NAME" },
  },
  "effort.fast": {
    kind: effort,
    sentence: "Effort of the fast model: low, medium, high, xhigh or max.",
    environment: { variable: "MAGIS_EFFORT_FAST", place: "model.effort.fast", commands: true, example: "low" },
    file: { key: "effort.fast" },
    run: true,
  },
  "effort.strong": {
    kind: effortOrAuto,
    sentence:
      "Effort of the strong model: low, medium, high, xhigh or max; after a failing check a repair works one step higher, up to high. auto begins at low.",
    environment: { variable: "MAGIS_EFFORT_STRONG", place: "model.effort.strong", commands: true, example: "high" },
    file: { key: "effort.strong" },
    run: true,
  },
  prices: {
    kind: modelPrices(),
    sentence:
      "Prices of further models, US dollars per million tokens: model=input/output, or model=input/output/cached, separated by commas.",
    environment: { variable: "MAGIS_PRICES", commands: true, example: "my-model=4/20,my-small-model=0.1/0.5" },
  },
  "budget.money": {
    kind: positiveNumber("US dollars", 10_000),
    default: 5,
    sentence: "US dollars one run may cost.",
    environment: { variable: "MAGIS_BUDGET_MONEY", place: "budget.money", commands: true },
    file: { key: "budget.money", note: "not above the operator's" },
    option: { name: "budget", value: "DOLLARS" },
    request: { name: "budget", value: "DOLLARS", onPullRequests: true },
  },
  "budget.tokens": {
    kind: wholeNumber(1, 1_000_000_000),
    default: 3_000_000,
    sentence: "Tokens one run may use, input and output together.",
    environment: { variable: "MAGIS_BUDGET_TOKENS", place: "budget.tokens", commands: true },
    file: { key: "budget.tokens", note: "not above the operator's" },
  },
  "budget.minutes": {
    kind: positiveNumber("minutes", 1440),
    default: 30,
    sentence: "Minutes one run may work.",
    environment: { variable: "MAGIS_BUDGET_MINUTES", place: "budget.minutes", commands: true },
    file: { key: "budget.minutes", note: "not above the operator's" },
  },
  "budget.month": {
    kind: positiveNumber("US dollars", 10_000_000),
    sentence: "US dollars a month (UTC) for the runs of one repository; no limit when not set.",
    environment: { variable: "MAGIS_BUDGET_MONTH_REPOSITORY", place: "limits.repository", example: "100" },
    file: { key: "budget.month", note: "not above the operator's" },
  },
  openPullRequests: {
    kind: wholeNumber(1, 1000),
    default: 5,
    sentence: "Pull requests of the bot that may be open in one repository at once.",
    environment: { variable: "MAGIS_OPEN_PULL_REQUESTS", place: "limits.openPullRequests" },
    file: { key: "open-pull-requests", note: "not above the operator's" },
  },
  // The operator's number is an upper limit (see the workflow): a higher one counts only for repositories that ask for
  // it.
  ciRounds: {
    kind: wholeNumber(0, 20),
    default: 3,
    sentence: "How often failing checks are repaired, in one pull request or by one command; 0 repairs none.",
    environment: { variable: "MAGIS_CI_ROUNDS", place: "agents.ciRounds", commands: true },
    file: { key: "ci-rounds", ownDefault: true },
    run: true,
  },
  proof: {
    kind: oneOf("off", "auto", "required"),
    default: "auto",
    sentence:
      "Whether a fix is proved in the repository's checks: its test is pushed first and must fail there. `required`: an unproved fix stays a draft.",
    environment: { variable: "MAGIS_PROOF", place: "agents.proof" },
    file: { key: "proof" },
    request: { name: "proof", value: "off|auto|required" },
    run: true,
  },
  update: {
    kind: oneOf("conflicts", "always", "never"),
    default: "conflicts",
    sentence:
      "When the bot merges the base into the branch of its pull request: when they conflict or the base's rules want it, whenever the base moves on, or never.",
    file: { key: "update" },
    run: true,
  },
  profile: {
    kind: oneOf("lean", "paper"),
    default: "lean",
    sentence: "lean asks together what can be asked together; paper keeps to the paper's form call by call.",
    environment: { variable: "MAGIS_PROFILE", place: "agents.profile", commands: true },
    option: { name: "profile", value: "lean|paper" },
    run: true,
  },
  ignore: {
    kind: globs,
    default: [],
    sentence: "Globs of files that are neither looked at nor changed.",
    file: { key: "ignore" },
  },
  protect: {
    kind: globs,
    default: [],
    sentence: "Globs of files that are not changed, besides the built-in ones.",
    file: { key: "protect" },
  },
  only: {
    kind: globs,
    default: [],
    sentence: "Globs of the only files that are changed; every file may be when there are none.",
    file: { key: "only" },
    request: { name: "files", value: "GLOB,…", onPullRequests: true, lasts: true },
  },
  unprotect: {
    kind: globs,
    default: [],
    sentence: "Globs of files that the built-in protection leaves free.",
    file: { key: "unprotect" },
  },
  branch: {
    kind: BRANCH_TEMPLATE,
    default: "magis/issue-{issue}-{slug}",
    sentence: "The name of the bot's branches, with `{issue}` and `{slug}` (words of the issue's title).",
    file: { key: "branch" },
    run: true,
  },
  commit: {
    kind: COMMIT_TEMPLATE,
    default: "{type}: {title}",
    sentence:
      "The first line of commits, with `{type}` (`fix`, `feat`, …), `{title}` and `{issue}`; the default gives way to the form of the repository's own commits.",
    file: { key: "commit" },
    run: true,
  },
  signOff: {
    kind: truth(),
    default: false,
    sentence: "Whether commits carry a `Signed-off-by` line of the bot.",
    file: { key: "sign-off" },
    run: true,
  },
  coAuthor: {
    kind: truth(),
    default: false,
    sentence: "Whether commits carry a `Co-authored-by` line of the bot.",
    file: { key: "co-author" },
    run: true,
  },
  aiPolicy: {
    kind: oneOf("follow", "ignore"),
    default: "follow",
    sentence:
      "Whether the bot follows what the repository's documents say about contributions made with AI: not to work, to ask, or how to disclose it.",
    file: { key: "ai-policy" },
    run: true,
  },
  language: {
    kind: textMatching("must be the name of a language, such as `English`.", /^(?! )[\p{L}\p{M} ()-]{2,40}$/u),
    default: "English",
    sentence: "The language of what the agents write on GitHub.",
    file: { key: "language" },
  },
  instructions: {
    kind: textMatching("must be a text of at most 4,000 characters.", /^[^\0]{0,4000}$/u),
    default: "",
    sentence: "Text for the agents: what they should know about this repository; at most 4,000 characters.",
    file: { key: "instructions" },
  },
  cloneLimit: {
    kind: wholeNumber(1, 65_536),
    default: 1024,
    sentence: "Megabytes of a repository's clone, which is held in memory, above which the run is refused.",
    environment: { variable: "MAGIS_CLONE_LIMIT_MB", commands: true },
  },
} as const satisfies SettingDefinitions;
