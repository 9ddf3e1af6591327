import type { IssueSnapshot } from "../../model/discussion.ts";
import type { Uploads } from "../../ports/language-model.ts";
import { counted } from "../../text/counted.ts";
import { stripEscapes } from "../../text/strip-escapes.ts";
import { findAttached } from "../../text/uploads.ts";
import { stripInvisible } from "../../text/visible-text.ts";

/** Reads text files that were attached to an issue. */
export interface AttachmentReader {
  /** absent: none are read */
  readonly uploads?: Uploads | undefined;
  readonly signal: AbortSignal;
}

type Attachment = NonNullable<IssueSnapshot["attachments"]>[number];

const MAX_ATTACHMENTS = 3;

/**
 * The first three files attached to an issue (`url`) and its comments, whose pages these are, each once. `left`: those
 * that the agents do not see, in words.
 */
export async function readAttachments(
  pages: readonly (Pick<Attachment, "author" | "standing"> & { readonly html?: string | undefined })[],
  url: string,
  { uploads, signal }: AttachmentReader,
): Promise<{ readonly attachments?: readonly Attachment[]; readonly left: readonly string[] }> {
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
