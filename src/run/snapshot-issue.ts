import pMap from "p-map";
import { type CommentsFrom, type IssueSnapshot, isHeard, type Standing } from "../data/discussion.ts";
import type { KeepPart, RecordParts, RunRecord } from "../data/run-record.ts";
import { allHints, type RunRequest } from "../data/run-request.ts";
import type { CodeHost, HostComment, HostIssue, HostRelative } from "../github/code-host.ts";
import type { FetchImage, PromptImage, Uploads } from "../models/language-model.ts";
import { counted } from "../text/counted.ts";
import { cutEnd, cutMiddle } from "../text/cut.ts";
import { nextTurn } from "../text/next-turn.ts";
import { isCutShort, isUnread, type Rendered, shownText, shownTitle, shownWords } from "../text/shown-text.ts";
import { stripEscapes } from "../text/strip-escapes.ts";
import { findAttached, findImages } from "../text/uploads.ts";
import { stripInvisible } from "../text/visible-text.ts";
import { readDeclined } from "./declined.ts";

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
  const discussion: IssueSnapshot["discussion"][number][] = [];
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
  host: CodeHost;
  from: CommentsFrom;
  more?: AttachmentReader;
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
  record: KeepPart;
  /** the images' addresses at present, by asset */
  addresses(): Promise<ReadonlyMap<string, string>>;
  token(): Promise<string>;
  /** absent: models see no images */
  fetchImage: FetchImage | undefined;
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

/** Reads text files that were attached to an issue. */
export interface AttachmentReader {
  /** absent: none are read */
  uploads?: Uploads | undefined;
  signal: AbortSignal;
}

type Attachment = NonNullable<IssueSnapshot["attachments"]>[number];

const MAX_ATTACHMENTS = 3;

/**
 * The first three files attached to an issue (`url`) and its comments, whose pages these are, each once. `left`: those
 * that the agents do not see, in words.
 */
async function readAttachments(
  pages: readonly (Pick<Attachment, "author" | "standing"> & { html?: string | undefined })[],
  url: string,
  { uploads, signal }: AttachmentReader,
): Promise<{ attachments?: readonly Attachment[]; left: readonly string[] }> {
  if (!uploads || !URL.canParse(url)) return { left: [] };
  const files = new Map<string, Omit<Attachment, "text">>();
  for (const { author, standing, html = "" } of pages)
    for (const file of findAttached(html, url))
      if (!files.has(file.url)) files.set(file.url, { name: file.name, author, standing });
  const attachments: Attachment[] = [];
  const left: string[] = [];
  for (const [address, file] of [...files].slice(0, MAX_ATTACHMENTS)) {
    const read = await uploads.fetchText(address, signal);
    if ("text" in read) attachments.push({ ...file, text: stripInvisible(stripEscapes(read.text)) });
    else left.push(`the attachment ${file.name}, which could not be read (${read.unread})`);
  }
  if (files.size > MAX_ATTACHMENTS) left.push(counted(files.size - MAX_ATTACHMENTS, "more attachment"));
  return { attachments: attachments.length > 0 ? attachments : undefined, left };
}

type Relative = NonNullable<IssueSnapshot["relatives"]>[number];

const MAX_TITLE = 200;

const MAX_BEGIN = 500;

/**
 * An issue's parent and its sub-issues as they stood at `asked` (milliseconds), by title and first paragraph, without
 * those that were edited later and those of people who are not heard. `left`: those left out, in words.
 */
export async function readRelatives(
  issue: HostIssue,
  { asked, from }: { asked: number; from: CommentsFrom },
  host: CodeHost,
): Promise<{ relatives?: readonly Relative[]; left: readonly string[] }> {
  const { parent = false, children = 0 } = issue.family ?? {};
  const relatives = (await host.relativesOf(issue))
    .filter(({ updatedAt }) => Date.parse(updatedAt) <= asked)
    .map((one) => toRelative(one, issue))
    .filter(({ standing }) => isHeard(standing, from));
  const missing = children + (parent ? 1 : 0) - relatives.length;
  const left = missing > 0 ? [counted(missing, "parent or sub-issue", "parents or sub-issues")] : [];
  return { relatives: relatives.length > 0 ? relatives : undefined, left };
}

function toRelative(found: HostRelative, { author }: HostIssue): Relative {
  return {
    relation: found.relation,
    number: found.number,
    open: found.open,
    title: cutEnd(shownTitle(found.title), MAX_TITLE),
    begin: cutEnd(firstParagraph(shownText(found)), MAX_BEGIN),
    author: found.author,
    ...standingOf(found.byMaintainer, found.author === author),
  };
}

const firstParagraph = (text: string) => text.split("\n\n").find((part) => !part.startsWith("#")) ?? "";

/** The standing of an author, as far as the host says who is a maintainer. */
function standingOf(byMaintainer: boolean | undefined, isAuthor: boolean): { standing?: Standing } {
  if (byMaintainer === undefined) return {};
  if (byMaintainer) return { standing: "maintainer" };
  return { standing: isAuthor ? "author" : "other" };
}
