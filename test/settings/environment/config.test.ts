import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { isMagisError } from "../../../src/data/error.ts";
import { limitsBelowARun } from "../../../src/settings/environment/limits-below-a-run.ts";
import { credentialVariables } from "../../../src/settings/environment/piped-secrets.ts";
import { gitEnvironment, readCommandConfig, readConfig } from "../../../src/settings/environment/read-config.ts";
import { rsaKey } from "../../fakes/rsa-key.ts";

const [PKCS1, PKCS8] = [rsaKey("pkcs1"), rsaKey("pkcs8")];
const SECRET = "a-webhook-secret";
const API_KEY = "an-api-key";
const VALID = { APP_ID: "7", PRIVATE_KEY: PKCS1, WEBHOOK_SECRET: SECRET, ANTHROPIC_API_KEY: API_KEY };

const read = (environment: Record<string, string | undefined>) => readConfig(undefined, environment);

function faultsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    read(environment);
  } catch (error) {
    if (!isMagisError(error, "CONFIGURATION_INVALID")) throw error;
    return error.message.split("\n");
  }
  return [];
}

describe("readConfig", () => {
  it("fills in the defaults and groups by consumer", () => {
    expect(read(VALID)).toMatchObject({
      github: { appId: 7, privateKey: PKCS8, webhookSecret: SECRET, apiUrl: "https://api.github.com" },
      server: { host: "localhost", port: 3000, webhookPath: "/api/github/webhooks" },
      log: { level: "info" },
      model: { apiKey: API_KEY, models: { fast: "claude-haiku-5-5", strong: "claude-opus-5-5" }, effort: {} },
      budget: { money: 5, tokens: 3_000_000, minutes: 30 },
      engine: { concurrency: 2, retentionDays: 30 },
      database: { dataDir: join(process.cwd(), "data") },
      trigger: { label: "magis", allowedBots: [] },
      agents: { ciRounds: 3, proof: "auto" },
      clone: { maxUnpackedBytes: 1024 ** 3 },
      pullRequest: { draft: true },
    });
  });

  it("reads the variables that are set", () => {
    const config = read({
      ...VALID,
      GHE_HOST: "127.0.0.1:8080",
      GHE_PROTOCOL: "http",
      PORT: "0",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9/",
      DATABASE_URL: "postgres://me:pw@localhost/magis",
      MAGIS_ALLOWED_BOTS: "renovate[bot], other",
      MAGIS_DRAFT: "False",
      MAGIS_EFFORT_STRONG: "xhigh",
      MAGIS_MODEL_STRONG: "house-model",
      MAGIS_PRICES: "house-model = 1.5/6/0.15, claude-haiku-5-5=1/1",
      MAGIS_BUDGET_MONEY: "0.25",
    });
    expect(config.github).toMatchObject({ apiUrl: "http://127.0.0.1:8080/api/v3", webUrl: "http://127.0.0.1:8080" });
    expect(config.server.port).toBe(0);
    expect(config.model.baseUrl).toBe("http://127.0.0.1:9");
    expect(config.model.models.strong).toBe("house-model");
    expect(config.model.effort).toEqual({ strong: "xhigh" });
    expect(config.model.prices["house-model"]).toEqual({ input: 1.5, output: 6, cacheRead: 0.15 });
    expect(config.model.prices["claude-haiku-5-5"]).toEqual({ input: 1, output: 1 });
    expect(config.database.url).toBe("postgres://me:pw@localhost/magis");
    expect(config.trigger.allowedBots).toEqual(["renovate[bot]", "other"]);
    expect(config.pullRequest.draft).toBe(false);
    expect(config.budget.money).toBe(0.25);
  });

  it("accepts a PostgreSQL socket", () => {
    const url = "postgres:///magis?host=/var/run/postgresql";
    expect(read({ ...VALID, DATABASE_URL: url }).database.url).toBe(url);
  });

  it("lets a process do no runs only where another one can", () => {
    expect(faultsOf({ ...VALID, MAGIS_CONCURRENCY: "0" })).toEqual([
      "DATABASE_URL is missing: set it. A PostgreSQL database. MAGIS_CONCURRENCY=0 needs it.",
    ]);
    const url = "postgres://localhost/magis";
    expect(read({ ...VALID, MAGIS_CONCURRENCY: "0", DATABASE_URL: url }).engine.concurrency).toBe(0);
  });

  it("treats an empty or blank variable as not set", () => {
    expect(read({ ...VALID, PORT: "", MAGIS_LABEL: "  ", GHE_HOST: "" })).toEqual(read(VALID));
  });

  it("reports every fault at once, each in a sentence", () => {
    const faults = faultsOf({
      PORT: "x",
      MAGIS_DRAFT: "maybe",
      MAGIS_MODEL_FAST: "new-model",
      DATABASE_URL: "mysql://a",
    });
    const expected = [
      /^APP_ID is missing: set it\. /,
      /^WEBHOOK_SECRET is missing: set it\. /,
      /^PRIVATE_KEY is missing: /,
      /^PORT must be a whole number from 0 to 65535\.$/,
      /^DATABASE_URL must be a whole address that begins with postgres:\/\/ or postgresql:\/\/\.$/,
      /^MAGIS_DRAFT must be true or false\.$/,
      /^ANTHROPIC_API_KEY is missing: set it\. /,
      /^MAGIS_MODEL_FAST names new-model, whose price is not known: add new-model=input\/output to MAGIS_PRICES/,
    ];
    expect(faults).toHaveLength(expected.length);
    for (const [index, form] of expected.entries()) expect(faults[index]).toMatch(form);
  });

  it.each([
    ["APP_ID", "0"],
    ["WEBHOOK_SECRET", "development"],
    ["WEBHOOK_PATH", "hooks"],
    ["WEBHOOK_PATH", "/"],
    ["WEBHOOK_PATH", "/healthz"],
    ["GHE_HOST", "https://github.example.com"],
    ["GHE_PROTOCOL", "ftp"],
    ["PORT", "65536"],
    ["LOG_LEVEL", "loud"],
    ["ANTHROPIC_API_KEY", "two words"],
    ["ANTHROPIC_BASE_URL", "gateway.example.com"],
    ["DATABASE_URL", "localhost:5432"],
    ["MAGIS_CONCURRENCY", "65"],
    ["MAGIS_LABEL", "a,b"],
    ["MAGIS_ALLOWED_BOTS", "a/b"],
    ["MAGIS_EFFORT_FAST", "extreme"],
    ["MAGIS_PRICES", "claude-haiku-5-5=1"],
    ["MAGIS_PRICES", "claude-haiku-5-5=1/2/3/4"],
    ["MAGIS_BUDGET_MONEY", "0"],
    ["MAGIS_BUDGET_TOKENS", "1e6"],
    ["MAGIS_BUDGET_MINUTES", "Infinity"],
  ])("refuses %s=%s with one sentence about it", (name, value) => {
    const faults = faultsOf({ ...VALID, [name]: value });
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} must .*\\.$`))]);
  });

  it("puts no secret into the message", () => {
    const secrets = ["s3cr3t one", "s3cr3t-two", "mysql://me:s3cr3t@db/x", "ftp://me:s3cr3t@gateway"];
    const [ANTHROPIC_API_KEY, PRIVATE_KEY, DATABASE_URL, ANTHROPIC_BASE_URL] = secrets;
    const misplaced = { APP_ID: "s3cr3t", PORT: "s3cr3t", PRIVATE_KEY_PATH: "/s3cr3t" };
    const faults = faultsOf({ ...misplaced, ANTHROPIC_API_KEY, PRIVATE_KEY, DATABASE_URL, ANTHROPIC_BASE_URL });
    expect(faults.length).toBeGreaterThanOrEqual(6);
    expect(faults.join("\n")).not.toContain("s3cr3t");
  });
});

describe("the private key", () => {
  it.each([
    ["with real line ends", PKCS1],
    ["with CRLF", PKCS8.replaceAll("\n", "\r\n")],
    ["with \\n", PKCS1.replaceAll("\n", "\\n")],
    ["with blanks for line ends", PKCS8.replaceAll("\n", " ")],
    ["in base64", Buffer.from(PKCS1).toString("base64")],
  ])("is read %s", (_, text) => {
    expect(read({ ...VALID, PRIVATE_KEY: text }).github.privateKey).toBe(PKCS8);
  });

  it("can come from a file, which must exist and hold a key", () => {
    const folder = mkdtempSync(join(tmpdir(), "magis-config-"));
    try {
      const file = (name: string, content: string) => {
        writeFileSync(join(folder, name), content);
        return { ...VALID, PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: join(folder, name) };
      };
      expect(read(file("good.pem", PKCS1)).github.privateKey).toBe(PKCS8);
      expect(faultsOf(file("bad.pem", "no key"))).toEqual([
        expect.stringMatching(/^PRIVATE_KEY_PATH is not a readable/),
      ]);
      const absent = { ...VALID, PRIVATE_KEY: "", PRIVATE_KEY_PATH: join(folder, "absent.pem") };
      expect(faultsOf(absent)).toEqual([expect.stringMatching(/^PRIVATE_KEY_PATH names a file that does not exist/)]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("is refused when it is cut off or of another kind", () => {
    const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const pem = elliptic.export({ type: "pkcs8", format: "pem" }).toString();
    for (const PRIVATE_KEY of [PKCS1.slice(0, 400), pem, "-----BEGIN"]) {
      expect(faultsOf({ ...VALID, PRIVATE_KEY })).toEqual([
        expect.stringMatching(/^PRIVATE_KEY is not a readable RSA/),
      ]);
    }
  });
});

describe("a limit of money below what a run may cost", () => {
  it("is said, since no run could start", () => {
    const config = read({ ...VALID, MAGIS_BUDGET_MONEY: "5", MAGIS_BUDGET_DAY: "5", MAGIS_BUDGET_MONTH_PERSON: "3" });
    expect(limitsBelowARun(config)).toEqual([
      expect.stringMatching(
        /^MAGIS_BUDGET_MONTH_PERSON is \$3\.00, and one run may cost \$5\.00 .* no run can start\./,
      ),
    ]);
  });
});

const KEY = { ANTHROPIC_API_KEY: API_KEY };
type Variables = Readonly<Record<string, string | undefined>>;

/** With the text `file` as the `.env` of the working directory. */
function readForCommand(
  environment: Variables,
  { chosen = {}, file = "" }: { chosen?: Variables; file?: string } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "magis-config-"));
  try {
    writeFileSync(join(folder, ".env"), file);
    return readCommandConfig(chosen, { path: join(folder, ".env"), isOwn: true }, environment);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("readCommandConfig", () => {
  it("needs the model's key and no app", () => {
    const config = readForCommand(KEY);
    expect(config).toMatchObject({ budget: { money: 5 }, agents: { profile: "lean" } });
    expect(config.github).toEqual({ apiUrl: "https://api.github.com", webUrl: "https://github.com" });
    expect(() => readForCommand({ PORT: "none" })).toThrow(/^ANTHROPIC_API_KEY is missing: set it\. [^\n]+$/);
  });

  it("takes GitHub's token and host, and prefers the command line's values", () => {
    const environment = { ...KEY, GITHUB_TOKEN: "t", GHE_HOST: "ghe.example", MAGIS_CI_ROUNDS: "3" };
    const config = readForCommand(environment, { chosen: { MAGIS_CI_ROUNDS: "7" } });
    expect(config.github).toEqual({
      apiUrl: "https://ghe.example/api/v3",
      webUrl: "https://ghe.example",
      token: "t",
    });
    expect(config.agents.ciRounds).toBe(7);
    expect(() => readForCommand(KEY, { chosen: { MAGIS_MODEL_STRONG: "unknown" } })).toThrow(/price is not known/);
  });
});

describe("gitEnvironment", () => {
  it("drops the variables that would point git at another repository", () => {
    const kept = { PATH: "/bin", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    const dropped = { GIT_DIR: "/x", GIT_WORK_TREE: "/x", GIT_INDEX_FILE: "/x", GIT_CONFIG_COUNT: "1" };
    expect(gitEnvironment({ ...kept, ...dropped, GIT_ALTERNATE_OBJECT_DIRECTORIES: "/x" })).toEqual(kept);
  });
});

describe(".env.example", () => {
  const text = readFileSync(new URL("../../../.env.example", import.meta.url), "utf8");

  it("is a .env file whose uncommented lines are valid once filled in", () => {
    const active = parseEnv(text);
    expect(Object.values(active).every((value) => value === "")).toBe(true);
    expect(() => readConfig(undefined, { ...active, ...VALID })).not.toThrow();
  });

  it("is valid with every line uncommented", () => {
    const every = parseEnv(text.replace(/^#(?=[A-Z])/gm, ""));
    expect(() => readConfig(undefined, { ...every, ...VALID })).not.toThrow();
  });
});

describe("a .env file", () => {
  it("fills in what the environment lacks; absent is fine, unreadable is reported", () => {
    const folder = mkdtempSync(join(tmpdir(), "magis-env-"));
    try {
      const file = join(folder, ".env");
      expect(readConfig({ path: file, isOwn: true }, VALID).server.port).toBe(3000);
      const { PRIVATE_KEY, ...keyless } = VALID;
      const key = PRIVATE_KEY.replaceAll("\n", "\\n");
      writeFileSync(file, `# a note\nPRIVATE_KEY="${key}"\nPORT=1\nMAGIS_LABEL='from file'\nHOST=from-file\n`);
      const config = readConfig({ path: file, isOwn: true }, { ...keyless, PORT: "2", HOST: "" });
      expect(config.server).toMatchObject({ port: 2, host: "localhost" });
      expect(config.trigger.label).toBe("from file");
      expect(() => readConfig({ path: folder, isOwn: true }, VALID)).toThrow(/cannot be read/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it("systemd's credentials are the variables they are named by, unless these are set", () => {
  const folder = mkdtempSync(join(tmpdir(), "magis-credentials-"));
  try {
    writeFileSync(join(folder, "ANTHROPIC_API_KEY"), "key\n");
    writeFileSync(join(folder, "PRIVATE_KEY"), "-----BEGIN\nline\n-----END\n");
    writeFileSync(join(folder, "WEBHOOK_SECRET"), "from the file");
    writeFileSync(join(folder, "other.pem"), "not ours");
    mkdirSync(join(folder, "folder"));
    const given = { CREDENTIALS_DIRECTORY: folder, WEBHOOK_SECRET: "set" };
    expect(credentialVariables(given)).toEqual({ ANTHROPIC_API_KEY: "key", PRIVATE_KEY: "-----BEGIN\nline\n-----END" });
    expect(credentialVariables({})).toEqual({});
  } finally {
    rmSync(folder, { recursive: true });
  }
});
