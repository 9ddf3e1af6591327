import type { Annotation, Check, HostComment, HostIssue, Job } from "../../src/ports/code-host.ts";
import type { HostPullRequest, HostReview, LineComment, ThreadComment } from "../../src/ports/pull-requests.ts";
import type { GitObjects } from "./create-git-objects.ts";

export interface FakeThread {
  readonly id: string;
  resolved: boolean;
  readonly pullRequest: number;
  readonly path: string;
  /** absent: about the file as a whole */
  readonly line?: number;
  /** false when absent */
  readonly outdated?: boolean;
  /** "" when absent */
  readonly diffHunk?: string;
  readonly comments: ThreadComment[];
}

/** All that the fake host knows. Tests may look at it and put things in, as people on the host would. */
export interface HostState {
  readonly login: string;
  readonly objects: GitObjects;
  issue: HostIssue;
  readonly comments: HostComment[];
  /** node ids of comments that were folded away */
  readonly minimised: string[];
  /** checks by commit */
  readonly checks: Map<string, Check[]>;
  /** by check run */
  readonly annotations: Map<number, readonly Annotation[]>;
  /** by Actions job */
  readonly jobLogs: Map<number, string>;
  readonly jobs: Map<number, Job>;
  /** artifacts, as zips, by workflow run */
  readonly artifacts: Map<number, readonly { readonly id: number; readonly name: string; readonly zip: Uint8Array }[]>;
  /** commits on which something has not ended that is no check yet */
  readonly unfinished: Set<string>;
  /** `repository/path` to text, in other repositories of the owner */
  readonly otherFiles: Map<string, string>;
  readonly pullRequests: HostPullRequest[];
  readonly reviews: (HostReview & { readonly pullRequest: number; readonly lines: readonly LineComment[] })[];
  readonly threads: FakeThread[];
  /** a new number, for whatever needs one */
  next(): number;
}
