import { rm } from "node:fs/promises";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createStatementNames } from "../../../src/queue/database/connection.ts";
import { openDatabase } from "../../../src/queue/database/open-database.ts";
import type { Database } from "../../../src/queue/database.ts";
import { removeTemplate, startedDirectory } from "../in-process.ts";

const name = (query: unknown) => (query as { name?: string }).name;

describe("createStatementNames", () => {
  it("names a statement with values from the third time on, always the same", () => {
    const named = createStatementNames();
    const ask = () => named("SELECT $1", [1]);
    expect([ask(), ask()]).toEqual(["SELECT $1", "SELECT $1"]);
    const third = ask();
    expect(third).toEqual({ text: "SELECT $1", values: [1], name: expect.stringMatching(/^magis_\d+_0$/) });
    expect(ask()).toEqual(third);
    expect(named({ text: "SELECT $1", values: [2], rowMode: "array" }, undefined)).toEqual({
      text: "SELECT $1",
      values: [2],
      rowMode: "array",
      name: name(third),
    });
  });

  it("leaves alone statements without values, with their own name, or sent by other means", () => {
    const named = createStatementNames();
    const others = [
      ["BEGIN", undefined],
      ["SELECT 1; SELECT 2", []],
      [{ text: "SELECT $1", values: [1], name: "mine" }, undefined],
      [{ text: "SELECT $1", values: [1], submit: () => undefined }, undefined],
    ] as const;
    for (let times = 0; times < 5; times++)
      for (const [query, values] of others) expect(named(query, values)).toBe(query);
  });

  it("gives each session its own names, and no more than it may keep", () => {
    const [one, other] = [createStatementNames(), createStatementNames()];
    const thirdOf = (names: typeof one, text: string) => [1, 2, 3].map((value) => names(text, [value])).at(-1);
    expect(name(thirdOf(one, "SELECT $1"))).not.toBe(name(thirdOf(other, "SELECT $1")));
    const texts = Array.from({ length: 1_000 }, (_, at) => `SELECT $1 + ${at}`);
    const all = texts.map((text) => name(thirdOf(one, text))).filter((given) => given !== undefined);
    expect(new Set(all).size).toBe(499);
    expect(all).toHaveLength(499);
  });
});

describe("statements in the embedded database", () => {
  let database: Database;
  let dataDir: string;
  const errors: string[] = [];
  beforeEach(async () => {
    dataDir = await startedDirectory();
    const log = { info: () => undefined, warn: () => undefined };
    database = await openDatabase({ dataDir, log: { ...log, error: (_data, message) => errors.push(message) } });
  });
  afterEach(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
    expect(errors).toEqual([]);
  });
  afterAll(removeTemplate);

  it("keeps a repeated statement, and answers as if it were new", async () => {
    const { pool } = database;
    const kept = async () =>
      (await pool.query("SELECT statement FROM pg_prepared_statements")).rows.map(({ statement }) => statement);
    const before = await kept();
    await pool.query("CREATE TABLE magis.kept (a int, b text)");
    const insert = "INSERT INTO magis.kept (a, b) VALUES ($1, $2)";
    for (let a = 0; a < 5; a++) await pool.query(insert, [a, `row ${a}`]);
    const select = { text: "SELECT b FROM magis.kept WHERE 12 / a = $1 OR a = $2" };
    const ask = async (...values: readonly number[]) => (await pool.query({ ...select, values: [...values] })).rows;
    await expect(ask(3, 1)).rejects.toThrow("division by zero");
    await pool.query("DELETE FROM magis.kept WHERE a = 0");
    for (const b of ["row 1", "row 2", "row 3"]) expect(await ask(99, Number(b.at(-1)))).toEqual([{ b }]);
    await pool.query("SELECT $1::int", [1]);
    expect((await kept()).filter((text) => !before.includes(text)).sort()).toEqual([insert, select.text]);

    await pool.query(insert, [0, "zero"]);
    await expect(ask(3, 1)).rejects.toThrow("division by zero");
    await pool.query("DROP TABLE magis.kept");
    await expect(ask(3, 4)).rejects.toThrow("does not exist");
    await pool.query("CREATE TABLE magis.kept (id bigint, b text, a bigint PRIMARY KEY)");
    await pool.query(insert, [4, "row 4"]);
    expect(await ask(3, 5)).toEqual([{ b: "row 4" }]);
    await pool.query("DISCARD PLANS");
    expect(await ask(3, 5)).toEqual([{ b: "row 4" }]);
  });

  it("goes on after statements that failed, alone, together and in transactions", async () => {
    const { pool } = database;
    const divide = async (by: number) => (await pool.query("SELECT 6 / $1::int AS n", [by])).rows[0]?.n;
    for (let times = 0; times < 5; times++) {
      await expect(divide(0)).rejects.toThrow("division by zero");
      expect(await divide(2)).toBe(3);
      await expect(pool.query("SELECT $1 FROM nowhere", [1])).rejects.toThrow("does not exist");
      await expect(pool.query("SELEC")).rejects.toThrow("syntax error");
      expect(await divide(3)).toBe(2);
    }
    const together = await Promise.allSettled([0, 1, 2, 0, 3, 6].map(divide));
    const answers = together.map((one) => (one.status === "fulfilled" ? one.value : "failed"));
    expect(answers).toEqual(["failed", 6, 3, "failed", 2, 1]);

    for (const fault of [undefined, new Error("lost"), true]) {
      const client = await pool.connect();
      await client.query("BEGIN");
      await client.query("INSERT INTO magis.run (id) VALUES ($1)", [`r ${fault}`]);
      await expect(client.query("SELECT 1 / 0")).rejects.toThrow("division by zero");
      // Kept from the third time on, also where nothing is done any more.
      for (let times = 0; times < 4; times++)
        await expect(client.query("SELECT $1::int AS m", [times])).rejects.toThrow("transaction is aborted");
      if (fault === undefined) await client.query("ROLLBACK");
      const next = divide(1);
      client.release(fault);
      expect(await next).toBe(6);
      expect((await pool.query("SELECT $1::int AS m", [7])).rows).toEqual([{ m: 7 }]);
    }
    expect((await pool.query("SELECT id FROM magis.run")).rows).toEqual([]);
  });
});
