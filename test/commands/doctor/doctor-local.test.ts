import fs from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import git from "isomorphic-git";
import { checkDatabase, verdictOf } from "../../../src/commands/doctor/check-database.ts";
import {
  checkConfiguration,
  checkDiskSpace,
  checkEnvFile,
  checkFileRights,
  checkNode,
} from "../../../src/commands/doctor/check-local.ts";
import { openDatabase } from "../../../src/queue/database/open-database.ts";
import { inspectConfig } from "../../../src/settings/environment/read-config.ts";
import { copyStarted } from "../../bot/copy-database.ts";
import { createPostgresDatabase, QUIET } from "../../queue/database/test-databases.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "magis-doctor-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the machine", () => {
  it.each([
    ["v20.19.0", "ok"],
    ["v24.1.0", "ok"],
    ["v20.18.9", "fault"],
    ["v18.20.0", "fault"],
  ])("Node.js %s: %s", (version, level) => {
    expect(checkNode(version)).toMatchObject({ level });
  });

  it("reports an .env file that git would commit, has committed, ignores, or that is missing", async () => {
    const dir = join(folder, "repository");
    await mkdir(dir);
    const file = join(dir, ".env");
    expect(await checkEnvFile(file)).toMatchObject({ level: "ok", text: expect.stringContaining("There is no file") });
    await writeFile(file, "A=1\n");
    expect(await checkEnvFile(file)).toMatchObject({
      level: "ok",
      text: expect.stringContaining("not in a git repository"),
    });
    await git.init({ fs, dir });
    expect(await checkEnvFile(file)).toMatchObject({ level: "warning", remedy: expect.stringContaining(".gitignore") });
    await writeFile(join(dir, ".gitignore"), ".env\n");
    expect(await checkEnvFile(file)).toMatchObject({ level: "ok", text: "Git ignores it." });
    await git.add({ fs, dir, filepath: ".env", force: true });
    expect(await checkEnvFile(file)).toMatchObject({
      level: "warning",
      text: expect.stringContaining("Git tracks it"),
    });
  });

  it("reports files that others can read", async () => {
    const file = join(folder, "key.pem");
    expect(await checkFileRights(undefined)).toEqual([]);
    expect(await checkFileRights(file)).toEqual([]);
    await writeFile(file, "x");
    await chmod(file, 0o640);
    expect(await checkFileRights(file)).toMatchObject({
      level: "warning",
      text: expect.stringContaining("640"),
    });
    await chmod(file, 0o600);
    expect(await checkFileRights(file)).toMatchObject({ level: "ok" });
  });

  it("reports free disk space, and a directory that cannot be created", async () => {
    const missing = join(folder, "not", "yet");
    expect(await checkDiskSpace(missing, 1)).toMatchObject({
      level: "ok",
      text: expect.stringContaining("first start"),
    });
    expect(fs.existsSync(missing)).toBe(false);
    expect(await checkDiskSpace(folder, Number.MAX_VALUE)).toMatchObject({ level: "warning" });
    const file = join(folder, "a-file");
    await writeFile(file, "");
    expect(await checkDiskSpace(join(file, "data"))).toMatchObject({ level: "fault" });
  });
});

