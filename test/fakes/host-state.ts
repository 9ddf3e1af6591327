import type { Permission } from "../../src/data/discussion.ts";
import type {
  Check,
  HostComment,
  HostIssue,
  HostPullRequest,
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
  id: string;
  resolved: boolean;
  pullRequest: number;
  path: string;
  /** absent for a comment on the whole file */
  line?: number;
  /** false by default */
  outdated?: boolean;
  /** "" by default */
  diffHunk?: string;
  comments: ThreadComment[];
}

/** The fake host's state. Tests may read it, and change it as people on the host would. */
export interface HostState {
  login: string;
  objects: GitObjects;
  issue: HostIssue;
  /** of everybody */
  permission: Permission;
  /** in order, such as `eyes on comment 5` */
  reactions: string[];
  /** of people and other bots, about the issue */
  pullsAbout: readonly PullAbout[];
  comments: HostComment[];
  /** node ids of hidden comments */
  minimised: string[];
  /** checks by commit */
  checks: Map<string, Check[]>;
  /** by Actions job */
  jobLogs: Map<number, string>;
  jobs: Map<number, Job>;
  /** artifacts, as zips, by workflow run */
  artifacts: Map<number, readonly { id: number; name: string; zip: Uint8Array }[]>;
  /** commits with a workflow that runs and has no check yet */
  unfinished: Set<string>;
  /** files in the owner's other repositories, by `repository/path` */
  otherFiles: Map<string, string>;
  pullRequests: HostPullRequest[];
  /** by pull request */
  changes: Map<number, readonly PullChange[]>;
  /** of each pull request */
  mergeability: Mergeability;
  reviews: (HostReview & { pullRequest: number; lines: readonly LineComment[] })[];
  threads: FakeThread[];
  /** gives a new number */
  next(): number;
}
