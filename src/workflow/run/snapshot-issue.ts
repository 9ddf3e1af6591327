import { setImmediate as nextTurn } from "node:timers/promises";
import pMap from "p-map";
import { type CommentsFrom, type IssueSnapshot, isHeard, type Standing } from "../../model/discussion.ts";
import type { KeepPart, RecordParts, RunRecord } from "../../model/run-record.ts";
import { allHints, type RunRequest } from "../../model/run-request.ts";
import type { HostComment, HostIssue } from "../../ports/code-host.ts";
import type { FetchImage, PromptImage } from "../../ports/language-model.ts";
import { findImages } from "../../text/images.ts";
import { stripHiddenText, stripHiddenTitle } from "../../text/strip-hidden.ts";
import { fitIssue } from "./fit-issue.ts";

type Mutable<List> = List extends readonly (infer Item)[] ? Item[] : never;

/**
 * The issue as the agents see it: what stood there when the run was asked for, without text that a reader of GitHub
 * does not see. Comments that were made or edited later, bots' comments, commands to the bot, and the comments and
 * images of those who are not heard (`from`) are left out.
 */
export async function snapshotIssue(
  request: RunRequest,
  issue: HostIssue,
  comments: readonly HostComment[],
  from: CommentsFrom,
): Promise<IssueSnapshot> {
  const asked = Date.parse(request.requestedAt);
  const said = comments
    .filter(({ byBot, updatedAt, body }) => !byBot && Date.parse(updatedAt) <= asked && !/^\s*\/magis\b/i.test(body))
    .map((one) => ({ ...one, ...standingOf(one.byMaintainer, one.author === issue.author) }))
    .filter(({ standing }) => isHeard(standing, from));
  const texts = [request.text?.body ?? issue.body, ...said.map(({ body }) => body)];
  const images = URL.canParse(issue.url) ? findImages(texts, new URL(issue.url).origin) : [];
  const discussion: Mutable<IssueSnapshot["discussion"]> = [];
  for (const { author, standing, body } of said) {
    discussion.push({ author, standing, body: stripHiddenText(body) });
    // Each text takes a bounded time, and all together as much as there are.
    await nextTurn();
  }
  return fitIssue({
    number: issue.number,
    title: stripHiddenTitle(request.text?.title ?? issue.title),
    body: stripHiddenText(request.text?.body ?? issue.body),
    author: issue.author,
    ...standingOf(issue.byMaintainer, true),
    url: issue.url,
    discussion,
    images: images.length > 0 ? images : undefined,
    hint: stripHiddenText(allHints(request)),
    gaveUp: request.gaveUp === undefined ? undefined : stripHiddenText(request.gaveUp),
  });
}

/**
 * A snapshot that was made before, without the comments of those who are not heard now. Whose the images are is not
 * kept, so that they go with the first such comment.
 */
export function heardOf(issue: IssueSnapshot, from: CommentsFrom): IssueSnapshot {
  const discussion = issue.discussion.filter(({ standing }) => isHeard(standing, from));
  if (discussion.length === issue.discussion.length) return issue;
  const { images: _, ...rest } = issue;
  return { ...rest, discussion };
}

function standingOf(byMaintainer: boolean | undefined, isAuthor: boolean): { readonly standing?: Standing } {
  if (byMaintainer === undefined) return {};
  if (byMaintainer) return { standing: "maintainer" };
  return { standing: isAuthor ? "author" : "other" };
}

const AT_ONCE = 2;

interface Sources {
  /** the run's record: of images only address, type and hash are kept there */
  kept(): Promise<RunRecord>;
  readonly record: KeepPart;
  token(): Promise<string>;
  /** absent: no images are shown */
  readonly fetchImage: FetchImage | undefined;
}

/**
 * Gives the images that the run's issue shows, for prompts. Their bytes are kept nowhere: they are fetched once in every
 * process. An image that cannot be fetched any more keeps its place by its hash, so that answers which were paid for
 * with it are found again.
 */
export function createIssueImages(sources: Sources): (signal: AbortSignal) => Promise<readonly PromptImage[]> {
  let images: Promise<readonly PromptImage[]> | undefined;
  return (signal) => {
    images ??= fetchAll(sources, signal).catch((error: unknown) => {
      images = undefined;
      throw error;
    });
    return images;
  };
}

async function fetchAll(
  { kept, record, token, fetchImage }: Sources,
  signal: AbortSignal,
): Promise<readonly PromptImage[]> {
  const { start, images: known } = await kept();
  const urls = known?.map(({ url }) => url) ?? start?.issue.images ?? [];
  if (urls.length === 0 || !fetchImage) return [];
  const fetched = await pMap(urls, (url) => fetchImage(url, token, signal), { concurrency: AT_ONCE });
  if (known) {
    return known.map(({ mediaType, hash }, at) => {
      const image = fetched[at];
      return image?.hash === hash ? image : { mediaType, hash };
    });
  }
  const images = fetched.flatMap((image, at) => (image ? [{ image, url: urls[at] ?? "" }] : []));
  const described: RecordParts["images"] = images.map(({ image: { mediaType, hash }, url }) => ({
    url,
    mediaType,
    hash,
  }));
  await record("images", described);
  return images.map(({ image }) => image);
}
