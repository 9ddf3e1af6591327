import type { SettingDefinitions } from "./definition.ts";
import { address, anyText, listOf, oneOf, positiveNumber, textMatching, truth, wholeNumber } from "./kinds.ts";

const path = anyText("must be a path.");

const GITHUB = ["GHE_HOST", "GHE_PROTOCOL"] as const;

/** These decide where a repository's token and code go, so a file may not set them beside a token. */
const READS_CODE = [...GITHUB, "MAGIS_PROVIDER", "ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"] as const;

/** These decide how much money a provider charges. */
const SPENDS = [
  "MAGIS_MODEL_FAST",
  "MAGIS_MODEL_STRONG",
  "MAGIS_EFFORT_FAST",
  "MAGIS_EFFORT_STRONG",
  "MAGIS_PRICES",
  "MAGIS_BUDGET_MONEY",
  "MAGIS_BUDGET_TOKENS",
  "MAGIS_BUDGET_MINUTES",
  "MAGIS_BUDGET_DAY",
  "MAGIS_BUDGET_MONTH",
  "MAGIS_BUDGET_MONTH_ORGANISATION",
  "MAGIS_BUDGET_MONTH_REPOSITORY",
  "MAGIS_BUDGET_MONTH_PERSON",
] as const;

/** `name=value` pairs, with values as in an address. */
const pairs = textMatching("must be a list like name=value,other=value.", /^[^=,\s]+=[^,]*(?:,[^=,\s]+=[^,]*)*$/);

const dollars = positiveNumber("US dollars", 10_000_000);

const apiKey = textMatching("must be one word without blanks.", /^\S+$/);

