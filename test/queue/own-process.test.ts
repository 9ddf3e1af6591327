import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { PHASES } from "../../src/data/run-state.ts";
import { openDatabase } from "../../src/queue/database/open-database.ts";
import { type CompiledWorker, compileWorker } from "./compile-worker.ts";
import { delivery, keepingLog, removeTemplate, startedDirectory, statuses, until } from "./in-process.ts";
import { startWorker, type Worker } from "./start-worker.ts";
import type { WorkerOptions } from "./worker.ts";

// Starting whole processes takes long on a busy machine.
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

  async function start(hangIn?: WorkerOptions["hangIn"], variables?: Record<string, string>): Promise<Worker> {
    const notes = join(dataDir, "notes");
    const options = { dataDir, notes, hangIn };
    const worker = await startWorker(compiled.path, options, variables);
    workers.push(worker);
    return worker;
  }

  function notes(): string[] {
    const file = join(dataDir, "notes");
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  }

  const noted = (text: string) => until(() => notes().includes(text), `${text} in ${notes().join(", ")}`);

  /** By issue, the phase that its run is in when the process is killed, and what its notes begin with. */
  const PHASE_OF = PHASES.map((phase, at) => ({ phase, issue: at + 1, prefix: at === 0 ? "" : `${at + 1}: ` }));

  it("locks its directory, resumes by itself after a kill -9 in each phase, and pays no call twice", async () => {
    const worker = await start(Object.fromEntries(PHASE_OF.map(({ phase, issue }) => [issue, `${phase}-2`])));
    const deliveries = PHASE_OF.map(({ issue }) => delivery(`d${issue}`, issue, `repo-${issue}`));
    for (const one of deliveries) expect(await worker.receive(one)).toBe("recorded");
    for (const { phase, prefix } of PHASE_OF) await noted(`${prefix}begin ${phase}-2`);
    await expect(start()).rejects.toThrow(
      `${dataDir} is in use by another MAGIS process (pid ${worker.pid}); stop it, or give this one its own MAGIS_DATA_DIR.`,
    );
    await worker.end("SIGKILL");
    // The first run is killed a second time, in a later phase.
    const next = await start({ 1: "code-2" });
    for (const { prefix } of PHASE_OF.slice(1)) await noted(`${prefix}resolved`);
    await noted("begin code-2");
    await next.end("SIGKILL");
    const last = await start();
    await noted("resolved");
    for (const one of deliveries) expect(await last.receive(one)).toBe("known");
    expect(await last.end("SIGTERM")).toBe(0);

    const times = (text: string) => notes().filter((line) => line === text).length;
    for (const { phase: cutOff, issue, prefix } of PHASE_OF) {
      const calls = PHASES.flatMap((phase) => [1, 2, 3].map((call) => ({ phase, call })));
      const cuts = issue === 1 ? [cutOff, "code"] : [cutOff];
      // Only the call that was cut off is made again, not the finished ones before it.
      const begun = calls.map(({ phase, call }) => (call === 2 && cuts.includes(phase) ? 2 : 1));
      expect(calls.map(({ phase, call }) => times(`${prefix}paid ${phase}-${call}`))).toEqual(calls.map(() => 1));
      expect(calls.map(({ phase, call }) => times(`${prefix}begin ${phase}-${call}`))).toEqual(begun);
      expect(PHASES.map((phase) => times(`${prefix}done ${phase}`))).toEqual(PHASES.map(() => 1));
    }
    const database = await openDatabase({ dataDir, log: keepingLog() });
    const { "Owner/repo-1#1@d1": status } = await statuses(database);
    await database.close();
    expect(status).toBe("SUCCESS");
  });

  it("suspends work on SIGTERM, finishes it at the next start, and ignores PG* and DBOS* variables", async () => {
    const worker = await start("code-2", MEANT_FOR_OTHERS);
    await worker.receive(delivery("d1", 1));
    await noted("begin code-2");
    expect(await worker.end("SIGTERM")).toBe(0);
    await start(undefined, MEANT_FOR_OTHERS);
    await noted("resolved");
    expect(notes().filter((line) => line.startsWith("paid"))).toHaveLength(12);
  });
});

const MEANT_FOR_OTHERS = {
  DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
  DBOS_SYSTEM_DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
  DBOS__APPVERSION: "other",
  DBOS__VMID: "other",
  PGHOST: "127.0.0.1",
  PGPORT: "1",
  PGUSER: "nobody",
  PGSSLMODE: "require",
  PGOPTIONS: "-c search_path=none",
};
