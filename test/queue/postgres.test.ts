import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import pg from "pg";
import { PHASES } from "../../src/data/run-state.ts";
import { type CompiledWorker, compileWorker } from "./compile-worker.ts";
import { createPostgresDatabase } from "./database/test-databases.ts";
import { delivery, STATUSES, until } from "./in-process.ts";
import { startWorker, type Worker } from "./start-worker.ts";
import type { WorkerOptions } from "./worker.ts";

const RUN = "Owner/repo#1@d1";
/** Without a server the tests are listed as skipped. */
const machines = process.env.TEST_DATABASE_URL === undefined ? describe.skip : describe;

interface LedgerSums {
  /** US dollars that are spent or set aside */
  committed: number;
  done: number;
  ended: number;
}

const LEDGER_SUMS = `
  SELECT coalesce(sum(CASE WHEN ended IS NULL THEN set_aside ELSE spent END), 0)::float8 AS committed,
         (count(*) FILTER (WHERE outcome = 'nothing-to-change'))::int AS done, count(ended)::int AS ended
    FROM magis.ledger`;

// Starting whole processes takes long on a busy machine.
jest.setTimeout(180_000);

machines("several machines on PostgreSQL (TEST_DATABASE_URL)", () => {
  let compiled: CompiledWorker;
  let server: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let client: pg.Client;
  let directory: string;
  const workers: Worker[] = [];

  beforeAll(async () => {
    compiled = await compileWorker();
  });
  afterAll(() => compiled.remove());
  beforeEach(async () => {
    server = await createPostgresDatabase();
    client = new pg.Client({ connectionString: server.url });
    await client.connect();
    directory = mkdtempSync(join(tmpdir(), "magis-machines-"));
    writeFileSync(join(directory, "notes"), "");
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.end("SIGKILL")));
    // A pool's end does not wait for its connections, and the forced drop below would cut one that is still ending.
    await client.end();
    await server.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function start(options: Partial<WorkerOptions> = {}): Promise<Worker> {
    const all = { dataDir: directory, url: server.url, notes: join(directory, "notes"), ...options };
    const worker = await startWorker(compiled.path, all);
    workers.push(worker);
    return worker;
  }

  const notes = () => readFileSync(join(directory, "notes"), "utf8").trimEnd().split("\n");
  const times = (text: string) => notes().filter((line) => line === text).length;
  const noted = (text: string) => until(() => notes().includes(text), `${text} in ${notes().join(", ")}`);
  const status = async (id: string) => {
    const { rows } = await client.query<{ id: string; status: string }>(STATUSES);
    return rows.find((row) => row.id === id)?.status;
  };
  const calls = PHASES.flatMap((phase) => [1, 2, 3].map((call) => `${phase}-${call}`));

  it("start together on an empty database, and one takes over a killed one's run", async () => {
    const first = await Promise.all([start({ hangIn: "plan-2" }), start({ hangIn: "plan-2" })]);
    await first[0].receive(delivery("d1", 1));
    await noted("begin plan-2");
    const third = await start();
    await Promise.all(first.map((worker) => worker.end("SIGKILL")));
    await noted("resolved");
    await until(async () => (await status(RUN)) === "SUCCESS", "the run to be finished");
    expect(third.logs.join("\n")).toContain("taken over");
    expect(calls.map((call) => times(`paid ${call}`))).toEqual(calls.map(() => 1));
    expect(times("begin plan-2")).toBe(2);
    expect(PHASES.map((phase) => times(`done ${phase}`))).toEqual([1, 1, 1, 1]);
  });

  it("hand their work over at once when they are stopped", async () => {
    const worker = await start({ hangIn: "code-2" });
    await worker.receive(delivery("d1", 1));
    await noted("begin code-2");
    const other = await start();
    expect(await worker.end("SIGTERM")).toBe(0);
    await noted("resolved");
    expect(other.logs.join("\n")).not.toContain("taken over");
  });

  it("fence a machine that was only asleep: it drops the run, spends nothing more and records nothing", async () => {
    const sleeper = await start({ hangIn: "plan-2" });
    await sleeper.receive(delivery("d1", 1));
    await noted("begin plan-2");
    const other = await start({ hangIn: "code-2" });
    sleeper.signal("SIGSTOP");
    await noted("begin code-2");
    sleeper.signal("SIGCONT");
    await until(() => sleeper.logs.join().includes("it is dropped here"), "the sleeper to drop the run");
    expect(await sleeper.end("SIGTERM")).toBe(0);
    expect(await status(RUN)).toBe("PENDING");
    expect(await other.end("SIGTERM")).toBe(0);
    await start();
    await noted("resolved");
    expect(calls.map((call) => times(`paid ${call}`))).toEqual(calls.map(() => 1));
  });

  it("keep a limit together, also when one of them dies: 100 requests at once, and nothing above it", async () => {
    const limited = { dayLimit: 100, callMs: 5 };
    const [one, other] = [await start(limited), await start(limited)];
    const requests = Array.from({ length: 100 }, (_, at) => delivery(`d${at}`, at + 1, `repo${at}`));
    await Promise.all(requests.map((request, at) => (at % 2 === 0 ? one : other).receive(request)));
    const ledger = async () => (await client.query<LedgerSums>(LEDGER_SUMS)).rows[0] as LedgerSums;
    await until(async () => (await ledger()).done >= 2, "the first runs to end");
    await one.end("SIGKILL");
    await until(async () => {
      const { committed, ended } = await ledger();
      expect(committed).toBeLessThanOrEqual(100);
      return ended === 100;
    }, "all runs to end");
    // Eight of twelve dollars leave no room for another that may cost fifteen.
    expect(await ledger()).toEqual({ committed: 96, done: 8, ended: 100 });
    const paid = await client.query("SELECT sum(money)::float8 AS money FROM magis.model_call");
    expect(paid.rows).toEqual([{ money: 96 }]);
  });

  it("restart an older version's run on the newer version", async () => {
    const old = await start({ hangIn: "plan-2", version: "1" });
    await old.receive(delivery("d1", 1));
    await noted("begin plan-2");
    const newer = await start({ version: "2" });
    expect(await old.end("SIGTERM")).toBe(0);
    await noted("resolved");
    await until(async () => (await status(RUN)) === "SUCCESS", "the run to be finished");
    expect(calls.map((call) => times(`paid ${call}`))).toEqual(calls.map(() => 1));
    expect(times("done locate")).toBe(2);
    expect(times("begin plan-2")).toBe(2);
    expect(newer.logs.join("\n")).not.toContain("taken over");
  });

  it("go on with a newer version's run when the upgrade is taken back", async () => {
    expect(await (await start({ version: "1" })).end("SIGTERM")).toBe(0);
    const newer = await start({ hangIn: "plan-2", version: "2" });
    await newer.receive(delivery("d1", 1));
    await noted("begin plan-2");
    const older = await start({ version: "1" });
    expect(await newer.end("SIGTERM")).toBe(0);
    await noted("resolved");
    expect(calls.map((call) => times(`paid ${call}`))).toEqual(calls.map(() => 1));
    expect(older.logs.join("\n")).toContain("begun by another version; it starts again from its first step");
  });
});
