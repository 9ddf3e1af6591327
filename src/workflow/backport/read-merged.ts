import type { IssueSnapshot } from "../../model/discussion.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { HostPullRequest } from "../../ports/pull-requests.ts";
import type { RunTools } from "../run/run-tools.ts";
import { snapshotIssue } from "../run/snapshot-issue.ts";

/** What a merge brought, and where it is wanted. Plain data. */
export interface Merged {
  readonly number: number;
  readonly title: string;
  /** the pull request as the agents see it, without its discussion */
  readonly issue: IssueSnapshot;
  /** the branch that it was merged into */
  readonly into: string;
  /** the commit before the merge, and the one after: the change is what differs between them */
  readonly before: string;
  readonly after: string;
  /** the commits that stand for it in the history, oldest first; a merge commit stands for all of its own */
  readonly commits: readonly string[];
  readonly isMerge: boolean;
  /** the branches asked for, the newest first */
  readonly branches: readonly string[];
}

/** Reads what a pull request's merge brought, whether by a merge commit, squashed or rebased. */
export async function readMerged(
  request: RunRequest,
  { host, settings }: Pick<RunTools, "host" | "settings">,
): Promise<Merged | { readonly refused: string }> {
  if (request.work.kind !== "backport") return { refused: "This is no backport." };
  const pull = await host.readPullRequest(request.issue);
  if (pull.mergeCommit === undefined) return { refused: "The pull request is not merged." };
  const range = await rangeOf({ ...pull, mergeCommit: pull.mergeCommit }, host);
  if (range === undefined) return { refused: "The merge has no commit before it." };
  const issue = await snapshotIssue(request, await host.readIssue(request.issue), [], settings.commentsFrom);
  return {
    number: pull.number,
    title: issue.title,
    issue,
    into: pull.base,
    ...range,
    branches: newestFirst(request.work.branches),
  };
}

/** Longer rebased pull requests cost a request for each commit. */
const MAX_COMMITS = 100;

async function rangeOf(
  { number, mergeCommit }: HostPullRequest & { readonly mergeCommit: string },
  host: Pick<CodeHost, "readCommit" | "listCommits" | "pullsOf">,
): Promise<Pick<Merged, "before" | "after" | "commits" | "isMerge"> | undefined> {
  const { parents } = await host.readCommit(mergeCommit);
  const [before] = parents;
  if (before === undefined) return undefined;
  if (parents.length > 1) return { before, after: mergeCommit, commits: [mergeCommit], isMerge: true };
  const count = (await host.listCommits(number)).length;
  // A squash leaves one commit, a rebase all of them: the one before is the pull request's own only after a rebase.
  const commits = [mergeCommit];
  let first = before;
  while (commits.length < Math.min(count, MAX_COMMITS) && (await host.pullsOf(first)).includes(number)) {
    const [parent] = (await host.readCommit(first)).parents;
    if (parent === undefined) break;
    commits.unshift(first);
    first = parent;
  }
  return { before: first, after: mergeCommit, commits, isMerge: false };
}

/** Branches with a higher version first; others as they were named. */
export function newestFirst(branches: readonly string[]): readonly string[] {
  const versionOf = (name: string) => (name.match(/\d+/g) ?? []).map(Number);
  return [...branches].sort((one, other) => {
    const [a, b] = [versionOf(one), versionOf(other)];
    if (a.length === 0 || b.length === 0) return 0;
    const at = a.findIndex((part, index) => part !== b[index]);
    return at < 0 ? 0 : (b[at] ?? -1) - (a[at] ?? -1);
  });
}
