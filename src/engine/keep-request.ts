import type { Pool } from "pg";
import { repositoryName } from "../model/repository-id.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { Log } from "../ports/log.ts";

/** Notes what a run was asked for beside its state, for whoever looks at the runs; the run does not depend on it. */
export async function keepRequest(pool: Pool, log: Log, request: RunRequest): Promise<void> {
  const sql = `INSERT INTO magis.run (id, repository, issue, request) VALUES ($1, $2, $3, $4)
               ON CONFLICT (id) DO UPDATE SET repository = EXCLUDED.repository, issue = EXCLUDED.issue,
                 request = EXCLUDED.request, updated_at = now()`;
  const values = [request.id, repositoryName(request.repository), request.issue, JSON.stringify(request)];
  await pool.query(sql, values).catch((error: unknown) => {
    log.warn({ run: request.id, error }, "the request was not noted beside the run");
  });
}
