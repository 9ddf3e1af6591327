import type { CheckIdentity } from "../model/checks.ts";
import type { Permission } from "../model/discussion.ts";
import type { RepositoryId } from "../model/run-request.ts";
import type { PullRequestReads, PullRequestWrites } from "./pull-requests.ts";

/** What is read of one repository on its host. A call that is given up leaves nothing behind. */
export interface HostReads extends IssueReads, PullRequestReads, CommitReads, CheckReads {
  /** what git needs to read the repository */
  cloneToken(): Promise<string>;
}

/** What is written there. A call that is given up may yet take effect. */
export interface HostWrites extends IssueWrites, PullRequestWrites, CommitWrites, CheckWrites {}

/** The host of one repository (GitHub, or a GitHub Enterprise Server), acting as the app. */
export interface CodeHost extends HostReads, HostWrites {
  /** the app's own login, e.g. `magis[bot]`, or that of the person as whom it acts */
  readonly login: string;
  /** of a person as whom it acts: commits are pushed in this name; absent: the host makes them, as the app */
  readonly author?: { readonly name: string; readonly email: string };
  /** where git finds the repository */
  readonly cloneUrl: string;
  /**
   * Holds room within the host's limits for so many comments and other things that are made; 0 gives it back. Gives 0, or
   * the milliseconds after which it may be asked again when there is no room now.
   */
  reserveWrites(count: number): Promise<number>;
}

const READS: Record<keyof HostReads, true> = {
  cloneToken: true,
  readIssue: true,
  listComments: true,
  permissionOf: true,
  findOwnComment: true,
  findOwnPullRequests: true,
  readPullRequest: true,
  listCommits: true,
  findOwnReview: true,
  listReviews: true,
  listThreads: true,
  defaultBranch: true,
  branchTip: true,
  readCommit: true,
  readBlob: true,
  changedPaths: true,
  isAncestor: true,
  readFile: true,
  checksOf: true,
  runsOf: true,
  jobOf: true,
  artifactsOf: true,
  artifact: true,
  annotationsOf: true,
  jobLog: true,
};

export const HOST_READS = Object.keys(READS) as readonly (keyof HostReads)[];

/** Gives the host of a repository, acting as the app's installation there. */
export type OpenCodeHost = (repository: RepositoryId) => Promise<CodeHost>;

/**
 * What a run creates on the host at most: its comment, commit, pull request and checks, and thirty threads, each made,
 * answered and resolved.
 */
export const RUN_CREATIONS = 110;

export type Reaction = "eyes" | "rocket" | "confused" | "+1" | "-1" | "heart" | "hooray" | "laugh";

export interface HostComment {
  readonly id: number;
  /** GraphQL's id, for `minimiseComment` */
  readonly nodeId: string;
  readonly author: string;
  /** an owner, a member or a collaborator of the repository; absent where the host does not say */
  readonly byMaintainer?: boolean;
  readonly byBot: boolean;
  readonly body: string;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface HostIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  /** as of a comment */
  readonly byMaintainer?: boolean;
  readonly url: string;
  readonly open: boolean;
  readonly locked: boolean;
  readonly isPullRequest: boolean;
  readonly labels: readonly string[];
}

/** Issues and their comments. All methods throw MagisError HOST_REFUSED, HOST_NOT_FOUND or HOST_UNREACHABLE. */
export interface IssueReads {
  readIssue(issue: number): Promise<HostIssue>;
  /** oldest first */
  listComments(issue: number): Promise<readonly HostComment[]>;
  /** "none" also for somebody whom the host does not know */
  permissionOf(login: string): Promise<Permission>;
  /** The app's own comment on the issue that contains `marker`. */
  findOwnComment(issue: number, marker: string): Promise<HostComment | undefined>;
}

/** What is changed there. */
export interface IssueWrites {
  /** Adding the same reaction again changes nothing. */
  react(target: { readonly issue: number } | { readonly comment: number }, reaction: Reaction): Promise<void>;
  createComment(issue: number, body: string): Promise<HostComment>;
  updateComment(comment: number, body: string): Promise<void>;
  /** Folds an own comment away as outdated. */
  minimiseComment(nodeId: string): Promise<void>;
}

export interface IssueApi extends IssueReads, IssueWrites {}

export interface HostCommit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: string;
  /** GitHub shows it as Verified */
  readonly verified: boolean;
}

/** Branches and git objects on the host. Errors as in IssueApi. */
export interface CommitReads {
  /** The default branch and its tip; throws HOST_NOT_FOUND for an empty repository. */
  defaultBranch(): Promise<{ readonly name: string; readonly commit: string }>;
  /** The tip of refs/heads/<branch>, if there is such a branch. */
  branchTip(branch: string): Promise<string | undefined>;
  readCommit(commit: string): Promise<HostCommit>;
  /** Content of a blob by its git id, if the host still has it. */
  readBlob(blob: string): Promise<Uint8Array | undefined>;
  /** Paths that differ between two commits, with both names of a renamed file; undefined when they cannot be compared. */
  changedPaths(base: string, head: string): Promise<readonly string[] | undefined>;
  /** Whether `commit` is part of the history of `head`; false also when the host has it no more. */
  isAncestor(commit: string, head: string): Promise<boolean>;
  /** A text file of a repository of the same owner, on its default branch; undefined when it is not there or out of reach. */
  readFile(repository: string, path: string): Promise<string | undefined>;
}

