import { createHash } from "node:crypto";
import type { FetchImage, PromptImage } from "../../ports/language-model.ts";
import { isImageUrl } from "../../text/images.ts";

const MAX_BYTES = 5 * 1024 * 1024;

const MAX_REDIRECTS = 3;

const TIMEOUT_MS = 20_000;

/**
 * Fetches uploaded images from GitHub's own hosts. Checks each redirect before following it, takes the type from the
 * bytes, and reads at most 5 MB. `webUrl`: origin of the configured host, the only one that gets a token.
 */
export function createFetchImage(options: {
  readonly webUrl: string;
  readonly log: { warn(data: object, message: string): void };
  readonly fetch?: typeof fetch;
}): FetchImage {
  const { webUrl, log } = options;
  const send: typeof fetch = options.fetch ?? ((...request) => fetch(...request));

  return async (url, token, signal) => {
    // Node forgets a limit that only `any` refers to.
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const bytes = await read(url, token, AbortSignal.any([signal, limit]));
      const mediaType = imageType(bytes);
      if (mediaType === undefined) throw new Error("it is no PNG, JPEG, GIF or WebP");
      const data = Buffer.from(bytes).toString("base64");
      return { mediaType, hash: createHash("sha256").update(bytes).digest("hex"), data };
    } catch (error) {
      if (signal.aborted) throw error;
      const reason = limit.aborted ? "it takes too long" : (error as Error).message;
      // The query may be a key to the image.
      log.warn({ image: url.split("?")[0], reason }, "leaving out an image of the issue");
      return undefined;
    }
  };

  async function read(first: string, token: () => Promise<string>, signal: AbortSignal): Promise<Uint8Array> {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (!isImageUrl(url, webUrl, redirects > 0)) throw new Error("it is not on the code host");
      const own = new URL(url).origin === new URL(webUrl).origin;
      const headers: Record<string, string> = own ? { authorization: `Bearer ${await token()}` } : {};
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
