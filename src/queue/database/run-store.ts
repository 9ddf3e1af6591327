import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { type HeldRow, heldBack } from "../../data/limits.ts";
import type { Log } from "../../data/log.ts";
import { joinParts, readRecord, type StoredPart } from "../../data/read-record.ts";
import { isNamedAfter, type RunRequest, readRunId, repositoryName } from "../../data/run-request.ts";
import type { Queued, RunState } from "../../data/run-state.ts";
import { type RunStatus, statusOf } from "../../data/run-status.ts";
import type { ModelAnswer, RecordedCall } from "../../models/language-model.ts";
import {
  type RunArchive,
  type RunReport,
  type RunStore,
  type RunSummary,
  type RunWriter,
  takenOver,
} from "../../run/runs.ts";
import { patientQuery } from "./connection.ts";

/** The run store on the database. All queries wait for a database that is restarting. */
export function createRunStore(pool: Pool, log: Log): RunStore {
  async function stateOf(runId: string): Promise<RunState | undefined> {
    const sql = "SELECT state FROM magis.run WHERE id = $1";
    const [row] = await patientQuery<{ state: RunState | null }>(pool, log, sql, [runId]);
    return row?.state ?? undefined;
  }

  return {
    async recordedCall(runId, key) {
      const sql = `SELECT ${CALL_COLUMNS} FROM magis.model_call WHERE run_id = $1 AND key = $2 AND answer IS NOT NULL`;
      const [row] = await patientQuery<CallRow>(pool, log, sql, [runId, key]);
      return row === undefined ? undefined : recordedCall(row);
    },
    async recordCall(runId, call) {
      // The id makes repeating after an unknown commit harmless; the partial unique index keeps finished calls single.
      const sql = `INSERT INTO magis.model_call (id, run_id, ${CALL_COLUMNS}, model)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING`;
      const answer = call.answer === undefined ? null : JSON.stringify(call.answer);
      const { key, promptId, tier, tokens, money, elapsed } = call;
      const began = call.began === undefined ? null : Math.round(call.began);
      const failure = call.failure?.replaceAll("\0", "\uFFFD") ?? null;
      await patientQuery(pool, log, sql, [
        randomUUID(),
        runId,
        key,
        promptId,
        tier,
        answer,
        tokens,
        money,
        elapsed,
        failure,
        began,
        call.answer?.model.replaceAll("\0", "") ?? null,
      ]);
    },
    async calls(runId) {
      const sql = `SELECT ${CALL_COLUMNS} FROM magis.model_call WHERE run_id = $1 ORDER BY seq`;
      return (await patientQuery<CallRow>(pool, log, sql, [runId])).map(recordedCall);
    },
    state: stateOf,
    openWriter: (runId, as) => openWriter(pool, log, runId, as),
    async latestRun(repository, issue) {
      // The root is not joined in SQL: json operators refuse the \u0000 that a comment may hold.
      const sql = `SELECT request FROM magis.run
                   WHERE lower(repository) = $1 AND issue = $2 AND request IS NOT NULL ORDER BY seq DESC LIMIT 1`;
      const values = [repositoryName(repository).toLowerCase(), issue];
      const [row] = await patientQuery<{ request: RunRequest }>(pool, log, sql, values);
      if (row === undefined) return undefined;
      const { request } = row;
      return { request, state: await stateOf(request.root) };
    },
    async spentOn({ owner, name }, numbers) {
      const [row] = await patientQuery<{ spent: number }>(pool, log, SPENT, [owner, name, numbers]);
      return row?.spent ?? 0;
    },
    async isOf(runId, repository) {
      const sql = "SELECT repository FROM magis.run WHERE id = $1 AND repository IS NOT NULL";
      const [row] = await patientQuery<{ repository: string }>(pool, log, sql, [runId]);
      if (row === undefined) return isNamedAfter(runId, repository);
      return row.repository.toLowerCase() === repositoryName(repository).toLowerCase();
    },
    async record(runId) {
      return joinParts(await patientQuery<StoredPart>(pool, log, RECORD_OF_RUN, [runId]));
    },
  };
}

