import type { CheckRun, RepositoryState, WorldState } from "../state.ts";
import { endSuite } from "./end-suite.ts";
import { saveCheckRun } from "./save-check-run.ts";
import { suiteOf } from "./suite-of.ts";

export interface CiJob {
  name: string;
  /** Absent while the job is running. */
  conclusion?: "success" | "failure" | "neutral" | "cancelled" | "skipped" | "timed_out" | "action_required";
  annotations?: { path: string; line: number; message: string; level?: "notice" | "warning" | "failure" }[];
  log?: string;
}

/** A file that a workflow run uploads. */
export interface CiArtifact {
  name: string;
  zip: Uint8Array;
}

export interface CiResult {
  name: string;
  /** The id of both the check run and the job, which GitHub gives the same. */
  id: number;
}

const ACTIONS = { id: 15368, slug: "github-actions", name: "GitHub Actions" };

/**
 * Runs jobs on a commit like GitHub Actions: all begin, then those with a conclusion end one by one. The suite ends
 * only with `last`, so that jobs may be added until then. A job with a known name runs again.
 */
export async function runCi(
  state: WorldState,
  repo: RepositoryState,
  sha: string,
  jobs: CiJob[],
  last: boolean,
  artifacts: CiArtifact[] = [],
): Promise<CiResult[]> {
  const suite = suiteOf(state, repo, ACTIONS, sha);
  // Later jobs, which need others, belong to the running workflow.
  const going = suite.held ? repo.workflows.findLast((one) => one.suite === suite) : undefined;
  suite.held = true;
  const workflow = going?.id ?? state.nextId();
  if (!going) repo.workflows.push({ id: workflow, sha, path: ".github/workflows/ci.yml", suite, artifacts: [] });
  const kept = repo.workflows.find(({ id }) => id === workflow)?.artifacts;
  for (const artifact of artifacts) kept?.push({ id: state.nextId(), ...artifact });
  const begun: CheckRun[] = [];
  for (const { name } of jobs) {
    const id = state.nextId();
    const run: CheckRun = {
      id,
      sha,
      suite,
      name,
      status: "in_progress",
      conclusion: null,
      started_at: new Date().toISOString(),
      completed_at: null,
      external_id: String(id),
      details_url: `${state.url}/${repo.owner}/${repo.name}/actions/runs/${workflow}/job/${id}`,
      output: { title: null, summary: null, text: null },
      annotations: [],
    };
    await saveCheckRun(state, repo, run);
    begun.push(run);
  }
  for (const [index, run] of begun.entries()) {
    const { conclusion, annotations = [], log } = jobs[index] ?? {};
    if (log !== undefined) repo.jobLogs.set(run.id, log);
    if (conclusion === undefined) continue;
    const rows = annotations.map(({ path, line, message, level = "failure" }) => ({
      path,
      start_line: line,
      end_line: line,
      annotation_level: level,
      message,
    }));
    const ended = { status: "completed", conclusion, completed_at: new Date().toISOString(), annotations: rows };
    await saveCheckRun(state, repo, { ...run, ...ended });
  }
  if (last) {
    suite.held = false;
    await endSuite(state, repo, suite);
  }
  return begun.map(({ name, id }) => ({ name, id }));
}
