import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { inspectDatabase } from "../../../src/adapters/database/inspect-database.ts";
import { openDatabase } from "../../../src/adapters/database/open-database.ts";
import type { Log } from "../../../src/ports/log.ts";

describe("openDatabase, embedded", () => {
  let dataDir: string;
  const errors: string[] = [];
  const log: Log = { info: () => undefined, warn: () => undefined, error: (_data, message) => errors.push(message) };
  beforeEach(async () => {
    errors.length = 0;
    dataDir = await mkdtemp(join(tmpdir(), "magis-open-"));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it("keeps what was written, gives pg's types, and lets timers run between its queries", async () => {
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
    expect(longest).toBeLessThan(2_000);
    expect(errors).toEqual([]);
  });

  it("moves a database that does not open aside, says so, and starts with an empty one", async () => {
    await (await openDatabase({ dataDir, log })).close();
    const control = join(dataDir, "postgres", "global", "pg_control");
    const bytes = await readFile(control);
    await writeFile(control, bytes.subarray(0, 100));
    const database = await openDatabase({ dataDir, log });
    expect((await database.pool.query("SELECT count(*)::int AS runs FROM magis.run")).rows).toEqual([{ runs: 0 }]);
    await database.close();
    expect(errors).toEqual([expect.stringContaining("DID NOT OPEN")]);
    expect((await readdir(dataDir)).sort()).toEqual(["postgres", expect.stringMatching(/^postgres\.broken-/)]);
  });

  it("keeps one damaged database at most, and names it", async () => {
    const control = join(dataDir, "postgres", "global", "pg_control");
    const asides: string[] = [];
    for (let round = 0; round < 2; round++) {
      await (await openDatabase({ dataDir, log })).close();
      await writeFile(control, "damaged");
      await (await openDatabase({ dataDir, log })).close();
      const names = (await readdir(dataDir)).filter((name) => name.includes(".broken-"));
      expect(names).toHaveLength(1);
      asides.push(names[0] ?? "");
      expect(errors.at(-1)).toContain(join(dataDir, names[0] ?? "?"));
    }
    expect(asides[0]).not.toBe(asides[1]);
    expect(await inspectDatabase(dataDir, undefined)).toMatchObject({
      kind: "open",
      aside: join(dataDir, asides[1] ?? ""),
    });
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot("tells of files of another user, and moves nothing aside", async () => {
    await (await openDatabase({ dataDir, log })).close();
    await chmod(dataDir, 0o777);
    try {
      process.seteuid?.(65_534);
      const fault = {
        code: "DATABASE_UNAVAILABLE",
        message: expect.stringMatching(/may not be read and written \(EACCES\)/),
      };
      await expect(openDatabase({ dataDir, log })).rejects.toMatchObject(fault);
      expect(await inspectDatabase(dataDir, undefined)).toMatchObject({ kind: "unusable" });
    } finally {
      process.seteuid?.(0);
    }
    expect((await readdir(dataDir)).filter((name) => name.includes("broken"))).toEqual([]);
    expect(errors).toEqual([]);
  });

  it.each(["/proc/x", "/proc/x/y/z", "/dev/null/x", "/sys/x"])(
    "ends at once where nothing can be made: %s",
    async (place) => {
      const begun = performance.now();
      await expect(openDatabase({ dataDir: place, log })).rejects.toMatchObject({ code: "DATABASE_UNAVAILABLE" });
      expect(performance.now() - begun).toBeLessThan(5_000);
    },
  );

  it("tells of a directory that cannot be used, and touches nothing", async () => {
    const file = join(dataDir, "file");
    await writeFile(file, "");
    await expect(openDatabase({ dataDir: join(file, "sub"), log })).rejects.toMatchObject({
      code: "DATABASE_UNAVAILABLE",
      message: expect.stringContaining("cannot be used"),
    });
  });
});

describe("openDatabase, PostgreSQL", () => {
  it("tells of a server that does not accept us, without the password", async () => {
    const url = "postgresql://u:secret@127.0.0.1:1/db?connect_timeout=1";
    const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const failure = await openDatabase({ url, dataDir: "", log, patienceMs: 200 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "DATABASE_UNAVAILABLE" });
    expect(String(failure)).not.toContain("secret");
  });
});
