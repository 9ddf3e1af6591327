import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { MIGRATIONS, migrateTables } from "../../../src/adapters/database/migrations.ts";
import { type TestDatabase, testDatabases } from "./test-databases.ts";

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
