import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sign } from "@octokit/webhooks-methods";
import { copyStarted } from "../bot/copy-database.ts";
import { createPostgresDatabase } from "../queue/database/test-databases.ts";
import { magis, type Place, startBotOn, WEBHOOK_SECRET, withMemory, withPool } from "./own-database.ts";
import { startMagis } from "./start-magis.ts";

const repository = (name: string, installationId: number) => ({ owner: "acme", name, installationId });
const SHOP = repository("shop", 1);
const SHOP_ELSEWHERE = repository("Shop", 2);
const TILL = repository("till", 1);

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
  let bot: Awaited<ReturnType<typeof startBotOn>>;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "magis-forget-"));
    copyStarted(dataDir);
    await learn({ dataDir });
    const ended =
      "INSERT INTO magis.ledger (work, ended, installation, owner, repo) VALUES ('resolve', now(), 1, $1, $2)";
    await withPool({ dataDir }, (pool) => pool.query(ended, [TILL.owner, TILL.name]));
    bot = await startBotOn(dataDir);
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
        "x-hub-signature-256": await sign(WEBHOOK_SECRET, body),
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
