import type { IssueSnapshot } from "../../model/discussion.ts";
import { counted } from "../../text/counted.ts";
import { cutEnd, cutMiddle } from "../../text/cut.ts";
import { isCutShort, isUnread } from "../../text/shown-text.ts";

const MAX_BODY = 60_000;

const MAX_HINT = 20_000;

/** One comment must not crowd out all others. */
const MAX_COMMENT = 20_000;

/** A longer discussion loses its beginning: the last comments matter most. */
const MAX_DISCUSSION = 40_000;

const MAX_ATTACHMENT = 64 * 1024;

/**
 * Cuts an issue, its hidden text already stripped, to what fits into prompts. `cut` names each part that was cut, and
 * those that were `left` out before.
 */
export function fitIssue(issue: IssueSnapshot, left: readonly string[] = []): IssueSnapshot {
  const { body, hint } = issue;
  const comments = issue.discussion.map((one) => ({ ...one, body: cutEnd(one.body, MAX_COMMENT) }));
  const discussion = [...comments];
  while (discussion.reduce((sum, one) => sum + one.body.length, 0) > MAX_DISCUSSION) {
    // Comments of others never push a maintainer's out.
    const at = discussion.findIndex(({ standing }) => standing !== "maintainer");
    discussion.splice(Math.max(0, at), 1);
  }
  const long = issue.discussion.filter((one) => isCut(one.body, MAX_COMMENT)).length;
  const gone = comments.length - discussion.length;
  const cut: string[] = [];
  if (isCut(body, MAX_BODY)) cut.push("the end of its text");
  if (isCut(hint, MAX_HINT)) cut.push("the end of the hint");
  const unread = [body, hint, ...issue.discussion.map((one) => one.body)].filter(isUnread).length;
  if (unread > 0) cut.push(`${unread} of its texts, which GitHub did not render`);
  if (long > 0) cut.push(long === 1 ? "the end of a comment" : `the ends of ${long} comments`);
  if (gone > 0) cut.push(counted(gone, "whole comment"));
  const attachments = issue.attachments?.map((one) => ({ ...one, text: cutMiddle(one.text, MAX_ATTACHMENT) }));
  const longFiles = issue.attachments?.filter(({ text }) => text.length > MAX_ATTACHMENT) ?? [];
  cut.push(...longFiles.map(({ name }) => `the middle of the attachment ${name}`), ...left);
  return {
    ...issue,
    body: cutEnd(body, MAX_BODY),
    hint: cutEnd(hint, MAX_HINT),
    discussion,
    attachments,
    cut: cut.length > 0 ? cut : undefined,
  };
}

const isCut = (text: string, most: number) => text.length > most || isCutShort(text);

/** What people read when the agents see only a part of the issue; undefined when they see all of it. */
export function cutSentence({ cut = [] }: IssueSnapshot): string | undefined {
  if (cut.length === 0) return undefined;
  return `The agents do not see the whole issue. Left out: ${cut.join(", ")}.`;
}
