import type { CheckIdentity } from "../data/checks.ts";
import type { Permission } from "../data/discussion.ts";
import type { RepositoryId } from "../data/run-request.ts";
import type { FoundText } from "../text/found-text.ts";

/**
 * The host of one repository (GitHub, or a GitHub Enterprise Server), acting as the app. All methods throw MagisError
 * HOST_REFUSED, HOST_NOT_FOUND or HOST_UNREACHABLE. An abandoned write may still take effect.
 */
export interface CodeHost {
  /** the app's own login, e.g. `magis[bot]`, or that of the person it acts for */
  login: string;
  /** the person it acts for, who becomes the author of pushed commits; absent: the host makes commits as the app */
  author?: { name: string; email: string };
  /** the repository's address for git */
  cloneUrl: string;
  /** the token with which git reads the repository */
  cloneToken(): Promise<string>;

  // Issues and their comments

  readIssue(issue: number): Promise<HostIssue>;
  /** The open pull requests that close or mention the issue, or whose branch is named after it. */
  pullsAbout(issue: number): Promise<readonly PullAbout[]>;
  /** oldest first */
  listComments(issue: number): Promise<readonly HostComment[]>;
  /** "none" also for an unknown login */
  permissionOf(login: string): Promise<Permission>;
  /** The HTML that the host makes of a text on the repository's pages; undefined when it refuses. */
  renderText(text: string): Promise<string | undefined>;
  /** The addresses of the images that the issue and its comments show now, by asset. They are valid for minutes. */
  imagesOf(issue: number): Promise<ReadonlyMap<string, string>>;
  /** An issue's parent and its first ten sub-issues, as far as they are the repository's own. */
  relativesOf(issue: Pick<HostIssue, "number" | "family">): Promise<readonly HostRelative[]>;
  /** The app's own comment on the issue that contains `marker`. */
  findOwnComment(issue: number, marker: string): Promise<HostComment | undefined>;
  /** Adding the same reaction again changes nothing. */
  react(target: { issue: number } | { comment: number }, reaction: Reaction): Promise<void>;
  createComment(issue: number, body: string): Promise<HostComment>;
  updateComment(comment: number, body: string): Promise<void>;
  /** Collapses one of the bot's own comments as outdated. */
  minimiseComment(nodeId: string): Promise<void>;

  // Pull requests, reviews and threads

  /** Pull requests of the app whose head branch starts with `branchPrefix`, newest first; `base`: only those into it. */
  findOwnPullRequests(branchPrefix: string, state: "open" | "all", base?: string): Promise<readonly HostPullRequest[]>;
  readPullRequest(number: number): Promise<HostPullRequest>;
  /** A pull request's commits, oldest first. `byApp`: made by the app itself. */
  listCommits(number: number): Promise<readonly { id: string; author: string; byApp: boolean }[]>;
  mergeability(number: number): Promise<Mergeability>;
  /** The first thirty files that a pull request changes, by path. */
  changesOf(number: number): Promise<readonly PullChange[]>;
  /** The app's own review that contains `marker`. */
  findOwnReview(pullRequest: number, marker: string): Promise<{ id: number } | undefined>;
  /** Submitted reviews, oldest first. */
  listReviews(pullRequest: number): Promise<readonly HostReview[]>;
  listThreads(pullRequest: number): Promise<readonly ReviewThread[]>;
  openPullRequest(pullRequest: NewPullRequest): Promise<HostPullRequest>;
  /** Marks a draft ready for review; has no effect on others. */
  markReady(number: number): Promise<void>;
  updatePullRequest(number: number, change: { title?: string; body?: string; state?: "closed" }): Promise<void>;
  /** Creates one review with event COMMENT on `head`, with all its line comments. */
  createReview(pullRequest: number, head: string, body: string, comments: readonly LineComment[]): Promise<void>;
  createFileComment(pullRequest: number, head: string, path: string, body: string): Promise<void>;
  replyToThread(pullRequest: number, thread: ReviewThread, body: string): Promise<void>;
  resolveThread(thread: ReviewThread): Promise<void>;

  // Branches and git objects

