import type { CheckApi } from "../../ports/check-api.ts";
import { attempt } from "./attempt.ts";
import type { GithubRepository } from "./github-repository.ts";
import { listChecks } from "./list-checks.ts";
import { readJobLog } from "./read-job-log.ts";
import { reportCheck } from "./report-check.ts";

/** Check runs, commit statuses and job logs of one repository on GitHub; errors as the port says. */
export function createCheckApi(repository: GithubRepository): CheckApi {
  const { client, owner, repo } = repository;

  return {
    checksOf: (commit) => listChecks(repository, commit),

    annotationsOf: (checkRunId) =>
      attempt("read the annotations of a check", async () => {
        const query = { owner, repo, check_run_id: checkRunId, per_page: 100 };
        const rows = await client.paginate(client.rest.checks.listAnnotations, query);
        return rows.map((row) => ({
          path: row.path,
          startLine: row.start_line,
          endLine: row.end_line,
          level: levelOf(row.annotation_level),
          message: [row.title, row.message].filter(Boolean).join(": "),
        }));
      }),

    jobLog: (jobId, mostBytes) => readJobLog(repository, jobId, mostBytes),

    reportCheck: (head, report) => reportCheck(repository, head, report),
  };
}

function levelOf(level: string | null): "notice" | "warning" | "failure" {
  return level === "failure" || level === "warning" ? level : "notice";
}
