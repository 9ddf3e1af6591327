import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  inspectConfig,
  readCommandConfig,
  readConfig,
  readDatabaseConfig,
} from "../../../src/config/environment/read-config.ts";
import { settingsIn } from "../../../src/model/setting-definitions/all-settings.ts";
import { valueAt } from "../../../src/model/setting-definitions/definition.ts";
import { rsaKey } from "../../fakes/rsa-key.ts";

const PRICES = { "claude-haiku-5-5": { input: 0.1, output: 0.5 }, "claude-opus-5-5": { input: 4, output: 20 } };
const PEM = rsaKey();
const OWN = { APP_ID: "7", WEBHOOK_SECRET: "s3cret", PRIVATE_KEY: PEM, ANTHROPIC_API_KEY: "sk-own" };
const settings = settingsIn("environment").map(([, { environment }]) => environment);

/** Values that differ from every default. */
const VALUES: Readonly<Record<string, string>> = {
  ...{ ANTHROPIC_BASE_URL: "http://127.0.0.1:9", GHE_HOST: "127.0.0.1:9", GHE_PROTOCOL: "http" },
  ...{ MAGIS_PROVIDER: "openai", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" },
  ...{ DATABASE_URL: "postgres://127.0.0.1:9/x", MAGIS_MODEL_FAST: "my-model", MAGIS_MODEL_STRONG: "my-model" },
  ...{ MAGIS_EFFORT_FAST: "max", MAGIS_EFFORT_STRONG: "max", MAGIS_PRICES: "my-model=0.0001/0.0001" },
  ...{
    MAGIS_BUDGET_MONEY: "9999",
    MAGIS_BUDGET_TOKENS: "999999999",
    MAGIS_BUDGET_MINUTES: "1439",
    MAGIS_BUDGET_CONTINUE: "99999",
  },
};

/** What decides where a secret goes, or what is spent with it, by its name: a new one has to be guarded. */
const MATTERS = /URL$|^GHE_|PROVIDER|PROXY|MODEL|EFFORT|PRICE|BUDGET/;

/** Where webhooks come from: nothing of ours goes there, and what comes counts only with its signature. */
const INWARD: readonly string[] = ["WEBHOOK_PROXY_URL"];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "magis-env-file-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What no file decides, whatever comes from the environment. */
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

describe("a .env file", () => {
  const guarded = settings.map(({ variable }) => variable).filter((variable) => guardsOf(variable).length > 0);

  it("is kept from every setting that says where a secret goes or what is spent with it", () => {
    const named = settings
      .map(({ variable }) => variable)
      .filter((variable) => MATTERS.test(variable) && ![...INWARD, ...ENVIRONMENT_ALONE].includes(variable));
    expect([...guarded].sort()).toEqual(named.sort());
    expect(Object.keys(VALUES).sort()).toEqual([...guarded].sort());
  });

  it.each(guarded.flatMap((variable) => guardsOf(variable).map((secret) => [variable, secret] as const)))(
    "does not decide %s when %s comes from the environment, whoever reads it",
    (variable, secret) => {
      const { place = "" } = settings.find((one) => one.variable === variable) ?? {};
      const environment = { ...OWN, [secret]: secret === "PRIVATE_KEY" ? PEM : "own-secret" };
      const file = envFile({ [variable]: VALUES[variable] ?? "" });
      const sentence = expect.stringContaining(`${variable} in ${file} does not count, since ${secret} comes`);
      expect(() => readConfig(PRICES, file, environment)).toThrow(`${variable} in ${file} does not count`);
      const { config, faults } = inspectConfig(PRICES, file, environment);
      expect(faults).toContainEqual(expect.stringContaining(`${variable} in ${file} does not count`));
      const without = readConfig(PRICES, undefined, { ...OWN });
      expect(valueAt(config, place)).toEqual(valueAt(without, place));
      expect(config.github).toMatchObject({ apiUrl: "https://api.github.com", webUrl: "https://github.com" });
      expect(config.model.prices).toEqual(PRICES);

      const told: string[] = [];
      const only = { ANTHROPIC_API_KEY: "sk-own", [secret]: "own-secret" };
      const command = readCommandConfig(PRICES, {}, file, only, (one) => told.push(one));
      expect(command.model).toEqual(readCommandConfig(PRICES, {}, undefined, only).model);
      expect(command.budget).toEqual(readCommandConfig(PRICES, {}, undefined, only).budget);
      const isRead = settings.find((one) => one.variable === variable)?.commands === true;
      if (isRead) expect(told).toEqual([expect.stringContaining(`${variable} in ${file} does not count`)]);
      const database = readDatabaseConfig(file, only, (one) => told.push(one));
      expect(database).not.toHaveProperty("url");
      if (variable === "DATABASE_URL") expect(told).toEqual([sentence]);
    },
  );

  it("decides what the same file has the secret for, and what the environment says too", () => {
    const file = envFile({ ...VALUES, ...OWN, OPENAI_API_KEY: "sk-own" });
    const fromFile = readConfig(PRICES, file, {});
    expect(fromFile.model.baseUrl).toBe("http://127.0.0.1:9");
    expect(fromFile.budget.money).toBe(9999);
    // Exported by hand from the same file.
    expect(readConfig(PRICES, file, { ANTHROPIC_API_KEY: OWN.ANTHROPIC_API_KEY }).budget.money).toBe(9999);
    const both = readConfig(PRICES, file, {
      ...OWN,
      ANTHROPIC_API_KEY: "sk-other",
      ...VALUES,
      MAGIS_BUDGET_MONEY: "3",
    });
    expect(both.budget.money).toBe(3);
  });

  it("sets no variable that is not ours: neither proxies nor certificates nor what libraries read", () => {
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
    const config = readConfig(PRICES, file, OWN);
    expect(JSON.stringify(config)).not.toContain("127.0.0.1:9");
    expect({ ...process.env }).toEqual(before);
  });

  it.each(["bedrock", "vertex"])("does not choose %s, whose secrets no variable of ours holds", (provider) => {
    const file = envFile({ MAGIS_PROVIDER: provider, MAGIS_BUDGET_MONEY: "9999" });
    const { ANTHROPIC_API_KEY: _, ...own } = OWN;
    expect(() => readConfig(PRICES, file, own)).toThrow(/^MAGIS_PROVIDER in .* does not count/m);
    const chosen = { ...own, MAGIS_PROVIDER: provider };
    expect(() => readConfig(PRICES, file, chosen)).toThrow(/^MAGIS_BUDGET_MONEY in .* does not count/m);
    expect(readConfig(PRICES, undefined, chosen).model).toMatchObject({ provider });
  });

  it("says neither where the key for an OpenAI-compatible endpoint goes, nor that another provider is asked", () => {
    const file = envFile({ MAGIS_PROVIDER: "openai", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" });
    expect(() => readConfig(PRICES, file, { ...OWN, OPENAI_API_KEY: "sk" })).toThrow(
      /^MAGIS_PROVIDER in .*\nOPENAI_BASE_URL in /m,
    );
    const { ANTHROPIC_API_KEY: _, ...own } = OWN;
    expect(() => readConfig(PRICES, undefined, { ...own, MAGIS_PROVIDER: "openai" })).toThrow(
      /^OPENAI_API_KEY is missing/,
    );
  });
});
