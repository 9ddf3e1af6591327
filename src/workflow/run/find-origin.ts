import type { IssueSnapshot } from "../../model/issue-snapshot.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { RoleDescription } from "../../model/task.ts";
import type { HostPullRequest } from "../../ports/pull-request-api.ts";
import type { MadePlan } from "../strategy/make-plan.ts";
import type { Work } from "./coding.ts";
import type { RunTools } from "./run-tools.ts";
import { snapshotIssue } from "./snapshot-issue.ts";
import type { Start } from "./start-run.ts";

/** What is known of the run that opened the pull request; roles and base are gone when its record was deleted. */
export interface Origin {
  readonly root?: string;
  readonly issue: IssueSnapshot;
  /** the commit that the change was made on */
  readonly base?: string;
  readonly roles: readonly { path: string; developer: RoleDescription; qaEngineer?: RoleDescription }[];
}

const RUN = /<!-- magis:run (\S+#(\d{1,12})@\S+) -->/;
const BRANCH = /issue-(\d{1,12})-/;

/** Finds the run by the mark in the pull request's body, and of its record what a revision goes on with. */
export async function findOrigin(
  request: RunRequest,
  pull: HostPullRequest,
  { host, earlierRun }: Pick<RunTools, "host" | "earlierRun">,
): Promise<Origin> {
  const [, root, numbered] = RUN.exec(pull.body) ?? [];
  const record = root === undefined ? {} : await earlierRun(root).record();
  const start = record.start as Extract<Start, { issue: unknown }> | undefined;
  const plan = record.plan as MadePlan | undefined;
  const work = record.work as Work | undefined;
  const number = Number(numbered ?? BRANCH.exec(pull.branch)?.[1] ?? pull.number);
  const { text: _, ...untold } = request;
  return {
    ...(root !== undefined && { root }),
    issue: start?.issue ?? snapshotIssue(untold, await host.readIssue(number), await host.listComments(number)),
    ...(start && { base: start.base.commit }),
    roles: (plan?.tasks ?? []).map(({ id, path, developer }) => {
      const outcome = work?.outcomes.find(({ taskId }) => taskId === id);
      const qaEngineer = outcome?.qaEngineer.title ? outcome.qaEngineer : undefined;
      return { path, developer, ...(qaEngineer && { qaEngineer }) };
    }),
  };
}
