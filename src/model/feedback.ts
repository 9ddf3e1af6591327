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
