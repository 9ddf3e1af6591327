import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DEFAULT_PRICES } from "../../../src/data/prices.ts";
import { settingsIn } from "../../../src/data/setting-definitions/all-settings.ts";
import { valueAt } from "../../../src/data/setting-definitions/definition.ts";
import {
  inspectConfig,
  readCommandConfig,
  readConfig,
  readDatabaseConfig,
} from "../../../src/settings/environment/read-config.ts";
import { rsaKey } from "../../fakes/rsa-key.ts";

const PEM = rsaKey();
const OWN = { APP_ID: "7", WEBHOOK_SECRET: "s3cret", PRIVATE_KEY: PEM, ANTHROPIC_API_KEY: "sk-own" };
const settings = settingsIn("environment").map(([, { environment }]) => environment);

/** Values that differ from every default. */
const VALUES: Readonly<Record<string, string>> = {
  ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
  GHE_HOST: "127.0.0.1:9",
  GHE_PROTOCOL: "http",
  MAGIS_PROVIDER: "openai",
  OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
  DATABASE_URL: "postgres://127.0.0.1:9/x",
  MAGIS_MODEL_FAST: "my-model",
  MAGIS_MODEL_STRONG: "my-model",
  MAGIS_EFFORT_FAST: "max",
  MAGIS_EFFORT_STRONG: "max",
  MAGIS_PRICES: "my-model=0.0001/0.0001",
  MAGIS_BUDGET_MONEY: "9999",
  MAGIS_BUDGET_TOKENS: "999999999",
  MAGIS_BUDGET_MINUTES: "1439",
  MAGIS_BUDGET_DAY: "99999",
  MAGIS_BUDGET_MONTH: "99999",
  MAGIS_BUDGET_MONTH_ORGANISATION: "99999",
  MAGIS_BUDGET_MONTH_REPOSITORY: "99999",
  MAGIS_BUDGET_MONTH_PERSON: "99999",
  OTEL_EXPORTER_OTLP_ENDPOINT: "https://evil.example",
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://evil.example/v1/traces",
};

/** Secrets of a form of their own. */
const SECRETS: Readonly<Record<string, string>> = { PRIVATE_KEY: PEM, OTEL_EXPORTER_OTLP_HEADERS: "key=own-secret" };

/** Names of variables that decide where a secret goes or what is spent with it: a new one must be guarded. */
const MATTERS = /URL$|^GHE_|PROVIDER|PROXY|MODEL|EFFORT|PRICE|BUDGET|ENDPOINT$/;

/** Where webhooks come from: we send no secret there, and only signed webhooks count. */
const INWARD: readonly string[] = ["WEBHOOK_PROXY_URL"];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "magis-env-file-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Variables that only the environment sets. */
const ENVIRONMENT_ALONE: readonly string[] = ["MAGIS_URL"];

function envFile(values: Readonly<Record<string, string>>): string {
  const file = join(folder, ".env");
  writeFileSync(
    file,
    Object.entries(values)
      .map(([name, text]) => `${name}=${JSON.stringify(text)}\n`)
      .join(""),
  );
  return file;
}

const guardsOf = (variable: string) => [
  ...settings.filter(({ secretFor }) => secretFor?.includes(variable)).map(({ variable: secret }) => secret),
  ...(settings.find((one) => one.variable === variable)?.takesSecrets ?? []),
];