async function openWriter(pool: Pool, log: Log, runId: string, as?: "guest"): Promise<RunWriter> {
  const [sql, values] = as === "guest" ? [PRESENT_WRITER, [runId]] : [TAKE_OVER, [runId, randomUUID()]];
  const [row] = await patientQuery<{ state: RunState | null; writer: string | null }>(pool, log, sql, values);
  const write = async (statement: string, ...written: string[]) => {
    const kept = await patientQuery(pool, log, statement, [runId, row?.writer ?? null, ...written]);
    if (kept.length === 0) throw takenOver(runId);
  };
  return {
    before: row?.state ?? undefined,
    saveState: (state) => write(SAVE_STATE, JSON.stringify(state)),
    saveRecord: (part, value) => write(SAVE_RECORD, part, JSON.stringify(value)),
  };
}

const PRESENT_WRITER = "SELECT state, writer FROM magis.run WHERE id = $1";

const TAKE_OVER = `
  INSERT INTO magis.run (id, writer) VALUES ($1, $2)
  ON CONFLICT (id) DO UPDATE SET writer = EXCLUDED.writer, updated_at = now() RETURNING state, writer`;

const SAVE_STATE = `
  UPDATE magis.run SET state = $3, updated_at = now() WHERE id = $1 AND writer IS NOT DISTINCT FROM $2 RETURNING id`;

const SAVE_RECORD = `
  INSERT INTO magis.run_record (run_id, part, value)
  SELECT id, $3::text, $4::json FROM magis.run WHERE id = $1 AND writer IS NOT DISTINCT FROM $2 FOR SHARE
  ON CONFLICT (run_id, part) DO UPDATE SET value = EXCLUDED.value, updated_at = now() RETURNING run_id`;

/** Calls are counted in the ledger when their run ends. */
const SPENT = `
  WITH entries AS (
    SELECT root, spent FROM magis.ledger WHERE lower(owner) = lower($1) AND lower(repo) = lower($2) AND issue = ANY($3))
  SELECT (coalesce((SELECT sum(spent) FROM entries), 0)
          + coalesce((SELECT sum(money::numeric) FROM magis.model_call
                       WHERE NOT counted AND run_id IN (SELECT root FROM entries)), 0))::float8 AS spent`;

const RECORD_OF_RUN = "SELECT part, value FROM magis.run_record WHERE run_id = $1 ORDER BY part";

/** A row of magis.model_call. */
interface CallRow {
  key: string;
  prompt_id: string;
  tier: RecordedCall["tier"];
  answer: ModelAnswer | null;
  tokens: number;
  money: number;
  elapsed: number;
  failure: string | null;
  /** a bigint, which pg gives as text */
  began: string | null;
}

const CALL_COLUMNS = "key, prompt_id, tier, answer, tokens, money, elapsed, failure, began";

function recordedCall(row: CallRow): RecordedCall {
  return {
    key: row.key,
    promptId: row.prompt_id,
    tier: row.tier,
    tokens: row.tokens,
    money: row.money,
    elapsed: row.elapsed,
    answer: row.answer ?? undefined,
    failure: row.failure ?? undefined,
    began: row.began === null ? undefined : Number(row.began),
  };
}

/** A row of magis.run with its place in the queue. */
export interface RunRow {
  id: string;
  /** null when the request was lost */
  request: RunRequest | null;
  state: RunState | null;
  /** null when the run has left the queue */
  work?: "waiting" | "working" | "aside" | null;
  ahead?: number;
  held_by?: HeldRow["held_by"];
  held_since?: Date | null;
  held_until?: Date | null;
}

/** Rows of runs with their places in the queue. */
const RUNS = `
  SELECT r.id, r.request, r.state, w.state AS work, w.held_by, w.held_since, w.held_until,
         (SELECT count(*) FROM magis.work o
           WHERE o.kind = 'resolve' AND o.state IN ('waiting', 'working') AND o.queue = w.queue
             AND o.arrival < w.arrival)::int AS ahead
    FROM magis.run r
    LEFT JOIN magis.work w ON w.id = r.id AND w.kind = 'resolve' AND w.state IN ('waiting', 'working', 'aside')`;

interface RunFilter {
  values: readonly unknown[];
  /** false: as if it were not there */
  isSeen?: (row: RunRow) => boolean;
}

