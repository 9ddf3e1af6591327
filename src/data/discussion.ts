import { z } from "zod";

/**
 * Who speaks in an issue: someone with write permission, the issue's author, someone else, or no person (`log`: checks
 * and their logs).
 */
export const STANDINGS = ["maintainer", "author", "other", "log"] as const;

export type Standing = (typeof STANDINGS)[number];

const standing = z.enum(STANDINGS).optional();

export const issueShape = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string(),
  author: z.string(),
  /** of the author of title and body; absent when unknown */
  standing,
  url: z.string(),
  /** ISO 8601: when title and body were so; absent when unknown */
  at: z.string().optional(),
  /** comments made before the run was asked for, oldest first, without bots: the paper's hints */
  discussion: z.array(z.object({ author: z.string(), standing, body: z.string() })).readonly(),
  /** the words after the command */
  hint: z.string(),
  /** why an earlier attempt gave up, in the agents' words */
  gaveUp: z.string().optional(),
  /** the parts too long to show the agents, a few words each; absent: they see everything */
  cut: z.array(z.string()).readonly().optional(),
  /** its images, only those on the host itself: what does not change of their addresses */
  images: z.array(z.string()).readonly().optional(),
  /** text files that people attached to it */
  attachments: z
    .array(z.object({ name: z.string(), author: z.string(), standing, text: z.string() }))
    .readonly()
    .optional(),
  /** its parent and its sub-issues, by title and first paragraph */
  relatives: z
    .array(
      z.object({
        relation: z.enum(["parent", "sub-issue"]),
        number: z.number(),
        open: z.boolean(),
        title: z.string(),
        begin: z.string(),
        author: z.string(),
        standing,
      }),
    )
    .readonly()
    .optional(),
  /** the bot's last pull request for it, if it was closed unmerged, with what people who may write said on it */
  declined: z
    .object({
      number: z.number(),
      /** the changed files and what was changed in them */
      outline: z.string(),
      said: z.array(z.object({ author: z.string(), path: z.string().optional(), body: z.string() })).readonly(),
    })
    .optional(),
});

/**
 * The issue as it stood when the run was asked for: `q` of the paper.
 * Everything in it is untrusted; hidden text (HTML comments, zero-width and bidirectional characters) is stripped.
 */
export type IssueSnapshot = z.infer<typeof issueShape>;

/** Whose comments the agents see. Bots' are never shown. */
export type CommentsFrom = "everyone" | "maintainers-and-author" | "maintainers";

/** Whether the agents see comments of this standing; an unknown standing counts as `other`. */
export function isHeard(standing: Standing | undefined, from: CommentsFrom): boolean {
  if (from === "everyone" || standing === "maintainer") return true;
  return from === "maintainers-and-author" && standing === "author";
}

export type Permission = "admin" | "maintain" | "write" | "triage" | "read" | "none";

/** Whether somebody may push: only then do their requests and comments count. */
export function mayWrite(permission: Permission): boolean {
  return permission === "admin" || permission === "maintain" || permission === "write";
}

/** One comment of a conversation on the pull request; `own`: the bot wrote it. */
export interface Utterance {
  author: string;
  own: boolean;
  body: string;
}

/** What threads and comments that wait for an answer have in common. */
interface Item {
  /** its name in prompts: `th1`, `re1`, … */
  id: string;
  /** its name in the mark of an answer: `thread-12`, `review-3`, `comment-45` */
  source: string;
  /** the person who spoke last */
  author: string;
}

/** A review thread in which a person spoke last. */
export interface OpenThread extends Item {
  /** the thread's id on the host */
  thread: string;
  path: string;
  /** 1-based line of the file at the pull request's head */
  line?: number;
  /** where it begins, if it is on several lines that end at `line` */
  startLine?: number;
  diffHunk: string;
  /** oldest first, only the bot and people who may write */
  conversation: readonly Utterance[];
  /** the bot has answered in it before */
  argued: boolean;
  /** the QA Engineer's comment, when one of them opened the thread */
  qaComment?: string;
}

/** The text of a submitted review, or a plain comment. */
export interface OpenComment extends Item {
  body: string;
}

/** What people who may write have said on the pull request and the bot has not answered. */
export interface Feedback {
  threads: readonly OpenThread[];
  comments: readonly OpenComment[];
}
