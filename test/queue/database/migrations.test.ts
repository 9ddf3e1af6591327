import { expect, it } from "@jest/globals";
import { MIGRATIONS, migrateTables } from "../../../src/queue/database/migrations.ts";
import { onEachDatabase } from "./on-each-database.ts";

const COLUMNS = `
  SELECT table_name, column_name, data_type, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'magis' ORDER BY table_name, column_name`;

/** The first version of the tables that can be upgraded. */
const FIRST = 19;

/** What its tables held besides. */
const FORMER = [
  "CREATE TABLE magis.write_quota (installation bigint PRIMARY KEY)",
  "ALTER TABLE magis.open_pull ADD COLUMN own boolean NOT NULL DEFAULT true",
];

onEachDatabase("migrations", (opened) => {
  const query = async (sql: string) => (await opened.database.pool.query(sql)).rows;
  const numbers = async () =>
    (await query("SELECT number FROM magis.migration ORDER BY number")).map(({ number }) => number);

  const next = ["ALTER TABLE magis.open_pull ADD COLUMN title text", "UPDATE magis.open_pull SET title = name"];

  it("make the same tables of the version before as of nothing, keep its rows, and let its machines work on", async () => {
    const { pool } = opened.database;
    const columns = () => query(COLUMNS);
    const fresh = await columns();
    await query("DROP SCHEMA magis CASCADE");
    await migrateTables(pool, MIGRATIONS.slice(0, 1));
    for (const sql of FORMER) await query(sql);
    const saveState = `INSERT INTO magis.run (id, state) VALUES ('run', '{"resumed":1}')
        ON CONFLICT (id) DO UPDATE SET state = EXCLUDED.state, updated_at = now() RETURNING state`;
    await query(saveState);
    await migrateTables(pool);
    expect(await columns()).toEqual(fresh);
    expect(await query("SELECT state, writer FROM magis.run")).toEqual([{ state: { resumed: 1 }, writer: null }]);
    expect(await query(saveState)).toEqual([{ state: { resumed: 1 } }]);
    await query("DELETE FROM magis.run");
  });

  it("convert the rows of an earlier version, each once", async () => {
    await query("INSERT INTO magis.open_pull (owner, name, number, installation) VALUES ('ana', 'shop', 1, 1)");
    await migrateTables(opened.database.pool, [...MIGRATIONS, next]);
    await migrateTables(opened.database.pool, [...MIGRATIONS, next]);
    expect(await numbers()).toEqual(Array.from({ length: MIGRATIONS.length + 1 }, (_, at) => FIRST + at));
    expect(await query("SELECT title FROM magis.open_pull")).toEqual([{ title: "shop" }]);
  });

  it("leave nothing behind when one fails, and are tried again", async () => {
    const half = [...MIGRATIONS, next, ["CREATE TABLE magis.half (id text)", "SELECT 1 / 0"]];
    await expect(migrateTables(opened.database.pool, half)).rejects.toThrow("division by zero");
    expect(await numbers()).toHaveLength(MIGRATIONS.length + 1);
    await migrateTables(opened.database.pool, [...half.slice(0, -1), ["CREATE TABLE magis.half (id text)"]]);
    expect(await numbers()).toHaveLength(MIGRATIONS.length + 2);
  });

  it("refuse tables that are too old or too new, say so, and change nothing", async () => {
    await expect(migrateTables(opened.database.pool)).rejects.toMatchObject({
      code: "DATABASE_UNAVAILABLE",
      message: expect.stringContaining("A newer version of MAGIS has used this database"),
    });
    expect(await numbers()).toHaveLength(MIGRATIONS.length + 2);
    await query(`UPDATE magis.migration SET number = number - ${MIGRATIONS.length + 2}`);
    await expect(migrateTables(opened.database.pool)).rejects.toMatchObject({
      code: "DATABASE_UNAVAILABLE",
      message: expect.stringContaining(`have version ${FIRST - 1}, which is too old`),
    });
  });
});