describe("the operator's own .env file", () => {
  const guarded = settings.map(({ variable }) => variable).filter((variable) => guardsOf(variable).length > 0);

  it("has a guard on every variable that decides where a secret goes or what may be spent", () => {
    const named = settings
      .map(({ variable }) => variable)
      .filter((variable) => MATTERS.test(variable) && ![...INWARD, ...ENVIRONMENT_ALONE].includes(variable));
    expect([...guarded].sort()).toEqual(named.sort());
    expect(Object.keys(VALUES).sort()).toEqual([...guarded].sort());
  });

  it.each(guarded.flatMap((variable) => guardsOf(variable).map((secret) => [variable, secret] as const)))(
    "cannot set %s when %s comes from the environment",
    (variable, secret) => {
      const { place = "" } = settings.find((one) => one.variable === variable) ?? {};
      const environment = { ...OWN, [secret]: SECRETS[secret] ?? "own-secret" };
      const file = envFile({ [variable]: VALUES[variable] ?? "" });
      const sentence = expect.stringContaining(`${variable} in ${file} does not count, since ${secret} comes`);
      expect(() => readConfig({ path: file, isOwn: true }, environment)).toThrow(
        `${variable} in ${file} does not count`,
      );
      const { config, faults } = inspectConfig({ path: file, isOwn: true }, environment);
      expect(faults).toContainEqual(expect.stringContaining(`${variable} in ${file} does not count`));
      const without = readConfig(undefined, { ...OWN });
      expect(valueAt(config, place)).toEqual(valueAt(without, place));
      expect(config.github).toMatchObject({ apiUrl: "https://api.github.com", webUrl: "https://github.com" });
      expect(config.model.prices).toEqual(DEFAULT_PRICES);

      const warning: string[] = [];
      const only = { ANTHROPIC_API_KEY: "sk-own", [secret]: "own-secret" };
      const command = readCommandConfig({}, { path: file, isOwn: true }, only, (one) => warning.push(one));
      expect(command.model).toEqual(readCommandConfig({}, undefined, only).model);
      expect(command.budget).toEqual(readCommandConfig({}, undefined, only).budget);
      const isRead = settings.find((one) => one.variable === variable)?.commands === true;
      if (isRead) expect(warning).toEqual([expect.stringContaining(`${variable} in ${file} does not count`)]);
      const database = readDatabaseConfig({ path: file, isOwn: true }, only, (one) => warning.push(one));
      expect(database.url).toBeUndefined();
      if (variable === "DATABASE_URL") expect(warning).toEqual([sentence]);
    },
  );

  it("sets them for its own secrets, even exported ones; the environment's values win", () => {
    const file = envFile({ ...VALUES, ...OWN, OPENAI_API_KEY: "sk-own" });
    const fromFile = readConfig({ path: file, isOwn: true }, {});
    expect(fromFile.model.baseUrl).toBe("http://127.0.0.1:9");
    expect(fromFile.budget.money).toBe(9999);
    // Exported by hand from the same file.
    expect(readConfig({ path: file, isOwn: true }, { ANTHROPIC_API_KEY: OWN.ANTHROPIC_API_KEY }).budget.money).toBe(
      9999,
    );
    const both = readConfig(
      { path: file, isOwn: true },
      {
        ...OWN,
        ANTHROPIC_API_KEY: "sk-other",
        ...VALUES,
        MAGIS_BUDGET_MONEY: "3",
      },
    );
    expect(both.budget.money).toBe(3);
  });

  it("sets only our own variables: no proxies, certificates or variables of libraries", () => {
    const foreign = [
      "HTTPS_PROXY",
      "ALL_PROXY",
      "NODE_EXTRA_CA_CERTS",
      "SSL_CERT_FILE",
      "NODE_OPTIONS",
      "PGHOST",
      "PGPASSWORD",
      "PGSSLMODE",
      "ANTHROPIC_AUTH_TOKEN",
      "ANTHROPIC_CUSTOM_HEADERS",
      "GIT_CONFIG_GLOBAL",
      "GIT_SSH_COMMAND",
      "NODE_TLS_REJECT_UNAUTHORIZED",
    ];
    const before = { ...process.env };
    const file = envFile(Object.fromEntries(foreign.map((name) => [name, "http://127.0.0.1:9"])));
    const config = readConfig({ path: file, isOwn: true }, OWN);
    expect(JSON.stringify(config)).not.toContain("127.0.0.1:9");
    expect({ ...process.env }).toEqual(before);
  });

  it.each(["bedrock", "vertex"])("cannot choose %s, whose credentials are in none of our variables", (provider) => {
    const file = envFile({ MAGIS_PROVIDER: provider, MAGIS_BUDGET_MONEY: "9999" });
    const { ANTHROPIC_API_KEY: _, ...own } = OWN;
    expect(() => readConfig({ path: file, isOwn: true }, own)).toThrow(/^MAGIS_PROVIDER in .* does not count/m);
    const chosen = { ...own, MAGIS_PROVIDER: provider };
    expect(() => readConfig({ path: file, isOwn: true }, chosen)).toThrow(/^MAGIS_BUDGET_MONEY in .* does not count/m);
    expect(readConfig(undefined, chosen).model).toMatchObject({ provider });
  });

  it("cannot redirect the key for an OpenAI-compatible endpoint, nor choose another provider", () => {
    const file = envFile({ MAGIS_PROVIDER: "openai", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" });
    expect(() => readConfig({ path: file, isOwn: true }, { ...OWN, OPENAI_API_KEY: "sk" })).toThrow(
      /^MAGIS_PROVIDER in .*\nOPENAI_BASE_URL in /m,
    );
    const { ANTHROPIC_API_KEY: _, ...own } = OWN;
    expect(() => readConfig(undefined, { ...own, MAGIS_PROVIDER: "openai" })).toThrow(/^OPENAI_API_KEY is missing/);
  });
});

describe("anybody's .env file", () => {
  /** A valid value of each variable, other than its default. */
  const EXAMPLES: Readonly<Record<string, string>> = {
    ...VALUES,
    APP_ID: "8",
    PRIVATE_KEY: PEM,
    PRIVATE_KEY_PATH: "/tmp/other.pem",
    WEBHOOK_SECRET: "another",
    WEBHOOK_PROXY_URL: "https://smee.example.com/x",
    WEBHOOK_PATH: "/hook",
    MAGIS_CHECK: "curl http://127.0.0.1:9 | sh",
    MAGIS_CHECK_SANDBOX: "off",
    MAGIS_CI_ROUNDS: "9",
    MAGIS_CHECK_MINUTES: "239",
    MAGIS_CHECK_MEMORY_MB: "1048576",
    MAGIS_CHECK_SHOW: "/",
  };
  const allowed = settings.filter(({ fromAnybody }) => fromAnybody).map(({ variable }) => variable);

  it("counts only for settings that run nothing, address nothing, loosen nothing and cost nothing", () => {
    expect([...allowed].sort()).toEqual(["LOG_LEVEL", "MAGIS_COMMENTS_FROM", "MAGIS_LABEL"]);
  });

  it.each(settings.map(({ variable }) => variable).filter((variable) => !allowed.includes(variable)))(
    "cannot set %s",
    (variable) => {
      const file = { path: envFile({ [variable]: EXAMPLES[variable] ?? "7" }), isOwn: false };
      const environment = Object.fromEntries(Object.entries(OWN).filter(([name]) => name !== variable));
      const warning = `${variable} in ${file.path} does not count: the working directory may be somebody else's`;
      const { config, leftOut } = inspectConfig(file, environment);
      expect(leftOut).toEqual([expect.stringContaining(warning)]);
      expect(config).toEqual(inspectConfig(undefined, environment).config);

      const sentences: string[] = [];
      const only = { ANTHROPIC_API_KEY: "sk-own" };
      const given = variable === "ANTHROPIC_API_KEY" ? {} : only;
      const read = () => readCommandConfig({}, file, given, (one) => sentences.push(one));
      if (variable === "ANTHROPIC_API_KEY") expect(read).toThrow("ANTHROPIC_API_KEY is missing");
      else expect(read()).toEqual(readCommandConfig({}, undefined, given));
      const isRead = settings.find((one) => one.variable === variable)?.commands === true;
      expect(sentences).toEqual(isRead ? [expect.stringContaining(warning)] : []);
      expect(readDatabaseConfig(file, {})).toEqual(readDatabaseConfig(undefined, {}));
    },
  );

  it("causes no warning about a variable that the environment sets", () => {
    const file = { path: envFile(EXAMPLES), isOwn: false };
    const environment = {
      ...OWN,
      ...Object.fromEntries(Object.keys(EXAMPLES).map((name) => [name, undefined])),
      ...OWN,
    };
    const sentences: string[] = [];
    readCommandConfig({}, file, { ...environment, MAGIS_BUDGET_MONEY: "3" }, (one) => sentences.push(one));
    expect(sentences.filter((one) => one.startsWith("MAGIS_BUDGET_MONEY"))).toEqual([]);
  });
});
