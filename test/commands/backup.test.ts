import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { copyStarted } from "../bot/copy-database.ts";
import { createPostgresDatabase } from "../queue/database/test-databases.ts";
import { magis, type Place, startBotOn, withMemory } from "./own-database.ts";

const SHOP = { owner: "acme", name: "shop", installationId: 1 };

const learn = (place: Place) =>
  withMemory(place, (memory) => memory.update(SHOP, { path: "a.js", blob: "a1", summary: "It adds up." }));

const recalled = (place: Place) => withMemory(place, (memory) => memory.recall(SHOP, "a.js", "a1"));

describe("a backup of the embedded database", () => {
  let home: string;
  const folder = (name: string) => ({ dataDir: join(home, name) });
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "magis-backup-"));
    copyStarted(folder("bot").dataDir);
    await learn(folder("bot"));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));
  const bot = () => folder("bot");
  const at = (name: string) => join(home, name);

  it("holds what the database held, and only its owner may read it", async () => {
    const ended = await magis(bot(), ["backup", at("first.gz")]);
    expect(ended).toMatchObject({ exitCode: 0, err: "", out: expect.stringContaining("Wrote ") });
    expect((await stat(at("first.gz"))).mode & 0o777).toBe(0o600);
    const restored = { dataDir: await mkdtemp(at("restored-")) };
    expect(await magis(restored, ["restore", at("first.gz")])).toMatchObject({ exitCode: 0, err: "" });
    expect(await recalled(restored)).toMatchObject({ summary: "It adds up." });
  });

  it("is written while the bot has the database open, and the bot works on", async () => {
    const running = await startBotOn(bot().dataDir);
    try {
      expect(await magis(bot(), ["backup", at("live.gz")])).toMatchObject({ exitCode: 0, err: "" });
      expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
      const refused = await magis(bot(), ["restore", at("live.gz")]);
      expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining("There is a database in") });
    } finally {
      await running.stop();
    }
    const restored = { dataDir: await mkdtemp(at("restored-")) };
    expect(await magis(restored, ["restore", at("live.gz")])).toMatchObject({ exitCode: 0, err: "" });
    expect(await recalled(restored)).toMatchObject({ summary: "It adds up." });
  });

  it("never overwrites a file, and leaves none behind when it fails", async () => {
    await writeFile(at("mine.txt"), "mine");
    expect(await magis(bot(), ["backup", at("mine.txt")])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("mine.txt exists. Name a new file for the backup."),
    });
    expect(await readFile(at("mine.txt"), "utf8")).toBe("mine");
    expect(await magis(bot(), ["backup", at("nowhere/there.gz")])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("cannot be written"),
    });
  });

  it.each([
    ["no backup at all", Buffer.from("Hello"), "is no backup made by magis backup"],
    ["a backup of a server", Buffer.from("PGDMP..."), "Set DATABASE_URL to restore it"],
    ["a damaged one", Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), "cannot be restored"],
  ])("is not restored from %s, which makes no database", async (_name, content, sentence) => {
    const target = { dataDir: await mkdtemp(at("target-")) };
    await writeFile(join(target.dataDir, "given"), content);
    expect(await magis(target, ["restore", "given"])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(sentence),
    });
    await expect(stat(join(target.dataDir, "postgres"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});

const onPostgres = process.env.TEST_DATABASE_URL === undefined ? describe.skip : describe;
onPostgres("a backup of a PostgreSQL database", () => {
  it("is restored into an empty database, and into no other", async () => {
    const [from, to] = [await createPostgresDatabase(), await createPostgresDatabase()];
    const dataDir = await mkdtemp(join(tmpdir(), "magis-backup-"));
    try {
      await learn({ dataDir, url: from.url });
      expect(await magis({ dataDir, url: from.url }, ["backup", "all.dump"])).toMatchObject({ exitCode: 0, err: "" });
      expect(await magis({ dataDir, url: to.url }, ["restore", "all.dump"])).toMatchObject({ exitCode: 0, err: "" });
      expect(await recalled({ dataDir, url: to.url })).toMatchObject({ summary: "It adds up." });
      expect(await magis({ dataDir, url: to.url }, ["restore", "all.dump"])).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining("Restore into a new, empty database."),
      });
      expect(await magis({ dataDir }, ["restore", "all.dump"])).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining("is a backup of a PostgreSQL server"),
      });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
      await Promise.all([from.drop(), to.drop()]);
    }
  });
});
