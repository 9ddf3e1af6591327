import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { MIGRATIONS, migrateTables } from "../../../src/queue/database/migrations.ts";
import { type TestDatabase, testDatabases } from "./test-databases.ts";

const COLUMNS = `
  SELECT table_name, column_name, data_type, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'magis' ORDER BY table_name, column_name`;

/** The number of the migration that made the ledger. */
const LEDGER = 5;

/** The number of the one that marks the bot's comments on edited tests in one way. */
const SHOWN_EDITS = 1 + MIGRATIONS.findIndex((one) => one.some((sql) => sql.includes('"shown":true')));

for (const { name, skip, open } of testDatabases()) {
  if (skip !== undefined) {
    it.skip(`${name}: left out, ${skip}`, () => undefined);
    continue;
  }
  describe(`migrations on ${name}`, () => {
    let opened: Awaited<ReturnType<TestDatabase["open"]>>;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.remove());
    const query = async (sql: string) => (await opened.database.pool.query(sql)).rows;
    const numbers = async () =>
      (await query("SELECT number FROM magis.migration ORDER BY number")).map(({ number }) => number);

    const now = MIGRATIONS.length;
    const next = ["ALTER TABLE magis.open_pull ADD COLUMN title text", "UPDATE magis.open_pull SET title = name"];

    it("make the same tables of every earlier version as of nothing, and keep its rows", async () => {
      const { pool } = opened.database;
      const columns = () => query(COLUMNS);
      const fresh = await columns();
      for (let version = 1; version < now; version++) {
        await query("DROP SCHEMA magis CASCADE");
        await migrateTables(pool, MIGRATIONS.slice(0, version));
        await query("INSERT INTO magis.open_pull (owner, name, number, installation) VALUES ('ana', 'shop', 1, 1)");
        await query(`INSERT INTO magis.model_call (id, run_id, key, prompt_id, tier, tokens, money, elapsed)
          VALUES (gen_random_uuid(), 'run', 'key', 'p', 'fast', 1, 1, 1)`);
        await migrateTables(pool);
        expect(await columns()).toEqual(fresh);
        expect(await query("SELECT owner, number, heard FROM magis.open_pull")).toEqual([
          { owner: "ana", number: 1, heard: null },
        ]);
        // Only the ledger counts calls, and begins with those that come after it.
        expect(await query("SELECT key, counted FROM magis.model_call")).toEqual([
          { key: "key", counted: version < LEDGER },
        ]);
      }
      await query("DELETE FROM magis.open_pull");
    });

    it("mark the bot's comments on edited tests in one way", async () => {
      const comment = (mark: object) => JSON.stringify({ comments: [{ body: '"tampering":"asked"', ...mark }] });
      await query("DROP SCHEMA magis CASCADE");
      await migrateTables(opened.database.pool, MIGRATIONS.slice(0, SHOWN_EDITS - 1));
      await query(
        `INSERT INTO magis.run_record (run_id, part, value) VALUES ('a', 'work', '${comment({ tampering: "asked" })}')`,
      );
      await migrateTables(opened.database.pool);
      const [row] = await query("SELECT value FROM magis.run_record");
      expect(row?.value).toEqual(JSON.parse(comment({ shown: true })));
    });

    it("convert the rows of an earlier version, each once", async () => {
      await query("INSERT INTO magis.open_pull (owner, name, number, installation) VALUES ('ana', 'shop', 1, 1)");
      await migrateTables(opened.database.pool, [...MIGRATIONS, next]);
      await migrateTables(opened.database.pool, [...MIGRATIONS, next]);
      expect(await numbers()).toEqual(Array.from({ length: now + 1 }, (_, at) => at + 1));
      expect(await query("SELECT title FROM magis.open_pull")).toEqual([{ title: "shop" }]);
    });

    it("leave nothing behind when one fails, and are tried again", async () => {
      const half = [...MIGRATIONS, next, ["CREATE TABLE magis.half (id text)", "SELECT 1 / 0"]];
      await expect(migrateTables(opened.database.pool, half)).rejects.toThrow("division by zero");
      expect(await numbers()).toHaveLength(now + 1);
      await migrateTables(opened.database.pool, [...half.slice(0, -1), ["CREATE TABLE magis.half (id text)"]]);
      expect(await numbers()).toHaveLength(now + 2);
    });

    it("refuse the tables of a newer version, say so, and change nothing", async () => {
      await expect(migrateTables(opened.database.pool)).rejects.toMatchObject({
        code: "DATABASE_UNAVAILABLE",
        message: expect.stringContaining("A newer version of MAGIS has used this database"),
      });
      expect(await numbers()).toHaveLength(now + 2);
    });
  });
}