/** The bot's connections and where it runs: set in the environment only. */
export const BOT_SETTINGS = {
  appId: {
    kind: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    required: true,
    sentence: "The App ID that the GitHub App's settings page shows.",
    environment: { variable: "APP_ID", place: "github.appId" },
  },
  privateKey: {
    kind: path,
    sentence: "The app's private key: the .pem file's text, with \\n for line ends, or that text in base64.",
    environment: {
      variable: "PRIVATE_KEY",
      secretFor: READS_CODE,
      example: '"-----BEGIN RSA PRIVATE KEY-----\\n…\\n-----END RSA PRIVATE KEY-----\\n"',
    },
  },
  privateKeyPath: {
    kind: path,
    sentence: "The .pem file of the private key; read when PRIVATE_KEY is not set.",
    environment: { variable: "PRIVATE_KEY_PATH", fillIn: true, secretFor: READS_CODE },
  },
  webhookSecret: {
    kind: textMatching(
      'must not be "development", which is Probot\'s public default; choose a long random text.',
      /^(?!development$)/,
    ),
    required: true,
    sentence: "The webhook secret that was entered in the GitHub App's settings.",
    environment: { variable: "WEBHOOK_SECRET", place: "github.webhookSecret" },
  },
  webhookProxyUrl: {
    kind: address("https:", "http:"),
    sentence: "A channel of smee.io that webhooks are taken from, for trying the bot without a public address.",
    environment: { variable: "WEBHOOK_PROXY_URL", place: "server.webhookProxyUrl" },
  },
  webhookPath: {
    kind: textMatching(
      "must be a path that begins with / and is not /, /healthz or /readyz, nor below /dashboard.",
      /^\/(?!(healthz|readyz)\/*$|dashboard(\/|$))[\w.~/-]*[\w.~-]\/*$/,
    ),
    default: "/api/github/webhooks",
    sentence: "The path at which webhooks arrive.",
    environment: { variable: "WEBHOOK_PATH", place: "server.webhookPath" },
  },
  githubHost: {
    kind: textMatching(
      "must be a host name, with a port if need be, without https:// and without a path.",
      /^(\[[\da-f:]+\]|[\w.-]+)(:\d{1,5})?$/i,
    ),
    sentence: "The host name of a GitHub Enterprise Server; github.com when not set.",
    environment: { variable: "GHE_HOST", commands: true, example: "github.example.com" },
  },
  githubProtocol: {
    kind: oneOf("https", "http"),
    default: "https",
    sentence: "The protocol of the GitHub Enterprise Server.",
    environment: { variable: "GHE_PROTOCOL", commands: true },
  },
  githubToken: {
    kind: apiKey,
    sentence:
      "For `magis resolve` on the command line: a token that may read the repository; the bot has no need of it.",
    environment: { variable: "GITHUB_TOKEN", commands: true, secretFor: READS_CODE },
  },
  host: {
    kind: path,
    default: "localhost",
    sentence: "The address to listen on; 0.0.0.0 in a container.",
    environment: { variable: "HOST", place: "server.host" },
  },
  port: {
    kind: wholeNumber(0, 65_535),
    default: 3000,
    sentence: "The port to listen on; 0 takes a free one and logs it.",
    environment: { variable: "PORT", place: "server.port" },
  },
  publicUrl: {
    kind: address("https:", "http:"),
    requiredFor: { variable: "MAGIS_DASHBOARD", value: "github" },
    sentence:
      "The address at which people and GitHub reach this server, such as that of the proxy in front of it: for the dashboard and links to it, and while the app is registered, then from the environment alone, since GitHub sends the app's keys there.",
    environment: { variable: "MAGIS_URL", place: "dashboard.publicUrl", example: "https://magis.example.com" },
  },
  logLevel: {
    kind: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    default: "info",
    sentence: "How much is logged.",
    environment: { variable: "LOG_LEVEL", fromAnybody: true, place: "log.level" },
  },
  auditLog: {
    kind: path,
    sentence:
      "A file to which the bot adds a line of JSON for each request (who asked for what, and how it was answered) and for each write on GitHub. Without it no audit log is kept.",
    environment: { variable: "MAGIS_AUDIT_LOG", place: "log.audit", example: "/var/log/magis/audit.jsonl" },
  },
  metricsPort: {
    kind: wholeNumber(0, 65_535),
    sentence:
      "The port at which Prometheus finds metrics, at /metrics; 0 takes a free one and logs it. Without it none are kept.",
    environment: { variable: "MAGIS_METRICS_PORT", place: "metrics.port", example: "9464" },
  },
  metricsHost: {
    kind: path,
    default: "127.0.0.1",
    sentence: "The address for the metrics, which ask for no password; 0.0.0.0 in a container.",
    environment: { variable: "MAGIS_METRICS_HOST", place: "metrics.host" },
  },
  tracesEndpoint: {
    kind: address("https:", "http:"),
    sentence:
      "An OpenTelemetry collector, to which traces of runs are sent by OTLP over HTTP with protobuf; /v1/traces is added. Without it, and without the next one, nothing is traced.",
    environment: {
      variable: "OTEL_EXPORTER_OTLP_ENDPOINT",
      place: "traces.endpoint",
      example: "http://localhost:4318",
    },
  },
  tracesAddress: {
    kind: address("https:", "http:"),
    sentence: "The whole address for traces, in place of the one made of OTEL_EXPORTER_OTLP_ENDPOINT.",
    environment: {
      variable: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
      place: "traces.address",
      example: "http://localhost:4318/v1/traces",
    },
  },
  tracesHeaders: {
    kind: pairs,
    sentence: "Headers for the collector, such as its key: name=value, separated by commas.",
    environment: {
      variable: "OTEL_EXPORTER_OTLP_HEADERS",
      place: "traces.headers",
      secretFor: ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"],
      example: "authorization=Bearer%20key",
    },
  },
  tracesService: {
    kind: anyText("must be a name."),
    default: "magis",
    sentence: "The name of the service in traces.",
    environment: { variable: "OTEL_SERVICE_NAME", place: "traces.service" },
  },
  tracesResource: {
    kind: pairs,
    sentence: "Attributes of this process in traces: name=value, separated by commas.",
    environment: {
      variable: "OTEL_RESOURCE_ATTRIBUTES",
      place: "traces.resource",
      example: "deployment.environment.name=production",
    },
  },
  tracesSampler: {
    kind: oneOf("always_on", "always_off", "traceidratio"),
    default: "always_on",
    sentence: "Which runs are traced; traceidratio takes the share in OTEL_TRACES_SAMPLER_ARG.",
    environment: { variable: "OTEL_TRACES_SAMPLER", place: "traces.sampler" },
  },
  tracesRatio: {
    kind: textMatching("must be a number from 0 to 1.", /^(?:0?\.\d{1,6}|0|1(?:\.0{1,6})?)$/),
    default: "1",
    sentence: "The share of runs that traceidratio takes, from 0 to 1.",
    environment: { variable: "OTEL_TRACES_SAMPLER_ARG", place: "traces.ratio" },
  },
  tracesOff: {
    kind: truth(),
    default: false,
    sentence: "Whether nothing is traced although an endpoint is set.",
    environment: { variable: "OTEL_SDK_DISABLED", place: "traces.off" },
  },
  dashboard: {
    kind: oneOf("off", "loopback", "github"),
    default: "off",
    sentence:
      "Whether the bot serves pages about its runs: loopback to everybody on its own machine; github below /dashboard of its web server, to people who sign in with GitHub, each of whom sees the repositories to which they may push.",
    environment: { variable: "MAGIS_DASHBOARD", place: "dashboard.mode" },
  },
  dashboardPort: {
    kind: wholeNumber(0, 65_535),
    default: 3001,
    sentence: "The port of the dashboard when it is loopback; 0 takes a free one and logs it.",
    environment: { variable: "MAGIS_DASHBOARD_PORT", place: "dashboard.port" },
  },
  operators: {
    kind: listOf(textMatching("must be logins of GitHub.", /^[\w-]{1,100}$/), "logins"),
    default: [],
    sentence: "The logins of those who see all repositories on the dashboard, and the limits of the bot.",
    environment: { variable: "MAGIS_OPERATORS", place: "dashboard.operators", example: "alice,bob" },
  },
  clientId: {
    kind: apiKey,
    requiredFor: { variable: "MAGIS_DASHBOARD", value: "github" },
    sentence: "The Client ID that the GitHub App's settings page shows, for signing in to the dashboard.",
    environment: { variable: "GITHUB_CLIENT_ID", place: "dashboard.clientId" },
  },
  clientSecret: {
    kind: apiKey,
    requiredFor: { variable: "MAGIS_DASHBOARD", value: "github" },
    sentence: "A client secret of the GitHub App, which its settings page generates, for signing in to the dashboard.",
    environment: { variable: "GITHUB_CLIENT_SECRET", place: "dashboard.clientSecret", secretFor: GITHUB },
  },
  provider: {
    kind: oneOf("anthropic", "bedrock", "vertex", "openai"),
    default: "anthropic",
    sentence:
      "Where the models are: Anthropic's API, Amazon Bedrock, Google Vertex AI, or any endpoint that speaks OpenAI's chat completions. Bedrock and Vertex find their credentials in the environment (AWS_*, GOOGLE_*).",
    environment: {
      variable: "MAGIS_PROVIDER",
      place: "model.provider",
      commands: true,
      ambient: { values: ["bedrock", "vertex"], spends: SPENDS },
    },
  },
  modelApiKey: {
    kind: apiKey,
    requiredFor: { variable: "MAGIS_PROVIDER", value: "anthropic" },
    sentence: "The key for Anthropic's API, from https://platform.claude.com; MAGIS_PROVIDER chooses another.",
    environment: {
      variable: "ANTHROPIC_API_KEY",
      place: "model.apiKey",
      commands: true,
      fillIn: true,
      secretFor: ["MAGIS_PROVIDER", "ANTHROPIC_BASE_URL", ...SPENDS],
    },
  },
  modelBaseUrl: {
    kind: address("https:", "http:"),
    sentence: "An endpoint that speaks the Anthropic Messages API; Anthropic's own when not set.",
    environment: {
      variable: "ANTHROPIC_BASE_URL",
      place: "model.baseUrl",
      commands: true,
      example: "https://gateway.example.com",
    },
  },
  openaiApiKey: {
    kind: apiKey,
    requiredFor: { variable: "MAGIS_PROVIDER", value: "openai" },
    sentence: "The key for an OpenAI-compatible endpoint; any word for one that asks for none.",
    environment: {
      variable: "OPENAI_API_KEY",
      place: "model.openai.apiKey",
      commands: true,
      secretFor: ["MAGIS_PROVIDER", "OPENAI_BASE_URL", ...SPENDS],
    },
  },
  openaiBaseUrl: {
    kind: address("https:", "http:"),
    sentence: "An endpoint that speaks OpenAI's chat completions, with its `/v1`; OpenAI's own when not set.",
    environment: {
      variable: "OPENAI_BASE_URL",
      place: "model.openai.baseUrl",
      commands: true,
      example: "http://localhost:11434/v1",
    },
  },
  check: {
    kind: textMatching("must be a command in one line of at most 500 characters.", /^[^\0\r\n]{1,500}$/),
    sentence:
      "The command that checks a change, such as `npm test`, on the command line and in the Action; the server never runs it.",
    environment: { variable: "MAGIS_CHECK", place: "check.command", commands: true, example: "npm test" },
    file: { key: "check", ownDefault: true, note: "run only by those who say `--own-check`" },
    option: { name: "check", value: "COMMAND" },
  },
  checkSandbox: {
    kind: oneOf("required", "off"),
    default: "required",
    sentence:
      "Whether the check runs in a sandbox (bwrap): with required, nothing runs where there is none; off does without.",
    environment: { variable: "MAGIS_CHECK_SANDBOX", place: "check.sandbox", commands: true },
    option: { name: "check-sandbox", value: "required|off" },
  },
  checkShow: {
    kind: textMatching("must be absolute paths with colons between them.", /^\/[^\0\r\n]{0,4000}$/),
    sentence:
      "More files and folders that the check's sandbox shows, read-only: absolute paths with colons between them.",
    environment: { variable: "MAGIS_CHECK_SHOW", place: "check.show", commands: true },
    option: { name: "check-show", value: "PATHS" },
  },
  checkMinutes: {
    kind: positiveNumber("minutes", 240),
    default: 10,
    sentence: "Minutes that one run of the check may take.",
    environment: { variable: "MAGIS_CHECK_MINUTES", place: "check.minutes", commands: true },
    option: { name: "check-minutes", value: "MINUTES" },
  },
  checkMemory: {
    kind: wholeNumber(64, 1_048_576),
    default: 4096,
    sentence: "Megabytes of memory that each of the check's processes may take; held on Linux.",
    environment: { variable: "MAGIS_CHECK_MEMORY_MB", place: "check.memoryMb", commands: true },
    option: { name: "check-memory", value: "MB" },
  },
  databaseUrl: {
    kind: address("postgres:", "postgresql:"),
    sentence: "A PostgreSQL database; an embedded one in the data directory when not set.",
    requiredFor: { variable: "MAGIS_CONCURRENCY", value: "0" },
    environment: {
      variable: "DATABASE_URL",
      place: "database.url",
      takesSecrets: ["PGPASSWORD", "PGPASSFILE"],
      example: "postgres://magis:password@localhost:5432/magis",
    },
  },
  dataDir: {
    kind: path,
    default: "./data",
    sentence: "The directory of the embedded database and the process lock.",
    environment: { variable: "MAGIS_DATA_DIR", place: "database.dataDir" },
  },
  concurrency: {
    kind: wholeNumber(0, 64),
    default: 2,
    sentence:
      "How many runs one process works on at the same time; with 0 it only takes webhooks, and other processes on its database do the runs.",
    environment: { variable: "MAGIS_CONCURRENCY", place: "engine.concurrency" },
  },
  concurrencyOfAll: {
    kind: wholeNumber(1, 10_000),
    sentence: "How many runs all processes on one database work on together; no limit when not set.",
    environment: { variable: "MAGIS_CONCURRENCY_ALL", place: "engine.concurrencyOfAll", example: "6" },
  },
  budgetDay: {
    kind: dollars,
    sentence: "US dollars that all runs that begin on one day (UTC) may cost together; no limit when not set.",
    environment: { variable: "MAGIS_BUDGET_DAY", place: "limits.day", example: "50" },
  },
  budgetMonth: {
    kind: dollars,
    sentence: "US dollars that all runs that begin in one month (UTC) may cost together; no limit when not set.",
    environment: { variable: "MAGIS_BUDGET_MONTH", place: "limits.month", example: "500" },
  },
  budgetMonthOrganisation: {
    kind: dollars,
    sentence: "US dollars a month for the repositories of one organisation or user together; no limit when not set.",
    environment: { variable: "MAGIS_BUDGET_MONTH_ORGANISATION", place: "limits.organisation", example: "200" },
  },
  budgetMonthPerson: {
    kind: dollars,
    sentence: "US dollars a month for the runs that one person asks for; no limit when not set.",
    environment: { variable: "MAGIS_BUDGET_MONTH_PERSON", place: "limits.person", example: "50" },
  },
  outageMinutes: {
    kind: wholeNumber(0, 10_080),
    default: 120,
    sentence:
      "Minutes for which a run waits when GitHub or the model cannot be reached or takes nothing more; they do not count as its own.",
    environment: { variable: "MAGIS_OUTAGE_MINUTES", place: "engine.outageMinutes" },
  },
  retentionDays: {
    kind: wholeNumber(1, 3650),
    default: 30,
    sentence: "Days for which finished runs are kept.",
    environment: { variable: "MAGIS_RETENTION_DAYS", place: "engine.retentionDays" },
  },
} as const satisfies SettingDefinitions;
