import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Pool } from "pg";
import type { RunRequest } from "../model/run-request.ts";
import type { Log } from "../ports/log.ts";
import { type EngineHandlers, QUEUES, UNFINISHED } from "./engine.ts";
import type { Suspension } from "./suspension.ts";

const AHEAD = `
  SELECT count(*)::int AS ahead FROM dbos.workflow_status w, dbos.workflow_status own
   WHERE own.workflow_uuid = $2 AND w.queue_name = $1 AND own.queue_name = $1 AND w.status = ANY($3)
     AND w.queue_partition_key = own.queue_partition_key
     AND (w.priority, w.created_at, w.workflow_uuid) < (own.priority, own.created_at, own.workflow_uuid)`;

/** How many runs of the same repository work or wait before this one. */
export async function countAhead(pool: Pool, run: string): Promise<number> {
  const { rows } = await pool.query<{ ahead: number }>(AHEAD, [QUEUES.runs, run, UNFINISHED]);
  return rows[0]?.ahead ?? 0;
}

/** A run that waits for its turn. */
export interface Turn {
  readonly id: string;
  readonly ahead: number;
}

/** Corrections in a minute, whatever waits: GitHub takes 140 writes of all kinds from us in that time. */
const MAX_A_MINUTE = 20;

const MINUTE_MS = 60_000;

/** What this machine knows of what people have been told. */
export interface TurnBook {
  /** Those whose number is to be told now, the one told longest ago first; they then count as told. */
  due(waiting: readonly Turn[]): readonly Turn[];
  /** What was due could not be told; it is due again after the pause. */
  failed(run: string): void;
}

/**
 * Makes what decides whose number is to be told: one that is not known to have been told as it is now, not before
 * `pauseMs` milliseconds after it was told last, or was first seen here, and of all of them `MAX_A_MINUTE` a minute.
 * @param now a steady clock in milliseconds
 */
export function createTurnBook(pauseMs: number, now = () => performance.now()): TurnBook {
  const known = new Map<string, { readonly ahead: number | undefined; readonly at: number }>();
  let told: readonly number[] = [];
  const at = (id: string) => known.get(id)?.at ?? Number.NEGATIVE_INFINITY;
  return {
    due(waiting) {
      const time = now();
      told = told.filter((one) => time - one < MINUTE_MS);
      const ids = new Set(waiting.map(({ id }) => id));
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
      for (const { id } of waiting) if (!known.has(id)) known.set(id, { ahead: undefined, at: time });
      const due = waiting
        .filter(({ id, ahead }) => known.get(id)?.ahead !== ahead && time - at(id) >= pauseMs)
        .sort((one, other) => at(one.id) - at(other.id))
        .slice(0, MAX_A_MINUTE - told.length);
      for (const { id, ahead } of due) known.set(id, { ahead, at: time });
      told = [...told, ...due.map(() => time)];
      return due;
    },
    failed(run) {
      known.set(run, { ahead: undefined, at: now() });
    },
  };
}

const WAITING = `
  SELECT id, ahead FROM (
    SELECT workflow_uuid AS id, status, queue_partition_key AS repository,
           (row_number() OVER (PARTITION BY queue_partition_key ORDER BY priority, created_at, workflow_uuid))::int - 1 AS ahead
      FROM dbos.workflow_status WHERE queue_name = $1 AND status = ANY($2)) turns
   WHERE status = 'DELAYED' AND split_part(repository, '/', 1) <> ALL($3)
     AND (SELECT min(id) FROM magis.executor WHERE id <> ALL($4)) = $5`;

/** What corrections are made with. */
export interface TurnOptions {
  readonly pool: Pool;
  readonly executor: string;
  readonly waits: EngineHandlers["waits"];
  readonly pauseMs: number;
  readonly suspension: Suspension;
  readonly log: Log;
}

/**
 * Makes what corrects the numbers that people were told, where they have changed: on one machine, the first by its name of
 * those that are not `dead`, and not for the installations `held`, which are at their limit of writes.
 */
export function createTurnTeller({ pool, executor, waits, pauseMs, suspension, log }: TurnOptions) {
  const book = createTurnBook(pauseMs);
  return async (dead: readonly string[], held: readonly number[]): Promise<void> => {
    if (!waits) return;
    const values = [QUEUES.runs, UNFINISHED, held.map(String), dead, executor];
    const due = book.due((await pool.query<Turn>(WAITING, values)).rows);
    if (due.length === 0) return;
    const found = await DBOS.listWorkflows({ workflowIDs: due.map(({ id }) => id), loadOutput: false });
    const requests = new Map(found.map(({ workflowID, input }) => [workflowID, input?.[0] as RunRequest]));
    for (const { id, ahead } of due) {
      if (suspension.stopping) return;
      const request = requests.get(id);
      await (request && waits(request, ahead, false))?.catch((error: unknown) => {
        book.failed(id);
        log.warn({ run: id, error }, "how many runs are before it could not be told; it is tried again");
      });
    }
  };
}
