import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sign } from "@octokit/webhooks-methods";
import type { Pool } from "pg";
import { createEvolutionMemory } from "../../src/queue/database/evolution-memory.ts";
import { openDatabase } from "../../src/queue/database/open-database.ts";
import { copyStarted } from "../bot/copy-database.ts";
import { startBotHere } from "../bot/start-bot.ts";
import { rsaKey } from "../fakes/rsa-key.ts";
import { createPostgresDatabase, QUIET } from "../queue/database/test-databases.ts";
import { startMagis, startMagisHere } from "./start-magis.ts";

const SECRET = "a-webhook-secret";
const repository = (name: string, installationId: number) => ({ owner: "acme", name, installationId });
const SHOP = repository("shop", 1);
const SHOP_ELSEWHERE = repository("Shop", 2);
const TILL = repository("till", 1);

type Place = { dataDir: string; url?: string };

/** The built command line, in this process unless told; nothing is set but where the database is. */
async function magis({ dataDir, url }: Place, words: readonly string[], start: typeof startMagis = startMagisHere) {
  const environment = { MAGIS_DATA_DIR: dataDir, DATABASE_URL: url ?? "" };
  const { exitCode, out, err } = await start(words, { environment, cwd: dataDir }).ended;
  return { exitCode, out: out.toString(), err };
}

async function withPool<T>(place: Place, body: (pool: Pool) => Promise<T>) {
  const database = await openDatabase({ ...place, log: QUIET });
  try {
    return await body(database.pool);
  } finally {
    await database.close();
  }
}

const withMemory = <T>(place: Place, body: (memory: ReturnType<typeof createEvolutionMemory>) => Promise<T>) =>
  withPool(place, (pool) => body(createEvolutionMemory(pool, { maxVersions: 100, log: QUIET })));

const learn = (place: Place) =>
  withMemory(place, async (memory) => {
    for (const one of [SHOP, SHOP_ELSEWHERE, TILL])
      for (const path of ["a.js", "b.js"])
        await memory.update(one, { path, blob: `${path}1`, summary: "It is known." });
  });
const known = (place: Place) =>
  withMemory(place, async (memory) => {
    const found = await Promise.all([SHOP, SHOP_ELSEWHERE, TILL].map((one) => memory.recall(one, "a.js", "a.js1")));
    return found.map((version) => version !== undefined);
  });

describe("magis forget, the bot not running", () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "magis-forget-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it("reports a missing database and creates none", async () => {
    const ended = await magis({ dataDir }, ["forget", "acme/shop"]);
    expect(ended).toMatchObject({ exitCode: 1, out: "", err: expect.stringContaining("There is no database in") });
  });

  it("deletes a repository's memory in every installation, and nothing else", async () => {
    copyStarted(dataDir);
    await learn({ dataDir });
    const ended = await magis({ dataDir }, ["forget", "Acme/SHOP"]);
    expect(ended).toEqual({ exitCode: 0, out: "Deleted 4 summaries of files of Acme/SHOP.\n", err: "" });
    expect(await known({ dataDir })).toEqual([false, false, true]);
  });

  it("ends with 2 on wrong usage", async () => {
    for (const words of [[], ["shop"], ["a/b/c"], ["a/"], ["/b"], ["a/b", "c/d"], ["a b/c"]])
      expect(await magis({ dataDir }, ["forget", ...words])).toMatchObject({ exitCode: 2, out: "" });
  });
});

describe("while the bot runs on its embedded database", () => {
  let dataDir: string;
  let bot: Awaited<ReturnType<typeof startBotHere>>;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "magis-forget-"));
    copyStarted(dataDir);
    await learn({ dataDir });
    const ended =
      "INSERT INTO magis.ledger (work, ended, installation, owner, repo) VALUES ('resolve', now(), 1, $1, $2)";
    await withPool({ dataDir }, (pool) => pool.query(ended, [TILL.owner, TILL.name]));
    const secrets = {
      PRIVATE_KEY: rsaKey(),
      APP_ID: "7",
      WEBHOOK_SECRET: SECRET,
      ANTHROPIC_API_KEY: "none",
    };
    bot = await startBotHere({ environment: { ...secrets, MAGIS_DATA_DIR: dataDir } });
  });
  afterAll(async () => {
    await bot?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("magis forget is done by the bot, and an uninstallation by its webhook", async () => {
    const ended = await magis({ dataDir }, ["forget", "acme/shop"], startMagis);
    expect(ended).toEqual({ exitCode: 0, out: "Deleted 4 summaries of files of acme/shop.\n", err: "" });
    expect(bot.log.find(({ msg }) => msg === "command done")).toMatchObject({ repository: "acme/shop", versions: 4 });
    expect(await magis({ dataDir }, ["forget", "acme/shop"])).toMatchObject({
      out: "Nothing was remembered of acme/shop.\n",
    });

    const body = JSON.stringify({ action: "deleted", installation: { id: 1 } });
    const response = await fetch(bot.webhookUrl, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-github-event": "installation",
        "x-github-delivery": "guid-1",
        "x-hub-signature-256": await sign(SECRET, body),
      },
    });
    expect(response.status).toBe(200);
    expect(await bot.stop()).toBe(0);
    expect(await known({ dataDir })).toEqual([false, false, false]);
    const left = await withPool({ dataDir }, (pool) => pool.query("SELECT owner, forget FROM magis.ledger"));
    // Its names stay until the month's limits no longer need them.
    expect(left.rows).toEqual([{ owner: TILL.owner, forget: "after month" }]);
  });
});

const onPostgres = process.env.TEST_DATABASE_URL === undefined ? describe.skip : describe;
onPostgres("magis forget on PostgreSQL", () => {
  it("goes to the server of DATABASE_URL", async () => {
    const { url, drop } = await createPostgresDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), "magis-forget-"));
    try {
      await learn({ dataDir, url });
      expect(await magis({ dataDir, url }, ["forget", "acme/till"])).toMatchObject({ exitCode: 0 });
      expect(await known({ dataDir, url })).toEqual([true, true, false]);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
      await drop();
    }
  });
});
