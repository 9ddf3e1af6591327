import type { IssueSnapshot } from "../domain/issue/issue-snapshot.ts";
import type { RunRequest } from "../domain/run/run-request.ts";
import type { RunTools } from "./run-tools.ts";
import { snapshotIssue } from "./snapshot-issue.ts";

/** The commit that the whole run works on. */
export interface Base {
  readonly branch: string;
  readonly commit: string;
}

/** The issue and the commit as they are from now on, or why the run may not go on. */
export type Start = { readonly issue: IssueSnapshot; readonly base: Base } | { readonly refused: string };

/** Shows the tracking comment, then fixes what the run is about: the issue's text and the default branch's tip. */
export async function startRun(request: RunRequest, { host, tracker, record }: RunTools): Promise<Start> {
  await tracker.tasks([]);
  const issue = await host.readIssue(request.issue);
  if (!issue.open) return { refused: "The issue was closed before the work began." };
  if (issue.locked) return { refused: "The conversation was locked before the work began." };
  const comments = await host.listComments(request.issue);
  const { name, commit } = await host.defaultBranch();
  const start = { issue: snapshotIssue(request, issue, comments), base: { branch: name, commit } };
  await record("start", start);
  return start;
}
