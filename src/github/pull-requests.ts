export interface HostPullRequest {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  /** as for comments on issues, here and below */
  readonly html?: string | undefined;
  readonly open: boolean;
  readonly merged: boolean;
  /** ISO 8601 */
  readonly createdAt: string;
  /** ISO 8601: when it was merged or closed */
  readonly endedAt?: string | undefined;
  readonly draft: boolean;
  /** absent for pull requests from a list, which lacks it */
  readonly locked?: boolean;
  /** head branch without refs/heads/ */
  readonly branch: string;
  readonly head: string;
  readonly base: string;
  readonly author: string;
  readonly byApp: boolean;
  /** the commit that the merge made, or the last of them; absent unless it is merged */
  readonly mergeCommit?: string | undefined;
}

export interface NewPullRequest {
  readonly title: string;
  readonly body: string;
  readonly branch: string;
  readonly base: string;
  readonly draft: boolean;
}

/** A line comment of a new review; the line must be in the diff. */
export interface LineComment {
  readonly path: string;
  readonly line: number;
  readonly side: "LEFT" | "RIGHT";
  readonly body: string;
}

export interface ThreadComment {
  readonly id: number;
  readonly author: string;
  readonly byBot: boolean;
  readonly body: string;
  readonly html?: string | undefined;
  /** the commit that it was made on, if the host says so */
  readonly commit?: string | undefined;
  /** ISO 8601 */
  readonly createdAt: string;
}

/** A review thread, comments oldest first. */
export interface ReviewThread {
  readonly id: string;
  readonly resolved: boolean;
  /** its line is no longer in the diff */
  readonly outdated: boolean;
  readonly path: string;
  /** 1-based line of the new version; absent for a thread on the file, on a removed line, or an outdated one */
  readonly line?: number;
  /** where it begins, if it is on several lines that end at `line` */
  readonly startLine?: number;
  /** the hunk of the diff that it is on; "" for a thread on the file */
  readonly diffHunk: string;
  readonly comments: readonly ThreadComment[];
}

/** A submitted review; its line comments are threads. */
export interface HostReview {
  readonly id: number;
  readonly author: string;
  readonly byBot: boolean;
  readonly state: "approved" | "changes-requested" | "commented" | "dismissed";
  readonly body: string;
  readonly html?: string | undefined;
  /** the commit that was reviewed, if the host says so */
  readonly commit?: string | undefined;
  /** ISO 8601 */
  readonly submittedAt: string;
}

/**
 * How an open pull request stands to its base: `behind`: the base's rules want its latest commits; `unknown`: the host
 * has not found out yet.
 */
export type Mergeability = "clean" | "conflicting" | "behind" | "unknown";

/** What a pull request does to a file. `patch`: its hunks; "" for a binary file and for a long one. */
export interface PullChange {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly patch: string;
}

/** Pull requests, reviews and threads. Errors as in IssueApi. */
export interface PullRequestReads {
  /** Pull requests of the app whose head branch starts with `branchPrefix`, newest first; `base`: only those into it. */
  findOwnPullRequests(branchPrefix: string, state: "open" | "all", base?: string): Promise<readonly HostPullRequest[]>;
  readPullRequest(number: number): Promise<HostPullRequest>;
  /** A pull request's commits, oldest first. `byApp`: made by the app itself. */
  listCommits(
    number: number,
  ): Promise<readonly { readonly id: string; readonly author: string; readonly byApp: boolean }[]>;
  mergeability(number: number): Promise<Mergeability>;
  /** The first thirty files that a pull request changes, by path. */
  changesOf(number: number): Promise<readonly PullChange[]>;
  /** The app's own review that contains `marker`. */
  findOwnReview(pullRequest: number, marker: string): Promise<{ readonly id: number } | undefined>;
  /** Submitted reviews, oldest first. */
  listReviews(pullRequest: number): Promise<readonly HostReview[]>;
  listThreads(pullRequest: number): Promise<readonly ReviewThread[]>;
}

export interface PullRequestWrites {
  openPullRequest(pullRequest: NewPullRequest): Promise<HostPullRequest>;
  /** Marks a draft ready for review; has no effect on others. */
  markReady(number: number): Promise<void>;
  updatePullRequest(
    number: number,
    change: { readonly title?: string; readonly body?: string; readonly state?: "closed" },
  ): Promise<void>;
  /** Creates one review with event COMMENT on `head`, with all its line comments. */
  createReview(pullRequest: number, head: string, body: string, comments: readonly LineComment[]): Promise<void>;
  createFileComment(pullRequest: number, head: string, path: string, body: string): Promise<void>;
  replyToThread(pullRequest: number, thread: ReviewThread, body: string): Promise<void>;
  resolveThread(thread: ReviewThread): Promise<void>;
}

export interface PullRequestApi extends PullRequestReads, PullRequestWrites {}