/** Reads runs that a condition finds. Roots are not joined in SQL: json operators refuse a kept \u0000. */
export function createRunReader(pool: Pool, log: Log) {
  const query = <T extends object>(sql: string, ...values: unknown[]) => patientQuery<T>(pool, log, sql, values);

  const rowsOf = async (condition: string, { values, isSeen = () => true }: RunFilter) =>
    (await query<RunRow>(`${RUNS} ${condition}`, ...values)).filter(isSeen);

  async function rootsOf(rows: readonly RunRow[]) {
    const ids = [...new Set(rows.map(rootId))];
    const states = await query<RunRow>("SELECT id, NULL AS request, state FROM magis.run WHERE id = ANY($1)", ids);
    const sql = "SELECT run_id, part, value FROM magis.run_record WHERE part = 'start' AND run_id = ANY($1)";
    const starts = await query<StoredPart & { run_id: string }>(sql, ids);
    const started = (id: string) => readRecord(joinParts(starts.filter(({ run_id }) => run_id === id))).start;
    return {
      state: (row: RunRow) => states.find(({ id }) => id === rootId(row))?.state ?? undefined,
      title: (row: RunRow) => started(rootId(row))?.issue.title ?? row.request?.text?.title ?? "",
    };
  }

  return {
    async summaries(condition: string, filter: RunFilter): Promise<readonly RunSummary[]> {
      const rows = await rowsOf(condition, filter);
      const { state, title } = await rootsOf(rows);
      return rows.map((row) => summaryOf(row, state(row), title(row)));
    },
    async report(condition: string, filter: RunFilter): Promise<RunReport | undefined> {
      const [row] = await rowsOf(condition, filter);
      if (row === undefined) return undefined;
      const root = rootId(row);
      const { state, title } = await rootsOf([row]);
      const sql = `SELECT ${CALL_COLUMNS} FROM magis.model_call WHERE run_id = $1 ORDER BY seq`;
      const calls = await query<CallRow>(sql, root);
      const parts = await query<StoredPart>(RECORD_OF_RUN, root);
      return {
        ...identityOf(row),
        title: title(row),
        work: row.request?.work.kind,
        standing: statusIn(row, state(row)),
        state: state(row),
        record: joinParts(parts),
        calls: calls.map(recordedCall),
      };
    },
  };
}

/** The archive on the tables of the run store. */
export function createRunArchive(pool: Pool, log: Log): RunArchive {
  const reader = createRunReader(pool, log);
  return {
    report: (runId) => reader.report("WHERE r.id = $1", { values: [runId] }),
    latestReport(repository, number) {
      const condition = `WHERE lower(r.repository) = $1 AND r.issue = $2 AND r.request IS NOT NULL
                         ORDER BY r.seq DESC LIMIT 1`;
      return reader.report(condition, { values: [repositoryName(repository).toLowerCase(), number] });
    },
    latest: (most) => reader.summaries("ORDER BY r.seq DESC LIMIT $1", { values: [most] }),
  };
}

const rootId = ({ id, request }: RunRow) => request?.root ?? id;

function summaryOf(row: RunRow, state: RunState | undefined, title: string): RunSummary {
  const { result, spend } = state ?? {};
  const pull = result?.kind === "published" ? result.pullRequest : undefined;
  return {
    ...identityOf(row),
    title,
    end: result?.kind,
    standing: statusIn(row, state),
    pullRequest: pull?.number,
    pullUrl: pull?.url,
    money: spend?.money ?? 0,
  };
}

function statusIn(row: RunRow, state: RunState | undefined): RunStatus | undefined {
  const { work, request } = row;
  const begun = work ? "begun" : "over";
  return statusOf(state, request?.requestedAt, work === "waiting" ? queuedIn(row) : { is: begun });
}

function queuedIn({
  ahead = 0,
  held_by = null,
  held_since = null,
  held_until = null,
}: RunRow): Queued & { is: "queued" } {
  return { is: "queued", ahead, held: heldBack({ held_by, held_since, held_until }) };
}

/** What a run is about; without a request, from its id: `owner/name#issue@delivery`. */
function identityOf({ id, request }: RunRow) {
  if (request !== null) {
    const { repository, issue, requestedAt } = request;
    return { id, repository: repositoryName(repository), number: issue, requestedAt };
  }
  const { repository, issue } = readRunId(id);
  return { id, repository, number: issue, requestedAt: "" };
}
