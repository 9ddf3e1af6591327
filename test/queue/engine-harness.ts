import { rm } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, jest } from "@jest/globals";
import { openDatabase } from "../../src/queue/database/open-database.ts";
import type { Database } from "../../src/queue/database.ts";
import type { EngineHandlers } from "../../src/queue/engine.ts";
import { emptyDatabase } from "./database/test-databases.ts";
import {
  keepingLog,
  type Running,
  removeTemplate,
  type StartOptions,
  startEngineOn,
  startedDirectory,
  statuses,
  until,
} from "./in-process.ts";

export const DONE = { kind: "nothing-to-change", reason: "a test" } as const;

// The first start of a database takes seconds, on a busy machine many.
jest.setTimeout(240_000);

/**
 * Gives each test an empty database, and stops the engines that it started. One database stays open and is emptied
 * after each test: opening one costs more than starting an engine. `reopen` is for tests of what the files hold.
 */
export function engineHarness() {
  let dataDir: string;
  let database: Database;
  const open: Running[] = [];
  const log = keepingLog();

  beforeAll(async () => {
    dataDir = await startedDirectory();
    database = await openDatabase({ dataDir, log });
  });
  afterEach(async () => {
    for (const running of open.splice(0)) await running.stop();
    await emptyDatabase(database);
    log.lines.length = 0;
  });
  afterAll(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
    await removeTemplate();
  });

  return {
    log,
    database: () => database,
    async start(handlers: Partial<EngineHandlers> = {}, options: StartOptions = {}): Promise<Running> {
      const running = await startEngineOn(database, handlers, { log, ...options });
      open.push(running);
      return running;
    },
    async stop(running: Running, graceMs?: number): Promise<void> {
      open.splice(open.indexOf(running), 1);
      await running.stop(graceMs);
    },
    /** Closes the database, as an ending process does, and opens it again. No engine may run on it. */
    async reopen(): Promise<void> {
      await database.close();
      database = await openDatabase({ dataDir, log });
    },
    /** Resolves when the workflow has the status. */
    async ended(running: Running, id: string, status = "SUCCESS"): Promise<void> {
      await until(async () => (await statuses(running.database))[id] === status, `${id} to be ${status}`);
    },
  };
}
