import { chownSync, existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Log } from "../../../src/data/log.ts";
import { openDatabase } from "../../../src/queue/database/open-database.ts";
import { removeTemplate, startedDirectory } from "../in-process.ts";

const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? describe : describe.skip;

describe("openDatabase, embedded", () => {
  let dataDir: string;
  const errors: string[] = [];
  const log: Log = { info: () => undefined, warn: () => undefined, error: (_data, message) => errors.push(message) };
  beforeEach(async () => {
    errors.length = 0;
    dataDir = await mkdtemp(join(tmpdir(), "magis-open-"));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  afterAll(removeTemplate);

  /** A database that was made before, by a copy: the first start takes seconds. */
  async function makeDatabase() {
    await rm(dataDir, { recursive: true, force: true });
    dataDir = await startedDirectory();
  }

  it("keeps what was written, gives pg's types, and lets timers run between its queries", async () => {
    await makeDatabase();
    const first = await openDatabase({ dataDir, log });
    await expect(openDatabase({ dataDir, log })).rejects.toMatchObject({ code: "DATA_DIRECTORY_IN_USE" });
    await first.pool.query("INSERT INTO magis.run (id, state) VALUES ('r', '{\"a\":1}')");
    await first.close();

    const second = await openDatabase({ dataDir, log });
    const types = "SELECT id, state, updated_at, 1::bigint AS big, 1.5::float8 AS float FROM magis.run";
    const { rows } = await second.pool.query(types);
    expect(rows).toEqual([{ id: "r", state: { a: 1 }, updated_at: expect.any(Date), big: "1", float: 1.5 }]);

    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    for (let i = 0; i < 300; i++) await second.pool.query("SELECT count(*) FROM pg_class");
    clearInterval(timer);
    await second.close();
    // Without the yielding client the timer does not run once.
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(20_000);
    expect(errors).toEqual([]);
  });

  it("names a database that does not open, says what to do, and leaves everything as it is", async () => {
    await makeDatabase();
    const control = join(dataDir, "postgres", "global", "pg_control");
    const whole = await readFile(control);
    for (const damage of [whole.subarray(0, 100), "damaged"]) {
      await writeFile(control, damage);
      const before = await readdir(dataDir, { recursive: true });
      const message = expect.stringMatching(
        /does not open .*Nothing was moved or deleted.*restore a backup; or move /s,
      );
      await expect(openDatabase({ dataDir, log })).rejects.toMatchObject({ code: "DATABASE_UNAVAILABLE", message });
      expect(await readdir(dataDir)).toEqual(["postgres"]);
      expect(await readdir(dataDir, { recursive: true })).toEqual(expect.arrayContaining(before));
      expect(await readFile(control)).toEqual(Buffer.from(damage));
    }
    await writeFile(control, whole);
    await (await openDatabase({ dataDir, log })).close();
    expect(errors).toEqual([]);
  });

  it.each(["/proc/x", "/proc/x/y/z", "/dev/null/x", "/sys/x"])(
    "fails at once when nothing can be created: %s",
    async (place) => {
      const begun = performance.now();
      await expect(openDatabase({ dataDir: place, log })).rejects.toMatchObject({ code: "DATABASE_UNAVAILABLE" });
      expect(performance.now() - begun).toBeLessThan(60_000);
    },
  );

  it("says that another version of PostgreSQL made it, moves nothing, and opens again with its own version", async () => {
    await makeDatabase();
    const version = join(dataDir, "postgres", "PG_VERSION");
    const own = await readFile(version, "utf8");
    for (const other of ["14\n", "17", "99\n"]) {
      await writeFile(version, other);
      const message = `was made by PostgreSQL ${other.trim()}, and this version of MAGIS has PostgreSQL ${own.trim()}. Start the version`;
      const fault = { code: "DATABASE_UNAVAILABLE", message: expect.stringContaining(message) };
      await expect(openDatabase({ dataDir, log })).rejects.toMatchObject(fault);
    }
    expect((await readdir(dataDir)).sort()).toEqual(["postgres"]);
    await writeFile(version, own);
    await (await openDatabase({ dataDir, log })).close();
    expect(errors).toEqual([]);
  });

  it.each<[string, (place: string) => Promise<unknown>, RegExp]>([
    ["a file", (place) => writeFile(place, ""), /has to be a directory/],
    ["a link to nothing", (place) => symlink(join(place, "..", "nothing"), place), /cannot be used/],
    ["links in a circle", (place) => symlink(place, place), /ELOOP/],
    ["a name that is too long", async () => undefined, /ENAMETOOLONG/],
    [
      "a database that is a file",
      async (place) => {
        await mkdir(place);
        await writeFile(join(place, "postgres"), "");
      },
      /does not open/,
    ],
  ])("ends at once with a sentence, and changes nothing: %s", async (what, make, message) => {
    const place = join(dataDir, what.includes("too long") ? "x".repeat(300) : "place");
    await make(place);
    const before = await readdir(dataDir, { recursive: true });
    const begun = performance.now();
    await expect(openDatabase({ dataDir: place, log })).rejects.toMatchObject({
      code: "DATABASE_UNAVAILABLE",
      message: expect.stringMatching(message),
    });
    expect(performance.now() - begun).toBeLessThan(60_000);
    expect(await readdir(dataDir, { recursive: true })).toEqual(before);
    expect(errors).toEqual([]);
  });
});

asRoot("openDatabase, of another user", () => {
  let dataDir: string;
  let all: readonly string[];
  const errors: string[] = [];
  const log: Log = { info: () => undefined, warn: () => undefined, error: (_data, message) => errors.push(message) };
  const belongTo = (user: number) => {
    // PostgreSQL takes its cache files away when it begins.
    for (const path of all.filter((one) => existsSync(one))) chownSync(path, user, user);
  };
  beforeAll(async () => {
    dataDir = await startedDirectory();
    all = [".", ...(await readdir(dataDir, { recursive: true }))].map((name) => join(dataDir, name));
    belongTo(65_534);
  });
  afterAll(async () => {
    // Some of the files are links to those that every suite copies.
    belongTo(0);
    await rm(dataDir, { recursive: true, force: true });
    await removeTemplate();
  });

  it.each<[string, string, number]>([
    ["a directory that may not be written", "", 0o555],
    ["a database that may not be looked into", "postgres", 0o000],
    ["a folder of it that may not be looked into", "postgres/base", 0o000],
    ["one file that may not be read", "postgres/PG_VERSION", 0o000],
    ["one file that may not be written", "postgres/global/pg_control", 0o444],
  ])("tells of %s, and moves nothing", async (_, path, mode) => {
    await chmod(join(dataDir, path), mode);
    try {
      process.seteuid?.(65_534);
      const fault = { code: "DATABASE_UNAVAILABLE", message: expect.stringMatching(/this user/) };
      await expect(openDatabase({ dataDir, log })).rejects.toMatchObject(fault);
    } finally {
      process.seteuid?.(0);
    }
    await chmod(join(dataDir, path), 0o700);
    expect((await readdir(dataDir)).filter((name) => name !== "postgres")).toEqual([]);
    expect(errors).toEqual([]);
  });
});

describe("openDatabase, PostgreSQL", () => {
  it("reports a server that refuses us, without the password", async () => {
    const url = "postgresql://u:secret@127.0.0.1:1/db?connect_timeout=1";
    const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const failure = await openDatabase({ url, dataDir: "", log, patienceMs: 200 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "DATABASE_UNAVAILABLE" });
    expect(String(failure)).not.toContain("secret");
  });
});
