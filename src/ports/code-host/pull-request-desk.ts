export interface HostPullRequest {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly open: boolean;
  readonly merged: boolean;
  readonly draft: boolean;
  /** head branch without refs/heads/ */
  readonly branch: string;
  readonly head: string;
  readonly base: string;
  readonly author: string;
  readonly byApp: boolean;
}

export interface NewPullRequest {
  readonly title: string;
  readonly body: string;
  readonly branch: string;
  readonly base: string;
  readonly draft: boolean;
}

/** A comment of a new review on a line of the new version; it must lie in the diff. */
export interface LineComment {
  readonly path: string;
  readonly line: number;
  readonly side: "LEFT" | "RIGHT";
  readonly body: string;
}

/** A review thread, comments oldest first. */
export interface ReviewThread {
  readonly id: string;
  readonly resolved: boolean;
  readonly path: string;
  readonly comments: readonly { readonly id: number; readonly author: string; readonly body: string }[];
}

/** Pull requests, reviews and threads. Errors as in IssueDesk. */
export interface PullRequestDesk {
  /** Pull requests of the app whose head branch starts with `branchPrefix`, newest first. */
  findOwnPullRequests(branchPrefix: string, state: "open" | "all"): Promise<readonly HostPullRequest[]>;
  openPullRequest(pullRequest: NewPullRequest): Promise<HostPullRequest>;
  updatePullRequest(number: number, change: { readonly title?: string; readonly body?: string }): Promise<void>;
  /** The app's own review that contains `marker`. */
  findOwnReview(pullRequest: number, marker: string): Promise<{ readonly id: number } | undefined>;
  /** One review with event COMMENT on `head`, all its line comments at once. */
  createReview(pullRequest: number, head: string, body: string, comments: readonly LineComment[]): Promise<void>;
  createFileComment(pullRequest: number, head: string, path: string, body: string): Promise<void>;
  listThreads(pullRequest: number): Promise<readonly ReviewThread[]>;
  replyToThread(pullRequest: number, thread: ReviewThread, body: string): Promise<void>;
  resolveThread(thread: ReviewThread): Promise<void>;
}
