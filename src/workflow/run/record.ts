import type { IssueSnapshot } from "../../model/discussion.ts";
import { issueOfPull, runOfPull } from "../../model/marks.ts";
import type { RoleDescription } from "../../model/plan.ts";
import { readRecord } from "../../model/read-record.ts";
import { type RunRequest, readRunId, repositoryName } from "../../model/run-request.ts";
import type { HostPullRequest } from "../../ports/pull-requests.ts";
import type { RunReport, RunStore } from "../../ports/runs.ts";
import type { EarlierRun, RunTools } from "./run-tools.ts";
import { heardOf, snapshotIssue } from "./snapshot-issue.ts";

/** Its id names the repository: what a person may have put in its place must not open another one's run. */
export function earlierRun(id: string, { repository }: RunRequest, store: RunStore): EarlierRun {
  const own = readRunId(id).repository === repositoryName(repository);
  return {
    record: async () => readRecord(own ? await store.record(id) : {}),
    state: async () => (own ? store.state(id) : undefined),
    saveState: async (state) => (own ? store.saveState(id, state) : undefined),
  };
}

/** All that `store` knows of a run, beside the facts that it does not keep. */
export async function runReport(
  store: Pick<RunStore, "state" | "record" | "calls">,
  facts: Pick<RunReport, "id" | "repository" | "number" | "title" | "requestedAt">,
): Promise<RunReport> {
  const [state, record, calls] = [
    await store.state(facts.id),
    await store.record(facts.id),
    await store.calls(facts.id),
  ];
  return { ...facts, ...(state && { state }), record, calls };
}

/** What is known of the run that opened the pull request; roles and base are gone when its record was deleted. */
export interface Origin {
  readonly root?: string;
  readonly issue: IssueSnapshot;
  /** the commit that the change was made on */
  readonly base?: string;
  readonly roles: readonly { path: string; developer: RoleDescription; qaEngineer?: RoleDescription }[];
}

/** Finds the run by the mark in the pull request's body, and of its record what a revision goes on with. */
export async function findOrigin(
  request: RunRequest,
  pull: HostPullRequest,
  { host, earlierRun, settings }: Pick<RunTools, "host" | "earlierRun" | "settings">,
): Promise<Origin> {
  const root = runOfPull(pull);
  const { start, plan, work } = root === undefined ? readRecord({}) : await earlierRun(root).record();
  const number = issueOfPull(pull) ?? pull.number;
  const { text: _, ...untold } = request;
  const from = settings.commentsFrom;
  return {
    ...(root !== undefined && { root }),
    issue: start
      ? heardOf(start.issue, from)
      : await snapshotIssue(untold, await host.readIssue(number), await host.listComments(number), from),
    ...(start && { base: start.base.commit }),
    roles: (plan?.tasks ?? []).map(({ id, path, developer }) => {
      const outcome = work?.outcomes.find(({ taskId }) => taskId === id);
      const qaEngineer = outcome?.qaEngineer.title ? outcome.qaEngineer : undefined;
      return { path, developer, ...(qaEngineer && { qaEngineer }) };
    }),
  };
}
