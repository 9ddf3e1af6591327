import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { openDatabase } from "../../src/adapters/database/open-database.ts";
import { PHASES } from "../../src/model/run-state.ts";
import { type CompiledWorker, compileWorker } from "./compile-worker.ts";
import { delivery, keepingLog, removeTemplate, startedDirectory, statuses, until } from "./in-process.ts";
import { startWorker, type Worker } from "./start-worker.ts";

// Whole processes are started several times; a busy machine takes its time.
jest.setTimeout(180_000);

describe("a process of its own", () => {
  let compiled: CompiledWorker;
  let dataDir: string;
  const workers: Worker[] = [];

  beforeAll(async () => {
    compiled = await compileWorker();
  });
  afterAll(async () => {
    await compiled.remove();
    await removeTemplate();
  });
  beforeEach(async () => {
    dataDir = await startedDirectory();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.end("SIGKILL")));
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(hangIn?: string, variables?: Record<string, string>): Promise<Worker> {
    const notes = join(dataDir, "notes");
    const options = { dataDir, notes, ...(hangIn === undefined ? {} : { hangIn }) };
    const worker = await startWorker(compiled.path, options, variables);
    workers.push(worker);
    return worker;
  }

  function notes(): string[] {
    const file = join(dataDir, "notes");
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  }

  const noted = (text: string) => until(() => notes().includes(text), `${text} in ${notes().join(", ")}`);

  it("goes on by itself after a kill -9 in each phase, and pays no finished call again", async () => {
    const worker = await start("locate-2");
    expect(await worker.receive(delivery("d1", 1))).toBe("recorded");
    await noted("begin locate-2");
    await worker.end("SIGKILL");
    for (const phase of ["plan", "code", "publish"]) {
      const next = await start(`${phase}-2`);
      await noted(`begin ${phase}-2`);
      await next.end("SIGKILL");
    }
    const last = await start();
    await noted("resolved");
    expect(await last.receive(delivery("d1", 1))).toBe("known");
    expect(await last.end("SIGTERM")).toBe(0);

    const calls = PHASES.flatMap((phase) => [1, 2, 3].map((call) => `${phase}-${call}`));
    const times = (text: string) => notes().filter((line) => line === text).length;
    expect(calls.map((call) => times(`paid ${call}`))).toEqual(calls.map(() => 1));
    // The call that was cut off is made again, the finished ones before it are not.
    expect(calls.map((call) => times(`begin ${call}`))).toEqual(PHASES.flatMap(() => [1, 2, 1]));
    expect(PHASES.map((phase) => times(`done ${phase}`))).toEqual([1, 1, 1, 1]);

    const database = await openDatabase({ dataDir, log: keepingLog() });
    const { "Owner/repo#1@d1": status } = await statuses(database);
    await database.close();
    expect(status).toBe("SUCCESS");
  });

  it("suspends its work on SIGTERM, ends in under 10 s, and the next start finishes the run", async () => {
    const worker = await start("code-2");
    await worker.receive(delivery("d1", 1));
    await noted("begin code-2");
    const from = Date.now();
    expect(await worker.end("SIGTERM")).toBe(0);
    expect(Date.now() - from).toBeLessThan(10_000);
    await start();
    await noted("resolved");
    expect(notes().filter((line) => line.startsWith("paid"))).toHaveLength(12);
  });

  it("refuses a second process on its directory, and frees it when it is killed", async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(
      `${dataDir} is in use by another MAGIS process (pid ${first.pid}); stop it, or give this one its own MAGIS_DATA_DIR.`,
    );
    await first.end("SIGKILL");
    await start();
  });

  it("is not led astray by variables that are meant for PostgreSQL's or DBOS's own programs", async () => {
    const worker = await start(undefined, {
      DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
      DBOS_SYSTEM_DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
      DBOS__APPVERSION: "other",
      DBOS__VMID: "other",
      PGHOST: "127.0.0.1",
      PGPORT: "1",
      PGUSER: "nobody",
      PGSSLMODE: "require",
      PGOPTIONS: "-c search_path=none",
    });
    await worker.receive(delivery("d1", 1));
    await noted("resolved");
  });
});