describe("the configuration", () => {
  it("gives every fault, and what can be read all the same", async () => {
    const environment = {
      APP_ID: "seven",
      PORT: "0",
      ANTHROPIC_API_KEY: "sk-1",
      DATABASE_URL: "mysql://x",
      PRIVATE_KEY_PATH: "no.pem",
      MAGIS_MODEL_FAST: "cheap",
      MAGIS_PRICES: "cheap=1/2",
      MAGIS_MODEL_STRONG: "dear",
    };
    const { appFaults, faults, sound: isSound, config, keyFile } = inspectConfig(undefined, environment);
    expect([...appFaults, ...faults].map((fault) => fault.split(" ")[0]).sort()).toEqual(
      ["APP_ID", "DATABASE_URL", "MAGIS_MODEL_STRONG", "PRIVATE_KEY_PATH", "WEBHOOK_SECRET"].sort(),
    );
    expect(isSound("ANTHROPIC_API_KEY", "PORT", "MAGIS_MODEL_STRONG")).toBe(true);
    for (const name of ["APP_ID", "PRIVATE_KEY", "WEBHOOK_SECRET", "DATABASE_URL"] as const)
      expect(isSound(name)).toBe(false);
    expect(config.model).toMatchObject({ apiKey: "sk-1", models: { fast: "cheap", strong: "dear" } });
    expect(keyFile).toBe("no.pem");
    const sound = { hasApp: true, appFaults: [], faults: [], unknown: [] };
    const commands = { toSetUp: "Run magis setup." };
    expect(checkConfiguration({ ...sound, appFaults, faults }, commands)).toHaveLength(5);
    expect(checkConfiguration(sound, commands)).toMatchObject([{ level: "ok" }]);
    expect(checkConfiguration({ ...sound, unknown: ["MAGIS_LABLE is no setting."] }, commands)).toMatchObject([
      { level: "warning" },
    ]);
  });

  it("says first that no app is configured, and what registers one, in place of its variables one by one", async () => {
    const inspected = inspectConfig(undefined, {});
    const findings = checkConfiguration(inspected, { toSetUp: "Run magis setup." });
    expect(findings[0]).toMatchObject({
      level: "fault",
      text: expect.stringContaining("No GitHub App is configured"),
      remedy: "Run magis setup.",
    });
    const others = findings.slice(1).map(({ text }) => text);
    expect(others).toContainEqual(expect.stringContaining("ANTHROPIC_API_KEY"));
    expect(others.filter((text) => /^(APP_ID|WEBHOOK_SECRET|PRIVATE_KEY)/.test(text))).toEqual([]);
  });

  it("reports a file that cannot be read", () => {
    expect(inspectConfig({ path: folder, isOwn: true }, {}).faults[0]).toContain("cannot be read");
  });
});

describe("the database", () => {
  it("is not there yet, opens, is held, and has a lock left behind", async () => {
    const dataDir = join(folder, "data");
    expect(await checkDatabase({ dataDir })).toMatchObject({
      level: "ok",
      text: expect.stringContaining("There is none"),
    });
    copyStarted(dataDir);
    const database = await openDatabase({ dataDir, log: QUIET });
    expect(await checkDatabase({ dataDir })).toMatchObject({
      level: "ok",
      text: expect.stringContaining(`process ${process.pid}`),
    });
    await database.close();
    expect(await checkDatabase({ dataDir })).toMatchObject({
      level: "ok",
      text: expect.stringContaining("with 0 runs."),
    });
    // A killed process leaves it behind.
    await writeFile(join(dataDir, "magis.lock"), "");
    expect(await checkDatabase({ dataDir })).toMatchObject({ level: "ok" });
  });

  it("stays where it is when it does not open", async () => {
    const dataDir = join(folder, "broken");
    await mkdir(join(dataDir, "postgres"), { recursive: true });
    await writeFile(join(dataDir, "postgres", "PG_VERSION"), "9.1\n");
    expect(await checkDatabase({ dataDir })).toMatchObject({
      level: "fault",
      text: expect.stringContaining(`The data directory ${dataDir} cannot be used: `),
      remedy: expect.stringContaining("deletes nothing"),
    });
    expect(fs.readdirSync(dataDir)).toContain("postgres");
  });

  it("reports a server that does not answer, without the password", async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const url = `postgres://me:hidden-word@127.0.0.1:${port}/magis`;
    const finding = await checkDatabase({ dataDir: folder, url });
    expect(finding).toMatchObject({ level: "fault", remedy: expect.stringContaining("DATABASE_URL") });
    expect(JSON.stringify(finding)).not.toContain("hidden-word");
    server.close();
  });

  it("reports missing permissions", () => {
    expect(verdictOf("PostgreSQL", { mayCreate: false })).toMatchObject({ level: "fault" });
    expect(verdictOf("PostgreSQL", { mayCreate: false, runs: 0 })).toMatchObject({ level: "warning" });
    expect(verdictOf("PostgreSQL", { mayCreate: true })).toMatchObject({ level: "ok" });
  });

  (process.env.TEST_DATABASE_URL === undefined ? it.skip : it)("opens on PostgreSQL", async () => {
    const { url, drop } = await createPostgresDatabase();
    try {
      expect(await checkDatabase({ dataDir: folder, url })).toMatchObject({ level: "ok" });
    } finally {
      await drop();
    }
  });
});
