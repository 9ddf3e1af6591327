import { rm } from "node:fs/promises";
import { afterAll, afterEach, beforeEach, jest } from "@jest/globals";
import type { EngineHandlers } from "../../src/engine/engine.ts";
import type { EngineOptions } from "../../src/engine/start-engine.ts";
import { keepingLog, type Running, removeTemplate, startedDirectory, startOn, statuses, until } from "./in-process.ts";

export const DONE = { kind: "nothing-to-change", reason: "a test" } as const;

// The first start of a database takes seconds, on a busy machine many.
jest.setTimeout(240_000);

/** Gives each test of a file a data directory of its own, and stops and removes what it started. */
export function engineHarness() {
  let dataDir: string;
  const open: Running[] = [];
  const log = keepingLog();

  beforeEach(async () => {
    log.lines.length = 0;
    dataDir = await startedDirectory();
  });
  afterEach(async () => {
    for (const running of open.splice(0)) await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  afterAll(removeTemplate);

  return {
    log,
    async start(handlers: Partial<EngineHandlers> = {}, options: Partial<EngineOptions> = {}): Promise<Running> {
      const running = await startOn(dataDir, handlers, { log, ...options });
      open.push(running);
      return running;
    },
    async stop(running: Running, graceMs?: number): Promise<void> {
      open.splice(open.indexOf(running), 1);
      await running.stop(graceMs);
    },
    /** Resolves when the workflow has the status. */
    async ended(running: Running, id: string, status = "SUCCESS"): Promise<void> {
      await until(async () => (await statuses(running.database))[id] === status, `${id} to be ${status}`);
    },
  };
}
