import pMap from "p-map";
import { type CommentsFrom, type IssueSnapshot, isHeard } from "../../model/discussion.ts";
import type { KeepPart, RecordParts, RunRecord } from "../../model/run-record.ts";
import { allHints, type RunRequest } from "../../model/run-request.ts";
import type { CodeHost, HostComment, HostIssue } from "../../ports/code-host.ts";
import type { FetchImage, PromptImage } from "../../ports/language-model.ts";
import { nextTurn } from "../../text/next-turn.ts";
import { type Rendered, shownText, shownTitle, shownWords } from "../../text/shown-text.ts";
import { findImages } from "../../text/uploads.ts";
import { stripInvisible } from "../../text/visible-text.ts";
import { type AttachmentReader, readAttachments } from "./attachments.ts";
import { readDeclined } from "./declined.ts";
import { fitIssue } from "./fit-issue.ts";
import { readRelatives } from "./relatives.ts";
import { standingOf } from "./standing-of.ts";

type Mutable<List> = List extends readonly (infer Item)[] ? Item[] : never;

/**
 * The issue as the agents see it: as it stood when the run was asked for, without what GitHub does not show. Leaves out
 * comments made or edited later, bots' comments, commands, and the comments and images of people who are not heard
 * (`from`). `more` reads what belongs to the issue and does not stand in it; absent: that is left out.
 */
export async function snapshotIssue(
  request: RunRequest,
  issue: HostIssue,
  comments: readonly HostComment[],
  { host, from, more }: SnapshotOptions,
): Promise<IssueSnapshot> {
  const asked = Date.parse(request.requestedAt);
  const said = comments
    .filter(({ byBot, updatedAt, body }) => !byBot && Date.parse(updatedAt) <= asked && !/^\s*\/magis\b/i.test(body))
    .map((one) => ({ ...one, ...standingOf(one.byMaintainer, one.author === issue.author) }))
    .filter(({ standing }) => isHeard(standing, from));
  const own = standingOf(issue.byMaintainer, true);
  const text = await textOf(request, issue, host);
  const pages = [{ author: issue.author, ...own, html: text.html }, ...said];
  const shown = pages.map(({ html = "" }) => html);
  const images = URL.canParse(issue.url) ? [...findImages(shown, new URL(issue.url).origin).keys()] : [];
  const files = more && (await readAttachments(pages, issue.url, more));
  const family = more && issue.family && (await readRelatives(issue, { asked, from }, host));
  const discussion: Mutable<IssueSnapshot["discussion"]> = [];
  for (const one of said) {
    discussion.push({ author: one.author, standing: one.standing, body: shownText(one) });
    // One text takes bounded time; many may not hold up everything else.
    await nextTurn();
  }
  const snapshot: IssueSnapshot = {
    number: issue.number,
    title: shownTitle(request.text?.title ?? issue.title),
    body: shownText(text),
    author: issue.author,
    ...own,
    url: issue.url,
    at: request.requestedAt,
    discussion,
    images: images.length > 0 ? images : undefined,
    attachments: files?.attachments,
    relatives: family?.relatives,
    declined: more && (await readDeclined(issue.number, comments, host)),
    hint: await shownWords(allHints(request), host.renderText),
    gaveUp: request.gaveUp === undefined ? undefined : stripInvisible(request.gaveUp),
  };
  return fitIssue(snapshot, [...(files?.left ?? []), ...(family?.left ?? [])]);
}

interface SnapshotOptions {
  readonly host: CodeHost;
  readonly from: CommentsFrom;
  readonly more?: AttachmentReader;
}

/** The issue's text at the request. GitHub's HTML counts only while the text has not been edited since. */
async function textOf(request: RunRequest, issue: HostIssue, host: CodeHost): Promise<Rendered> {
  const body = request.text?.body ?? issue.body;
  return body === issue.body ? issue : { body, html: await host.renderText(body) };
}

/**
 * Says that title or text are no longer those of the snapshot, which may come from an earlier run; undefined: they are.
 */
export function editedSince(snapshot: IssueSnapshot, now: HostIssue): string | undefined {
  const { title, body, at = "" } = snapshot;
  const shown = fitIssue({ ...snapshot, title: shownTitle(now.title), body: shownText(now) });
  const edited = [shown.title !== title && "title", shown.body !== body && "text"].filter((part) => part);
  if (edited.length === 0) return undefined;
  const verb = edited.length === 1 ? "was" : "were";
  const of = at === "" ? "as it was before" : `as it was on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
  const named = shown.title === title ? "" : `, with the title "${title}"`;
  return `The issue's ${edited.join(" and ")} ${verb} edited since. This change was made from the issue ${of}${named}.`;
}

/**
 * An earlier snapshot without the comments of people who are not heard now. It does not say whose the images are, so
 * they all go when any comment does.
 */
export function heardOf(issue: IssueSnapshot, from: CommentsFrom): IssueSnapshot {
  const discussion = issue.discussion.filter(({ standing }) => isHeard(standing, from));
  if (discussion.length === issue.discussion.length) return issue;
  const { images: _, ...rest } = issue;
  const attachments = issue.attachments?.filter(
    ({ author, standing }) => author === issue.author || isHeard(standing, from),
  );
  const relatives = issue.relatives?.filter(({ standing }) => isHeard(standing, from));
  return { ...rest, discussion, attachments, relatives };
}

const AT_ONCE = 2;

interface Sources {
  /** the run's record, which keeps only an image's asset, type and hash */
  kept(): Promise<RunRecord>;
  readonly record: KeepPart;
  /** the images' addresses at present, by asset */
  addresses(): Promise<ReadonlyMap<string, string>>;
  token(): Promise<string>;
  /** absent: models see no images */
  readonly fetchImage: FetchImage | undefined;
}

/**
 * Gives the images in the run's issue, for prompts. Their bytes are not kept but fetched once per process. An image
 * that can no longer be fetched keeps its place by its hash, so that answers paid for with it are found again.
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
  { kept, record, addresses, token, fetchImage }: Sources,
  signal: AbortSignal,
): Promise<readonly PromptImage[]> {
  const { start, images: known } = await kept();
  const assets = known?.map(({ asset }) => asset) ?? start?.issue.images ?? [];
  if (assets.length === 0 || !fetchImage) return [];
  const urls = await addresses();
  const fetchOne = async (asset: string) => {
    const url = urls.get(asset);
    return url === undefined ? undefined : fetchImage(url, token, signal);
  };
  const fetched = await pMap(assets, fetchOne, { concurrency: AT_ONCE });
  if (known) {
    return known.map(({ mediaType, hash }, at) => {
      const image = fetched[at];
      return image?.hash === hash ? image : { mediaType, hash };
    });
  }
  const images = fetched.flatMap((image, at) => (image ? [{ image, asset: assets[at] ?? "" }] : []));
  const described: RecordParts["images"] = images.map(({ image: { mediaType, hash }, asset }) => ({
    asset,
    mediaType,
    hash,
  }));
  await record("images", described);
  return images.map(({ image }) => image);
}