  /** The default branch and its tip; throws HOST_NOT_FOUND for an empty repository. */
  defaultBranch(): Promise<{ name: string; commit: string }>;
  /** The tip of refs/heads/<branch>, if there is such a branch. */
  branchTip(branch: string): Promise<string | undefined>;
  readCommit(commit: string): Promise<HostCommit>;
  /** The content of a blob by its git id, if the host still has it. */
  readBlob(blob: string): Promise<Uint8Array | undefined>;
  /**
   * The paths that differ between two commits, with both names of a renamed file; undefined if they are not comparable.
   */
  changedPaths(base: string, head: string): Promise<readonly string[] | undefined>;
  /** Whether `commit` is in the history of `head`; false also when the host no longer has it. */
  isAncestor(commit: string, head: string): Promise<boolean>;
  /** The latest common ancestor of two commits; undefined when there is none, or the host no longer has them. */
  mergeBase(one: string, other: string): Promise<string | undefined>;
  /**
   * Lines added and removed between a commit and a head that was built on it, or why they cannot be told, in a clause.
   */
  linesSince(commit: string, head: string): Promise<number | { unknown: string }>;
  /** A text file on the default branch of a repository of the owner; undefined when missing or out of reach. */
  readFile(repository: string, path: string): Promise<FoundText | undefined>;
  /** The names in a folder there, the root being ""; none when it is missing or out of reach. */
  listFolder(repository: string, path: string): Promise<readonly string[]>;
  createBlob(content: Uint8Array): Promise<string>;
  /** Makes a tree from `base` with entries replaced; `blob: null` removes a path. */
  createTree(base: string, entries: readonly { path: string; mode: string; blob: string | null }[]): Promise<string>;
  /**
   * Makes a commit as the app, without author, committer or signature, so that GitHub signs it. `closes`: the only
   * issue that its message may close.
   */
  createCommit(message: string, tree: string, parents: readonly string[], closes?: number): Promise<HostCommit>;
  createBranch(branch: string, commit: string): Promise<void>;
  /** Never forced; throws HOST_REFUSED when the branch has moved. */
  advanceBranch(branch: string, commit: string): Promise<void>;
  /** `ref` without the leading `refs/`; it need not exist. */
  deleteRef(ref: string): Promise<void>;

  // Checks of commits

  /**
   * The latest check runs and statuses of a commit, one for each app, workflow and name, the app's own marked. Of
   * several, a pending one counts, else a failed one. A workflow that has not ended or waits for approval is a pending
   * check of its own when none of its jobs shows that. Without the right to read Actions, checks have no workflow.
   */
  checksOf(commit: string): Promise<readonly Check[]>;
  runsOf(commit: string): Promise<CommitRuns>;
  /** An Actions job; undefined when it is gone or not readable. */
  jobOf(jobId: number): Promise<Job | undefined>;
  /** The artifacts of a workflow run, newest first; none when they are not readable. */
  artifactsOf(runId: number): Promise<readonly Artifact[]>;
  /** An artifact as a zip; undefined when it is gone or longer than `mostBytes`. */
  artifact(id: number, mostBytes: number): Promise<Uint8Array | undefined>;
  annotationsOf(checkRunId: number): Promise<readonly Annotation[]>;
  /** The last `mostBytes` of an Actions job's log as text; undefined when it is gone. */
  jobLog(jobId: number, mostBytes: number): Promise<string | undefined>;
  /** Creates or updates the app's check run of that name on `head`. */
  reportCheck(head: string, report: CheckReport): Promise<void>;
}

/** Opens the host of a repository, acting as the app's installation there. */
export type OpenCodeHost = (repository: RepositoryId) => Promise<CodeHost>;

export type Reaction = "eyes" | "rocket" | "confused" | "+1" | "-1" | "heart" | "hooray" | "laugh";

export interface HostComment {
  id: number;
  /** GraphQL's id, for `minimiseComment` */
  nodeId: string;
  author: string;
  /** by an owner, member or collaborator of the repository; absent when the host does not say */
  byMaintainer?: boolean;
  byBot: boolean;
  body: string;
  /** as the host shows `body`; absent where it does not say. Addresses in it are signed: it is kept nowhere */
  html?: string | undefined;
  /** ISO 8601 */
  createdAt: string;
  updatedAt: string;
}

export interface HostIssue {
  number: number;
  title: string;
  body: string;
  /** as for comments */
  html?: string | undefined;
  author: string;
  /** as for comments */
  byMaintainer?: boolean;
  url: string;
  open: boolean;
  locked: boolean;
  isPullRequest: boolean;
  labels: readonly string[];
  /** logins */
  assignees: readonly string[];
  /** such as `Bug`, where the host has types of issues */
  type?: string;
  /** whether it has a parent, and how many sub-issues; absent where the host has no such thing */
  family?: { parent: boolean; children: number };
}

/** An issue that another one belongs to, or is divided into. */
export interface HostRelative extends HostIssue {
  relation: "parent" | "sub-issue";
  /** ISO 8601 */
  updatedAt: string;
}

/** An open pull request of the repository that is about an issue. */
export interface PullAbout {
  number: number;
  author: string;
}

export interface HostCommit {
  id: string;
  tree: string;
  parents: readonly string[];
  author: string;
  /** GitHub shows it as Verified */
  verified: boolean;
}

