import type { IssueSnapshot } from "../../model/issue-snapshot.ts";
import type { RunRequest } from "../../model/run-request.ts";
import { type KeptStart, resumeStart } from "./resume-start.ts";
import type { RunTools } from "./run-tools.ts";
import { snapshotIssue } from "./snapshot-issue.ts";

/** The issue and the commit as they are from now on, or why the run may not go on. */
export type Start = KeptStart | { readonly refused: string };

/**
 * Shows the tracking comment, then fixes what the run is about: the issue's text and the default branch's tip, or, for
 * a run that goes on with another, what that one was about.
 */
export async function startRun(
  request: RunRequest,
  { host, tracker, kept, record, settings }: RunTools,
): Promise<Start> {
  await tracker.tasks([]);
  const issue = await host.readIssue(request.issue);
  if (!issue.open) return { refused: "The issue was closed before the work began." };
  if (issue.locked) return { refused: "The conversation was locked before the work began." };
  const wanted = settings.baseBranch;
  const tip = wanted === undefined ? undefined : await host.branchTip(wanted);
  if (wanted !== undefined && tip === undefined)
    return { refused: `There is no branch "${wanted}", which the configuration names.` };
  const start = (await resumeStart(request, await kept(), host)) ?? (await freshStart());
  await record("start", start);
  return start;

  async function freshStart(): Promise<KeptStart> {
    const comments = await host.listComments(request.issue);
    const { name, commit } = wanted !== undefined && tip ? { name: wanted, commit: tip } : await host.defaultBranch();
    const snapshot: IssueSnapshot = snapshotIssue(request, issue, comments);
    // What was approved is gone with the record of its run.
    const lost = request.root !== request.id && request.work.kind === "resolve";
    return {
      ...{ issue: snapshot, base: { branch: name, commit }, by: request.id },
      ...(lost && { renewed: "The earlier run is no longer kept, so the plan was made anew." }),
    };
  }
}
