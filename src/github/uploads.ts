import { createHash } from "node:crypto";
import type { FetchImage, PromptImage, Unread, Uploads } from "../models/language-model.ts";
import { readUtf8 } from "../text/found-text.ts";
import { isUploadUrl } from "../text/uploads.ts";

const MAX_BYTES = 5 * 1024 * 1024;

const MAX_REDIRECTS = 3;

const TIMEOUT_MS = 20_000;

type Token = Parameters<FetchImage>[1];

/**
 * Fetches uploads from GitHub's own hosts. Checks each redirect before following it, and reads at most 5 MB. Says by
 * the bytes what it is, whatever its host says. `webUrl`: origin of the configured host, the only one that gets a token,
 * and only for images: other files are read as anybody may, so that no issue can have its operator's files read.
 */
export function createUploads(options: {
  webUrl: string;
  log: { warn(data: object, message: string): void };
  fetch?: typeof fetch;
  /** how long one may take */
  timeoutMs?: number;
}): Uploads {
  const { webUrl, log, timeoutMs = TIMEOUT_MS } = options;
  const send: typeof fetch = options.fetch ?? ((...request) => fetch(...request));

  return {
    async fetchImage(url, token, signal) {
      const image = await fetched(url, { kind: "image", token, signal }, toImage);
      return "unread" in image ? undefined : image;
    },
    fetchText: (url, signal) => fetched(url, { kind: "file", signal }, toText),
  };

  async function fetched<T>(url: string, asked: Asked, read: (bytes: Uint8Array) => T): Promise<T | Unread> {
    // Node forgets a limit that only `any` refers to.
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return read(await download(url, { ...asked, signal: AbortSignal.any([asked.signal, limit]) }));
    } catch (error) {
      if (asked.signal.aborted) throw error;
      const reason = limit.aborted ? "it takes too long" : (error as Error).message;
      // The query may be a key to the file.
      log.warn({ upload: url.split("?")[0], reason }, "leaving out an upload of the issue");
      return { unread: !limit.aborted && error instanceof TypeError ? "the download broke off" : reason };
    }
  }

  async function download(first: string, { kind, token, signal }: Asked): Promise<Uint8Array> {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (!isUploadUrl(url, webUrl, kind, redirects > 0)) throw new Error("it is not on the code host");
      const own = new URL(url).origin === new URL(webUrl).origin;
      const headers: Record<string, string> = own && token ? { authorization: `Bearer ${await token()}` } : {};
      const response = await send(url, { redirect: "manual", headers, signal });
      const location = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel();
        url = new URL(location, url).href;
        continue;
      }
      if (!response.ok) throw new Error(`the host answers ${response.status}`);
      return readAtMost(response);
    }
    throw new Error("it is redirected too often");
  }
}

interface Asked {
  kind: Parameters<typeof isUploadUrl>[2];
  token?: Token;
  signal: AbortSignal;
}

async function readAtMost({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of body ?? []) {
    total += chunk.length;
    if (total > MAX_BYTES) throw new Error("it is larger than 5 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toText(bytes: Uint8Array): { text: string } {
  const text = readUtf8(bytes);
  if (typeof text !== "string") throw new Error(`it ${text.unreadable}`);
  return { text };
}

function toImage(bytes: Uint8Array): PromptImage & { data: string } {
  const mediaType = imageType(bytes);
  if (mediaType === undefined) throw new Error("it is no PNG, JPEG, GIF or WebP");
  const data = Buffer.from(bytes).toString("base64");
  return { mediaType, hash: createHash("sha256").update(bytes).digest("hex"), data };
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const JPEG = [0xff, 0xd8, 0xff];

/** An image's type by its first bytes, whatever its host says; undefined for anything else. */
function imageType(bytes: Uint8Array): PromptImage["mediaType"] | undefined {
  const begins = (sign: readonly number[]) => sign.every((byte, at) => bytes[at] === byte);
  const text = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (begins(PNG)) return "image/png";
  if (begins(JPEG)) return "image/jpeg";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "image/gif";
  return text.startsWith("RIFF") && text.slice(8) === "WEBP" ? "image/webp" : undefined;
}