/** What is changed there. */
export interface CommitWrites {
  createBlob(content: Uint8Array): Promise<string>;
  /** A tree: `base` with entries replaced; `blob: null` removes a path. */
  createTree(
    base: string,
    entries: readonly { readonly path: string; readonly mode: string; readonly blob: string | null }[],
  ): Promise<string>;
  /**
   * Made by the app without author, committer or signature, so that GitHub signs it. `closes`: the one issue that its
   * message may close.
   */
  createCommit(message: string, tree: string, parents: readonly string[], closes?: number): Promise<HostCommit>;
  createBranch(branch: string, commit: string): Promise<void>;
  /** Never forced; throws HOST_REFUSED when the branch has moved. */
  advanceBranch(branch: string, commit: string): Promise<void>;
  /** `ref` without the leading `refs/`; a ref that is not there is fine. */
  deleteRef(ref: string): Promise<void>;
}

export interface CommitApi extends CommitReads, CommitWrites {}

/** A check run or a commit status: both say how one thing fared on a commit. */
export interface Check extends CheckIdentity {
  /** id of the check run; absent for a commit status */
  readonly checkRunId?: number;
  /** id of the Actions job behind it, whose log can be read */
  readonly jobId?: number;
  /** the Actions workflow run that it belongs to */
  readonly runId?: number;
  /** neutral also when it was cancelled or given up; pending also when it waits for a person to act */
  readonly state: "pending" | "passed" | "failed" | "neutral";
  /** it is neutral only because it was cancelled or given up, and so no sign that all is well */
  readonly stopped?: boolean;
  /** why it says nothing, or does not end: "timed-out" also of one that is taken for failed */
  readonly because?: "cancelled" | "timed-out" | "skipped" | "waiting" | "not-allowed" | undefined;
  /** how long it ran, where the host tells */
  readonly seconds?: number;
  /** made by the app itself */
  readonly byApp: boolean;
  /** what it says of itself, title and summary; "" when nothing */
  readonly summary: string;
  readonly url: string;
}

/** All that runs on a commit. */
export interface CommitRuns {
  /** each check run and commit status by itself, and workflows as `checksOf` gives them */
  readonly checks: readonly Check[];
  /** another app's suite of checks has not ended: more checks may come */
  readonly unfinished: boolean;
}

/** A job of Actions. */
export interface Job {
  readonly commit: string;
  readonly checkRunId: number;
  readonly steps: readonly JobStep[];
}

export interface JobStep {
  readonly name: string;
  readonly state: "passed" | "failed" | "neutral";
  /** milliseconds, of its first and last second; absent: it did not run */
  readonly from?: number;
  readonly to?: number;
}

/** Files that a workflow run has kept. */
export interface Artifact {
  readonly id: number;
  readonly name: string;
  readonly bytes: number;
}

/** What a check has to say about lines of a file. */
export interface Annotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: "notice" | "warning" | "failure";
  readonly message: string;
}

/** What the app's own check run shows. */
export interface CheckReport {
  readonly name: string;
  readonly status: "in_progress" | "completed";
  readonly conclusion?: "success" | "neutral" | "failure" | "cancelled" | "action_required";
  readonly title: string;
  /** Markdown */
  readonly summary: string;
}

/** Checks of commits. Errors as in IssueApi. */
export interface CheckReads {
  /**
   * The latest check runs and statuses of a commit, one for each app, workflow and name, and the app's own apart: of
   * several, one that is pending stands for all, else one that failed. A workflow that has not ended, or that somebody has
   * to let run, is a pending one of its own where no job says so. Where Actions may not be read, no workflow is told.
   */
  checksOf(commit: string): Promise<readonly Check[]>;
  /** Everything that runs on a commit. */
  runsOf(commit: string): Promise<CommitRuns>;
  /** An Actions job; undefined when it is gone or may not be read. */
  jobOf(jobId: number): Promise<Job | undefined>;
  /** What a workflow run has kept, the newest first; nothing where it may not be read. */
  artifactsOf(runId: number): Promise<readonly Artifact[]>;
  /** An artifact as a zip; undefined when it is gone or longer than `mostBytes`. */
  artifact(id: number, mostBytes: number): Promise<Uint8Array | undefined>;
  annotationsOf(checkRunId: number): Promise<readonly Annotation[]>;
  /** The log of an Actions job as text, unpacked in memory; undefined when it is gone. Cut to its last `mostBytes`. */
  jobLog(jobId: number, mostBytes: number): Promise<string | undefined>;
}

/** What is changed there. */
export interface CheckWrites {
  /** Creates the app's check run of that name on `head`, or updates the one that is there. */
  reportCheck(head: string, report: CheckReport): Promise<void>;
}

export interface CheckApi extends CheckReads, CheckWrites {}
