import { z } from "zod";
import { address, fromText, modelPrices, oneOf, positiveNumber, truth, wholeNumber } from "./shapes.ts";

const matching = (rule: string, form: RegExp) => fromText(rule, (text) => (form.test(text) ? text : undefined));

const appId = wholeNumber(1, Number.MAX_SAFE_INTEGER);

const webhookSecret = fromText(
  'must not be "development", which is Probot\'s public default; choose a long random text.',
  (text) => (text === "development" ? undefined : text),
);

const hostName = matching(
  "must be a host name, with a port if need be, without https:// and without a path.",
  /^(\[[\da-f:]+\]|[\w.-]+)(:\d{1,5})?$/i,
);

const webhookPath = matching(
  "must be a path that begins with / and is not /, /healthz or /readyz.",
  /^\/(?!(healthz|readyz)\/*$)[\w.~/-]*[\w.~-]\/*$/,
);

const apiKey = matching("must be one word without blanks.", /^\S+$/);

const modelName = matching("must be the name of a model, one word.", /^[\w.:@/-]+$/);

const effort = () => oneOf("low", "medium", "high", "xhigh", "max");

const label = matching("must be a label of 1 to 50 characters without a comma.", /^[^,]{1,50}$/);

const list = fromText("must be a list of logins separated by commas.", (text) =>
  /^[\w\-[\],\s]*$/.test(text) ? text.split(/[\s,]+/).filter((login) => login !== "") : undefined,
);

const path = fromText("must be a path.", (text) => text);

/**
 * Every variable the program knows: its shape, its default (`prefault`, as text) and one sentence about it.
 * This is the one list; `.env.example` and the README's table are held to it by tests.
 */
export const environmentSchema = z.object({
  APP_ID: appId.describe("The App ID that the GitHub App's settings page shows."),
  PRIVATE_KEY: path
    .optional()
    .describe("The app's private key: the .pem file's text, with \\n for line ends, or that text in base64."),
  PRIVATE_KEY_PATH: path.optional().describe("The .pem file of the private key; read when PRIVATE_KEY is not set."),
  WEBHOOK_SECRET: webhookSecret.describe("The webhook secret that was entered in the GitHub App's settings."),
  WEBHOOK_PATH: webhookPath.prefault("/api/github/webhooks").describe("The path at which webhooks arrive."),
  GHE_HOST: hostName.optional().describe("The host name of a GitHub Enterprise Server; github.com when not set."),
  GHE_PROTOCOL: oneOf("https", "http").prefault("https").describe("The protocol of the GitHub Enterprise Server."),
  GITHUB_TOKEN: apiKey
    .optional()
    .describe(
      "For `magis resolve` on the command line: a token that may read the repository; the bot has no need of it.",
    ),
  HOST: path.prefault("localhost").describe("The address to listen on; 0.0.0.0 in a container."),
  PORT: wholeNumber(0, 65_535).prefault("3000").describe("The port to listen on; 0 takes a free one and logs it."),
  LOG_LEVEL: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent")
    .prefault("info")
    .describe("How much is logged."),
  ANTHROPIC_API_KEY: apiKey.describe("The key for the model's API."),
  ANTHROPIC_BASE_URL: address("https:", "http:")
    .optional()
    .describe("An endpoint that speaks the Anthropic Messages API; Anthropic's own when not set."),
  DATABASE_URL: address("postgres:", "postgresql:")
    .optional()
    .describe("A PostgreSQL database; an embedded one in the data directory when not set."),
  MAGIS_DATA_DIR: path.prefault("./data").describe("The directory of the embedded database and the process lock."),
  MAGIS_CONCURRENCY: wholeNumber(1, 64).prefault("2").describe("How many issues are worked on at the same time."),
  MAGIS_RETENTION_DAYS: wholeNumber(1, 3650).prefault("30").describe("Days for which finished runs are kept."),
  MAGIS_LABEL: label.prefault("magis").describe("The label that starts the bot on an issue."),
  MAGIS_ALLOWED_BOTS: list
    .prefault("")
    .describe("Logins of bots, separated by commas, that may start the bot as if they had write access."),
  MAGIS_DRAFT: truth().prefault("true").describe("Whether pull requests are opened as drafts."),
  MAGIS_MODEL_FAST: modelName.prefault("claude-haiku-5-5").describe("The model that locates files (P1 to P3)."),
  MAGIS_MODEL_STRONG: modelName.prefault("claude-opus-5-5").describe("The model that plans, writes and reviews."),
  MAGIS_EFFORT_FAST: effort().optional().describe("Effort of the fast model: low, medium, high, xhigh or max."),
  MAGIS_EFFORT_STRONG: effort().optional().describe("Effort of the strong model: low, medium, high, xhigh or max."),
  MAGIS_PRICES: modelPrices()
    .prefault("")
    .describe("Prices of further models, US dollars per million tokens: model=input/output, separated by commas."),
  MAGIS_BUDGET_MONEY: positiveNumber("US dollars", 10_000).prefault("5").describe("US dollars one run may cost."),
  MAGIS_BUDGET_TOKENS: wholeNumber(1, 1_000_000_000)
    .prefault("3000000")
    .describe("Tokens one run may use, input and output together."),
  MAGIS_BUDGET_MINUTES: positiveNumber("minutes", 1440).prefault("30").describe("Minutes one run may work."),
  MAGIS_CANDIDATES: wholeNumber(1, 100).prefault("10").describe("Candidate files the Custodian hands on (k)."),
  MAGIS_REVIEW_ROUNDS: wholeNumber(1, 10).prefault("3").describe("Rounds of review a task may take (n_max)."),
  MAGIS_CI_ROUNDS: wholeNumber(0, 20)
    .prefault("3")
    .describe("Commits that repair failing checks in one pull request; 0 repairs none."),
  MAGIS_PROFILE: oneOf("lean", "paper")
    .prefault("lean")
    .describe("lean asks together what can be asked together; paper keeps to the paper's form call by call."),
  MAGIS_CLONE_LIMIT_MB: wholeNumber(1, 65_536)
    .prefault("1024")
    .describe("Megabytes of a repository's clone, which is held in memory, above which the run is refused."),
});

/** What is wrong with a variable, as a sentence that begins with its name. Holds no value. */
export function describeFault(name: string, message: string): string {
  if (message !== "is missing.") return `${name} ${message}`;
  const shape = environmentSchema.shape[name as keyof typeof environmentSchema.shape];
  return `${name} is missing: set it. ${shape?.description ?? ""}`.trim();
}

/** One variable as the documentation shows it. */
export interface VariableNote {
  readonly name: string;
  readonly required: boolean;
  /** as it would be written; absent when there is none */
  readonly fallback?: string;
  readonly about: string;
}

/** The documentation of every variable, in the order of the schema. */
export function listVariables(): readonly VariableNote[] {
  return Object.entries(environmentSchema.shape).map(([name, shape]) => {
    const fallback = shape instanceof z.ZodPrefault ? String(shape.def.defaultValue) : "";
    return {
      name,
      required: !(shape instanceof z.ZodPrefault || shape instanceof z.ZodOptional),
      ...(fallback === "" ? {} : { fallback }),
      about: shape.description ?? "",
    };
  });
}
