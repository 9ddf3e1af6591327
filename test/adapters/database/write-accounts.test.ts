import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openDatabase } from "../../../src/adapters/database/open-database.ts";
import { createWriteAccounts } from "../../../src/adapters/database/write-accounts.ts";
import type { WriteLimit } from "../../../src/model/write-quota.ts";
import { take, writeAccountContract } from "../../contracts/write-account-contract.ts";
import { createPostgresDatabase, QUIET, type TestDatabase, testDatabases } from "./test-databases.ts";

const HOUR: readonly WriteLimit[] = [{ of: "creations", ms: 3_600_000, writes: 40 }];

for (const { name, skip, open } of testDatabases()) {
  if (skip !== undefined) {
    it.skip(`${name}: left out, ${skip}`, () => undefined);
    continue;
  }
  describe(`write accounts on ${name}`, () => {
    let opened: Awaited<ReturnType<TestDatabase["open"]>>;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.remove());
    const accounts = (limits = HOUR) => createWriteAccounts(opened.database.pool, QUIET, limits);

    writeAccountContract(accounts);

    it("are shared by machines at the same time, and outlive them", async () => {
      const machines = [accounts(), accounts(), accounts()];
      const taken = await Promise.all(
        machines.flatMap((machine) => Array.from({ length: 20 }, () => take(machine.of(701), 1))),
      );
      expect(taken.reduce((sum, count) => sum + count, 0)).toBe(40);
      expect(await take(accounts().of(701), 1)).toBe(0);
    });

    it("let a machine that takes over a run replace its reservation", async () => {
      expect(await accounts().of(702).reserve("run", 40)).toBe(0);
      expect(await accounts().of(702).reserve("run", 40)).toBe(0);
      expect(await accounts().of(702).reserve("other", 1)).toBeGreaterThan(0);
    });
  });
}

interface WorkerOptions {
  readonly url: string;
  readonly limit: number;
  readonly runs: number;
  readonly reserve: number;
}

const LOADER = join(import.meta.dirname, "../../load-typescript.js");

/** Starts a machine, which works from the first message on. */
async function startMachine(options: WorkerOptions) {
  const child = fork(join(import.meta.dirname, "write-worker.ts"), {
    env: { ...process.env, WRITE_WORKER: JSON.stringify(options), NODE_OPTIONS: "" },
    execArgv: ["--import", LOADER],
  });
  const gone = once(child, "exit");
  await once(child, "message");
  return { begin: () => child.send("begin"), kill: () => child.kill("SIGKILL"), gone };
}

const machines = process.env.TEST_DATABASE_URL === undefined ? describe.skip : describe;

machines("machines on PostgreSQL (TEST_DATABASE_URL)", () => {
  it("never exceed a limit together, whatever their runs want at once, and use all of it", async () => {
    const { url, drop } = await createPostgresDatabase();
    const database = await openDatabase({ url, dataDir: "", log: QUIET });
    const { pool } = database;
    try {
      await pool.query("CREATE TABLE written (run text)");
      const options = { url, limit: 100, runs: 20, reserve: 10 };
      const both = await Promise.all([startMachine(options), startMachine(options)]);
      for (const one of both) one.begin();
      await Promise.all(both.map(({ gone }) => gone));
      const { rows } = await pool.query("SELECT run, count(*)::int AS writes FROM written GROUP BY run");
      expect(rows).toHaveLength(10);
      expect(new Set(rows.map(({ writes }) => writes))).toEqual(new Set([10]));
    } finally {
      await database.close();
      await drop();
    }
  }, 120_000);
});
