import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { doctorCommand } from "../../../src/commands/doctor/doctor-command.ts";
import type { Finding } from "../../../src/commands/findings.ts";
import { runCli } from "../../../src/commands/run-cli.ts";
import { copyStarted } from "../../bot/copy-database.ts";
import { startBotHere } from "../../bot/start-bot.ts";
import { anotherRsaKey } from "../../fakes/rsa-key.ts";
import { commandContext, named } from "../command-context.ts";
import { startMagis, startMagisHere } from "../start-magis.ts";
import { type Github, startGithub } from "./start-github.ts";
import { type RouteServer, startRoutes } from "./start-routes.ts";

const SECRET = "the-webhook-secret";
const KEY = "sk-a-model-key";

/** The built command line in this process unless told, with nothing in its environment but `environment`. */
async function doctor(
  cwd: string,
  environment: Record<string, string>,
  words: readonly string[],
  start: typeof startMagis = startMagisHere,
) {
  const { exitCode, out, err } = await start(["doctor", ...words], { environment, cwd }).ended;
  return { exitCode, out: out.toString(), err };
}

describe("the command line", () => {
  it.each([["shop"], ["a/b", "c/d"], ["--call", "--no-model"], ["--call", "--offline"], ["a/b", "--repo", "."]])(
    "is wrong: %s %s %s",
    async (...words) => {
      const commands = [named("doctor", doctorCommand, { operand: { name: "R", description: "r", required: false } })];
      expect(await runCli(["doctor", ...words], commands, commandContext())).toMatchObject({ exitCode: 2 });
    },
  );
});

describe("magis doctor", () => {
  let folder: string;
  let github: Github;
  let provider: RouteServer;
  let bot: Awaited<ReturnType<typeof startBotHere>>;
  let environment: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-doctor-"));
    github = await startGithub(SECRET);
    const model = { body: { type: "model" } };
    provider = await startRoutes({ "GET /v1/models/claude-haiku-5-5": model, "GET /v1/models/claude-opus-5-5": model });
    environment = {
      ...github.environment(),
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: provider.url,
      MAGIS_DATA_DIR: folder,
      HOST: "127.0.0.1",
    };
    copyStarted(folder);
    bot = await startBotHere({ environment: { ...environment, PORT: "0" } });
    environment.PORT = new URL(bot.url).port;
    github.hook({ url: bot.webhookUrl, content_type: "json", secret: "********", insecure_ssl: "0" });
  });
  afterAll(async () => {
    await bot?.stop();
    await provider?.close();
    await github?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function findings(changed: Record<string, string>, words: readonly string[] = [], start = startMagisHere) {
    const { exitCode, out, err } = await doctor(folder, { ...environment, ...changed }, ["--json", ...words], start);
    expect(err).toBe("");
    const { ok, findings: all } = JSON.parse(out) as { ok: boolean; findings: Finding[] };
    expect(ok).toBe(exitCode === 0);
    for (const secret of [SECRET, KEY, changed.WEBHOOK_SECRET ?? SECRET, "PRIVATE KEY-----", "eyJ", "ghs_"])
      expect(out).not.toContain(secret);
    return { exitCode, all, faults: all.filter(({ level }) => level === "fault").map(({ check }) => check) };
  }

  it("finds everything well beside the running bot, which takes no harm", async () => {
    const { exitCode, all } = await findings({}, ["acme/shop"], startMagis);
    expect(all.filter(({ level }) => level !== "ok")).toEqual([
      expect.objectContaining({ check: "webhook settings", level: "warning", text: expect.stringContaining("https") }),
    ]);
    expect(exitCode).toBe(0);
    expect(all.find(({ check }) => check === "database")?.text).toContain(`process ${bot.pid}`);
    expect(bot.log.map(({ msg }) => msg)).toContain("webhook ping: the secret matches");
    expect(await fetch(`${bot.url}/readyz`)).toMatchObject({ status: 200 });
  });

  it("asks no model with --no-model", async () => {
    const asked = provider.asked.length;
    const { all } = await findings({}, ["--no-model"]);
    expect(all.map(({ check }) => check)).not.toContain("model of MAGIS_MODEL_FAST");
    expect(provider.asked).toHaveLength(asked);
  });

  it("finds the wrong key of the app, and goes on", async () => {
    const { exitCode, all, faults } = await findings({ PRIVATE_KEY: anotherRsaKey() });
    expect(exitCode).toBe(1);
    expect(faults).toEqual(["app registration"]);
    expect(all.filter(({ level }) => level === "skipped").map(({ check }) => check)).toContain("webhook signature");
  });

  it("finds the wrong secret and the missing permission", async () => {
    const { checks: _, ...permissions } = github.permissions;
    github.register({ permissions });
    const { exitCode, all, faults } = await findings({ WEBHOOK_SECRET: "another-secret" });
    github.register({ permissions: github.permissions });
    expect(exitCode).toBe(1);
    expect(faults).toEqual(["app permissions", "webhook signature"]);
    expect(all.find(({ check }) => check === "app permissions")?.text).toContain("checks: write");
  });

  it("checks only the configuration and the database", async () => {
    const asked = github.asked.length + provider.asked.length;
    const { exitCode, out } = await doctor(folder, { ...environment, APP_ID: "" }, ["--offline"]);
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^fault {4}configuration: APP_ID is missing/m);
    expect(out).toMatch(/^ok {7}database: The running bot \(process \d+\) has it open/m);
    expect(github.asked.length + provider.asked.length).toBe(asked);
  });
});
