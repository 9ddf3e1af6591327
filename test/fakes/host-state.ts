import type { Permission } from "../../src/data/discussion.ts";
import type {
  Annotation,
  Check,
  HostComment,
  HostIssue,
  HostPullRequest,
  HostRelative,
  HostReview,
  Job,
  LineComment,
  Mergeability,
  PullAbout,
  PullChange,
  ThreadComment,
} from "../../src/github/code-host.ts";
import type { GitObjects } from "./create-git-objects.ts";

export interface FakeThread {
  readonly id: string;
  resolved: boolean;
  readonly pullRequest: number;
  readonly path: string;
  /** absent for a comment on the whole file */
  readonly line?: number;
  /** false by default */
  readonly outdated?: boolean;
  /** "" by default */
  readonly diffHunk?: string;
  readonly comments: ThreadComment[];
}

/** The fake host's state. Tests may read it, and change it as people on the host would. */
export interface HostState {
  readonly login: string;
  readonly objects: GitObjects;
  issue: HostIssue;
  /** of everybody */
  permission: Permission;
  /** in order, such as `eyes on comment 5` */
  readonly reactions: string[];
  /** of people and other bots, about the issue */
  pullsAbout: readonly PullAbout[];
  readonly relatives: HostRelative[];
  readonly comments: HostComment[];
  /** node ids of hidden comments */
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
  /** commits with a workflow that runs and has no check yet */
  readonly unfinished: Set<string>;
  /** files in the owner's other repositories, by `repository/path` */
  readonly otherFiles: Map<string, string>;
  readonly pullRequests: HostPullRequest[];
  /** by pull request */
  readonly changes: Map<number, readonly PullChange[]>;
  /** of each pull request */
  mergeability: Mergeability;
  readonly reviews: (HostReview & { readonly pullRequest: number; readonly lines: readonly LineComment[] })[];
  readonly threads: FakeThread[];
  /** gives a new number */
  next(): number;
}
