/**
 * Who speaks in an issue: someone who may decide in the repository, whoever opened the issue, someone else, or nobody:
 * what checks and their logs say.
 */
export const STANDINGS = ["maintainer", "author", "other", "log"] as const;

export type Standing = (typeof STANDINGS)[number];

/**
 * The issue as it stood when the run was asked for: `q` of the paper.
 * Everything in it is untrusted; hidden text (HTML comments, zero-width and bidirectional characters) is stripped.
 */
export interface IssueSnapshot {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  /** of who wrote title and body; absent where it is not known, and in records of earlier versions */
  readonly standing?: Standing;
  readonly url: string;
  /** discussion before the run was asked for, oldest first, bots left out: the paper's hints */
  readonly discussion: readonly { readonly author: string; readonly standing?: Standing; readonly body: string }[];
  /** what the person who asked added to the command */
  readonly hint: string;
  /** why an attempt before this one gave up, in the agents' words */
  readonly gaveUp?: string;
  /** what of it the agents are not shown, since it is too long, a few words each; absent: they are shown all of it */
  readonly cut?: readonly string[];
  /** addresses of the images that it shows, of those on the host itself */
  readonly images?: readonly string[];
}

/** Whose comments the agents are shown; `everyone` but bots. */
export type CommentsFrom = "everyone" | "maintainers-and-author" | "maintainers";

/** Whether a comment of somebody of this standing is shown; whose standing is not known counts as anybody. */
export function isHeard(standing: Standing | undefined, from: CommentsFrom): boolean {
  if (from === "everyone" || standing === "maintainer") return true;
  return from === "maintainers-and-author" && standing === "author";
}

/** What somebody may do in a repository. */
export type Permission = "admin" | "maintain" | "write" | "triage" | "read" | "none";

/** Whether somebody may push: only then their requests and their words count. */
export function mayWrite(permission: Permission): boolean {
  return permission === "admin" || permission === "maintain" || permission === "write";
}

/** One word in a conversation on the pull request; `own`: the bot said it. */
export interface Utterance {
  readonly author: string;
  readonly own: boolean;
  readonly body: string;
}

/** What is common to everything that people wait to have answered. */
interface Item {
  /** `th1`, `re1`, …: how prompts name it */
  readonly id: string;
  /** what an answer's mark names: `thread-12`, `review-3`, `comment-45` */
  readonly source: string;
  /** the person who spoke last */
  readonly author: string;
}

/** A review thread in which a person spoke last. */
export interface OpenThread extends Item {
  /** the host's id of the thread */
  readonly thread: string;
  readonly path: string;
  /** 1-based line of the file at the pull request's head */
  readonly line?: number;
  readonly diffHunk: string;
  /** oldest first; of people who may write, and of the bot */
  readonly conversation: readonly Utterance[];
  /** the bot has answered in it before */
  readonly argued: boolean;
  /** what a QA Engineer of the bot had to say, when the thread is theirs */
  readonly qaComment?: string;
}

/** The words of a submitted review, or a plain comment. */
export interface OpenComment extends Item {
  readonly body: string;
}

/** All that people who may write have said on the pull request and the bot has not answered. */
export interface Feedback {
  readonly threads: readonly OpenThread[];
  readonly comments: readonly OpenComment[];
}
