import type { IssueSnapshot, Standing } from "../../model/discussion.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { HostComment, HostIssue } from "../../ports/code-host.ts";
import { findImages } from "../../text/images.ts";
import { stripHiddenText, stripHiddenTitle } from "../../text/strip-hidden.ts";

/** A discussion longer than this is cut at its beginning: what was said last matters most. */
const MAX_DISCUSSION = 40_000;

const MAX_BODY = 60_000;

/**
 * The issue as the agents see it: what stood there when the run was asked for, without text that a reader of GitHub
 * does not see. Comments that were made or edited later, bots' comments and commands to the bot are left out.
 */
export function snapshotIssue(request: RunRequest, issue: HostIssue, comments: readonly HostComment[]): IssueSnapshot {
  const asked = Date.parse(request.requestedAt);
  const said = comments.filter(
    ({ byBot, updatedAt, body }) => !byBot && Date.parse(updatedAt) <= asked && !/^\s*\/magis\b/i.test(body),
  );
  const texts = [request.text?.body ?? issue.body, ...said.map(({ body }) => body)];
  const images = URL.canParse(issue.url) ? findImages(texts, new URL(issue.url).origin) : [];
  const discussion = said.map(({ author, byMaintainer, body }) => ({
    ...{ author, ...standingOf(byMaintainer, author === issue.author) },
    body: stripHiddenText(body),
  }));
  while (discussion.reduce((sum, { body }) => sum + body.length, 0) > MAX_DISCUSSION) discussion.shift();
  return {
    number: issue.number,
    title: stripHiddenTitle(request.text?.title ?? issue.title),
    body: stripHiddenText(request.text?.body ?? issue.body).slice(0, MAX_BODY),
    author: issue.author,
    ...standingOf(issue.byMaintainer, true),
    url: issue.url,
    discussion,
    ...(images.length > 0 && { images }),
    hint: stripHiddenText(request.trigger.kind === "command" ? request.trigger.hint : (request.hint ?? "")),
  };
}

function standingOf(byMaintainer: boolean | undefined, isAuthor: boolean): { readonly standing?: Standing } {
  if (byMaintainer === undefined) return {};
  return { standing: byMaintainer ? "maintainer" : isAuthor ? "author" : "other" };
}
