import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "../../src/data/log.ts";
import type { AdmissionDecision, Delivery, RunRequest } from "../../src/data/run-request.ts";
import { openDatabase } from "../../src/queue/database/open-database.ts";
import type { Database } from "../../src/queue/database.ts";
import type { Engine, EngineHandlers, EngineTimes } from "../../src/queue/engine.ts";
import { type EngineOptions, startEngine } from "../../src/queue/start-engine.ts";
import { copyDatabase } from "../bot/copy-database.ts";
import { engineHandlers } from "../fakes/engine-handlers.ts";

export interface LogLine {
  level: "info" | "warn" | "error";
  data: object;
  message: string;
}

/** A log that keeps its lines. */
export function keepingLog(lines: LogLine[] = []): Log & { lines: LogLine[] } {
  const at = (level: LogLine["level"]) => (data: object, message: string) => void lines.push({ level, data, message });
  return { lines, info: at("info"), warn: at("warn"), error: at("error") };
}

/** Resolves as soon as `condition` holds; fails after a generous limit. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 100_000,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function delivery(id: string, issue: number, name = "repo"): Delivery {
  return {
    id,
    issue,
    repository: { owner: "Owner", name, installationId: 7 },
    actor: "maintainer",
    actorIsBot: false,
    trigger: { kind: "label", label: "magis" },
    at: "2026-01-02T03:04:05Z",
  };
}

export function requestOf({ id, issue, repository, trigger, actor, at }: Delivery): RunRequest {
  const key = `${repository.owner}/${repository.name}#${issue}@${id}`;
  const work = { kind: "resolve", gate: "none" } as const;
  return { id: key, root: key, work, repository, issue, trigger, actor, delivery: id, requestedAt: at, grants: [] };
}

/** Starts a run for every delivery, except that the label taken off, and the issue's end, cancel what works. */
async function admitAll(received: Delivery): Promise<AdmissionDecision> {
  const { repository, issue, actor: by, trigger } = received;
  const ends = trigger.kind === "unlabel" || trigger.kind === "gone";
  return ends ? { cancel: { repository, issue, by } } : { start: requestOf(received) };
}

export interface Running {
  engine: Engine;
  database: Database;
  stop(graceMs?: number): Promise<void>;
}

export type StartOptions = Partial<Omit<EngineOptions, "handlers" | "database" | "times"> & EngineTimes>;

/** Starts an engine on an open database, which stays open; default handlers admit everything and end at once. */
export async function startEngineOn(
  database: Database,
  handlers: Partial<EngineHandlers>,
  options: StartOptions = {},
): Promise<Running> {
  const all = engineHandlers({ admit: admitAll, ...handlers });
  const { heartbeatMs = 300, patienceMs = 300_000, waitMs = 50, turnMs = 60_000, ...given } = options;
  const times = { heartbeatMs, patienceMs, waitMs, turnMs };
  const rest = { concurrency: 4, version: "1", retentionDays: 30, log: keepingLog(), ...given };
  const engine = await startEngine({ database, handlers: all, times, ...rest });
  return {
    engine,
    database,
    async stop(graceMs = 5_000) {
      await engine.stop(graceMs);
      await engine.gone;
    },
  };
}

/** Starts an engine on the database of `dataDir`, and closes that when it stops. */
async function startOn(
  dataDir: string,
  handlers: Partial<EngineHandlers>,
  options: StartOptions = {},
): Promise<Running> {
  const database = await openDatabase({ dataDir, log: options.log ?? keepingLog() });
  const { engine } = await startEngineOn(database, handlers, options);
  return {
    engine,
    database,
    async stop(graceMs = 5_000) {
      await engine.stop(graceMs);
      await database.close();
      await engine.gone;
    },
  };
}

let template: string | undefined;

/**
 * A data directory whose database was started once: the first start takes seconds, a copy does not. When all tests run,
 * it is a copy of the bot's (`test/data-template.js`).
 */
export async function startedDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "magis-engine-"));
  const from = process.env.MAGIS_TEST_DATA ?? template ?? (await makeTemplate());
  copyDatabase(join(from, "postgres"), join(directory, "postgres"));
  return directory;
}

async function makeTemplate(): Promise<string> {
  template = await mkdtemp(join(tmpdir(), "magis-template-"));
  await (await startOn(template, {})).stop();
  return template;
}

export async function removeTemplate(): Promise<void> {
  if (template !== undefined) await rm(template, { recursive: true, force: true });
  template = undefined;
}

/**
 * Status of all work by id: DBOS's for its latest attempt; ours, in DBOS's terms, for work that waits or was cancelled.
 */
export async function statuses(database: Database): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<{ id: string; status: string }>(STATUSES);
  return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
}

export const STATUSES = `
  SELECT id, CASE state WHEN 'cancelled' THEN 'CANCELLED' WHEN 'waiting' THEN 'DELAYED' ELSE status END AS status
    FROM magis.work LEFT JOIN dbos.workflow_status ON workflow_uuid = id || '~' || attempt`;
