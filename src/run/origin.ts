import pMap from "p-map";
import { sequencePlan } from "../change/work-plan.ts";
import type { IssueSnapshot } from "../data/discussion.ts";
import { issueOfPull, runOfPull } from "../data/marks.ts";
import type { AiPolicy, MadePlan, RoleDescription } from "../data/plan.ts";
import { readRecord } from "../data/read-record.ts";
import type { HostPullRequest } from "../github/code-host.ts";
import type { Assignment, Manager } from "../models/agents.ts";
import type { RunContext } from "./run-context.ts";
import { heardOf, snapshotIssue } from "./snapshot-issue.ts";

/** What is known of the run that opened the pull request; roles and base are gone when its record was deleted. */
export interface Origin {
  root?: string;
  issue: IssueSnapshot;
  /** the commit that the change was made on */
  base?: string;
  policy?: AiPolicy | undefined;
  roles: readonly { path: string; developer: RoleDescription; qaEngineer?: RoleDescription }[];
  /** paths of the tests whose failure without the fix is its proof */
  proves: readonly string[];
}

/** Finds the run by the mark in the pull request's body, and takes from its record what a revision needs. */
export async function findOrigin(
  pull: HostPullRequest,
  { request, host, earlierRun, settings }: RunContext,
): Promise<Origin> {
  const root = runOfPull(pull);
  const { start, plan, work, proof } = root === undefined ? readRecord({}) : await earlierRun(root).record();
  const number = issueOfPull(pull) ?? pull.number;
  const { text: _, ...withoutText } = request;
  const from = settings.commentsFrom;
  const red = proof?.pushes.findLast(({ stage }) => stage === "red");
  return {
    root,
    issue: start
      ? heardOf(start.issue, from)
      : await snapshotIssue(withoutText, await host.readIssue(number), await host.listComments(number), {
          from,
          host,
        }),
    base: start?.base.commit,
    policy: plan?.policy,
    roles: (plan?.tasks ?? []).map(({ id, path, developer }) => {
      const outcome = work?.outcomes.find(({ taskId }) => taskId === id);
      const qaEngineer = outcome?.qaEngineer.title ? outcome.qaEngineer : undefined;
      return { path, developer, qaEngineer };
    }),
    proves: red?.verdict === "right-red" ? [...new Set(red.asked.map(({ path }) => path))] : [],
  };
}

/** Concurrent P5 calls. */
const AT_ONCE = 4;

/**
 * The plan of a run that follows up on a pull request: each task goes to the Developer who wrote its file, or, where
 * that is unknown, to one whom the Manager describes. Tasks run in sequence, without a meeting.
 */
export async function staffPlan(
  assignments: readonly Assignment[],
  deps: {
    manager: Manager;
    issue: IssueSnapshot;
    roles: Origin["roles"];
    reason?: string;
  },
): Promise<MadePlan> {
  const { manager, issue, roles, reason = "" } = deps;
  const tasks = await pMap(
    assignments,
    async (task) => {
      const known = roles.findLast(({ path }) => path === task.path)?.developer;
      return { ...task, developer: known ?? (await manager.describeDeveloper(issue, task)) };
    },
    { concurrency: AT_ONCE },
  );
  return { tasks, order: sequencePlan(tasks), source: "", meeting: [], agreed: "", reason, refused: 0 };
}
