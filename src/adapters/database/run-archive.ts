import type { Pool } from "pg";
import { joinParts, readRecord, type StoredPart } from "../../model/read-record.ts";
import { type RunRequest, readRunId, readRunRequest, repositoryName } from "../../model/run-request.ts";
import type { RunState } from "../../model/run-state.ts";
import type { Log } from "../../ports/log.ts";
import type { RunArchive, RunReport, RunSummary } from "../../ports/runs.ts";
import { patientQuery } from "./connection.ts";
import { CALL_COLUMNS, type CallRow, RECORD_OF_RUN, recordedCall } from "./run-store.ts";

interface RunRow {
  readonly id: string;
  /** null when the note of what was asked for was lost */
  readonly request: RunRequest | null;
  readonly state: RunState | null;
}

/** The archive on the tables of the run store. Roots are not joined in SQL: json operators refuse a kept \u0000. */
export function createRunArchive(pool: Pool, log: Log): RunArchive {
  const query = <T extends object>(sql: string, ...values: unknown[]) => patientQuery<T>(pool, log, sql, values);
  const queryRuns = async (sql: string, ...values: unknown[]) =>
    (await query<RunRow>(sql, ...values)).map((row) => ({
      ...row,
      request: row.request && readRunRequest(row.request),
    }));

  async function rootsOf(rows: readonly RunRow[]) {
    const ids = [...new Set(rows.map(rootId))];
    const states = await query<RunRow>("SELECT id, NULL AS request, state FROM magis.run WHERE id = ANY($1)", ids);
    const sql = "SELECT run_id, part, value, version FROM magis.run_record WHERE part = 'start' AND run_id = ANY($1)";
    const starts = await query<StoredPart & { readonly run_id: string }>(sql, ids);
    const started = (id: string) => readRecord(joinParts(starts.filter(({ run_id }) => run_id === id))).start;
    return {
      state: (row: RunRow) => states.find(({ id }) => id === rootId(row))?.state ?? undefined,
      title: (row: RunRow) => started(rootId(row))?.issue.title ?? row.request?.text?.title ?? "",
    };
  }

  async function reportOf(row: RunRow | undefined): Promise<RunReport | undefined> {
    if (row === undefined) return undefined;
    const root = rootId(row);
    const { state, title } = await rootsOf([row]);
    const calls = await query<CallRow>(
      `SELECT ${CALL_COLUMNS} FROM magis.model_call WHERE run_id = $1 ORDER BY seq`,
      root,
    );
    const parts = await query<StoredPart>(RECORD_OF_RUN, root);
    const reached = state(row);
    return {
      ...identityOf(row),
      title: title(row),
      ...(reached && { state: reached }),
      record: joinParts(parts),
      calls: calls.map(recordedCall),
    };
  }

  return {
    async report(runId) {
      const [row] = await queryRuns("SELECT id, request, state FROM magis.run WHERE id = $1", runId);
      return reportOf(row);
    },
    async latestReport(repository, number) {
      const sql = `SELECT id, request, state FROM magis.run
                   WHERE lower(repository) = $1 AND issue = $2 AND request IS NOT NULL ORDER BY seq DESC LIMIT 1`;
      const [row] = await queryRuns(sql, repositoryName(repository).toLowerCase(), number);
      return reportOf(row);
    },
    async latest(most) {
      const rows = await queryRuns("SELECT id, request, state FROM magis.run ORDER BY seq DESC LIMIT $1", most);
      const { state, title } = await rootsOf(rows);
      return rows.map((row) => summaryOf(row, state(row), title(row)));
    },
  };
}

const rootId = ({ id, request }: RunRow) => request?.root ?? id;

function summaryOf(row: RunRow, state: RunState | undefined, title: string): RunSummary {
  const { result, spend } = state ?? {};
  return {
    ...identityOf(row),
    title,
    ...(result && { end: result.kind }),
    ...(result?.kind === "published" && { pullRequest: result.pullRequest.number }),
    money: spend?.money ?? 0,
  };
}

/** What a run is about; its id tells it where the request was lost: `owner/name#issue@delivery`. */
function identityOf({ id, request }: RunRow) {
  if (request !== null) {
    const { repository, issue, requestedAt } = request;
    return { id, repository: repositoryName(repository), number: issue, requestedAt };
  }
  const { repository, issue } = readRunId(id);
  return { id, repository, ...(issue !== undefined && { number: issue }), requestedAt: "" };
}