/** What is read from another repository of the owner. */
export type OwnerReads = Pick<CodeHost, "readFile" | "listFolder">;

/** A check run or a commit status. */
export interface Check extends CheckIdentity {
  /** id of the check run; absent for a commit status */
  checkRunId?: number;
  /** id of its Actions job, whose log can be read */
  jobId?: number;
  /** id of its Actions workflow run */
  runId?: number;
  /** neutral also when cancelled or given up; pending also when it waits for a person */
  state: "pending" | "passed" | "failed" | "neutral";
  /** neutral only because it was cancelled or given up, which does not mean that all is well */
  stopped?: boolean;
  /** why it gives no verdict, or does not end; "timed-out" also for one that counts as failed */
  because?: "cancelled" | "timed-out" | "skipped" | "waiting" | "not-allowed" | undefined;
  /** how long it ran, if the host says so */
  seconds?: number;
  /** made by the app itself */
  byApp: boolean;
  /** its own title and summary, or "" */
  summary: string;
  url: string;
}

/** Everything that runs on a commit. */
export interface CommitRuns {
  /** every single check run and commit status, and workflows as `checksOf` gives them */
  checks: readonly Check[];
  /** another app's check suite has not ended, so more checks may come */
  unfinished: boolean;
}

/** A job of Actions. */
export interface Job {
  commit: string;
  checkRunId: number;
  steps: readonly JobStep[];
}

export interface JobStep {
  name: string;
  state: "passed" | "failed" | "neutral";
  /** start and end in milliseconds since the epoch, exact to the second; absent: it did not run */
  from?: number;
  to?: number;
}

/** Files that a workflow run uploaded. */
export interface Artifact {
  id: number;
  name: string;
  bytes: number;
}

/** A check's message about lines of a file. */
export interface Annotation {
  path: string;
  startLine: number;
  endLine: number;
  level: "notice" | "warning" | "failure";
  message: string;
}

/** The content of the app's own check run. */
export interface CheckReport {
  name: string;
  status: "in_progress" | "completed";
  conclusion?: "success" | "neutral" | "failure" | "cancelled" | "action_required";
  title: string;
  /** Markdown */
  summary: string;
  /** address of a page with the details */
  page?: string | undefined;
}

export interface HostPullRequest {
  number: number;
  url: string;
  title: string;
  body: string;
  /** as for comments on issues, here and below */
  html?: string | undefined;
  open: boolean;
  merged: boolean;
  /** ISO 8601 */
  createdAt: string;
  /** ISO 8601: when it was merged or closed */
  endedAt?: string | undefined;
  draft: boolean;
  /** absent for pull requests from a list, which lacks it */
  locked?: boolean;
  /** head branch without refs/heads/ */
  branch: string;
  head: string;
  base: string;
  author: string;
  byApp: boolean;
  /** the commit that the merge made, or the last of them; absent unless it is merged */
  mergeCommit?: string | undefined;
}

export interface NewPullRequest {
  title: string;
  body: string;
  branch: string;
  base: string;
  draft: boolean;
}

/** A line comment of a new review; the line must be in the diff. */
export interface LineComment {
  path: string;
  line: number;
  side: "LEFT" | "RIGHT";
  body: string;
}

export interface ThreadComment {
  id: number;
  author: string;
  byBot: boolean;
  body: string;
  html?: string | undefined;
  /** the commit that it was made on, if the host says so */
  commit?: string | undefined;
  /** since when others can see it, ISO 8601 */
  createdAt: string;
}

/** A review thread, comments in the order in which others could see them. */
export interface ReviewThread {
  id: string;
  resolved: boolean;
  /** its line is no longer in the diff */
  outdated: boolean;
  path: string;
  /** 1-based line of the new version; absent for a thread on the file, on a removed line, or an outdated one */
  line?: number;
  /** where it begins, if it is on several lines that end at `line` */
  startLine?: number;
  /** the hunk of the diff that it is on; "" for a thread on the file */
  diffHunk: string;
  comments: readonly ThreadComment[];
}

/** A submitted review; its line comments are threads. */
export interface HostReview {
  id: number;
  author: string;
  byBot: boolean;
  state: "approved" | "changes-requested" | "commented" | "dismissed";
  body: string;
  html?: string | undefined;
  /** the commit that was reviewed, if the host says so */
  commit?: string | undefined;
  /** ISO 8601 */
  submittedAt: string;
}

/**
 * How an open pull request stands to its base: `behind`: the base's rules want its latest commits; `unknown`: the host
 * has not found out yet.
 */
export type Mergeability = "clean" | "conflicting" | "behind" | "unknown";

/** What a pull request does to a file. `patch`: its hunks; "" for a binary file and for a long one. */
export interface PullChange {
  path: string;
  added: number;
  removed: number;
  patch: string;
}
