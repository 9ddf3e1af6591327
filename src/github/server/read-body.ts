import type { IncomingMessage } from "node:http";

/** GitHub's limit for payloads. */
const MAX_BODY_BYTES = 25 * 1024 * 1024;

/** For all large bodies received or checked at a time: two of the largest. */
const MAX_LARGE_BYTES = 2 * MAX_BODY_BYTES;

/** Nearly all payloads are smaller. They have a share of their own, which large bodies cannot use up. */
const SMALL_BYTES = 256 * 1024;

const MAX_SMALL_BYTES = 32 * 1024 * 1024;

/** How much of a refused request we discard so that its sender reads the answer, before we cut it off. */
const MAX_DRAINED_BYTES = 2 * MAX_BODY_BYTES;

export type ReadBody =
  /** call `release` when nothing holds the bytes any more */
  | { readonly kind: "body"; readonly body: Buffer; release(): void }
  | { readonly kind: "too-large" }
  | { readonly kind: "busy" }
  | { readonly kind: "aborted" };

/** Makes the function that reads all bodies, with one limit on the memory that they take together. */
export function createBodyReader(): (request: IncomingMessage) => Promise<ReadBody> {
  const shares = {
    small: { used: 0, most: MAX_SMALL_BYTES },
    large: { used: 0, most: MAX_LARGE_BYTES },
  };
  return async (request) => {
    const declared = Number(request.headers["content-length"] ?? Number.NaN);
    if (declared > MAX_BODY_BYTES) return { kind: (await drain(request)) ? "too-large" : "aborted" };
    // Node reads no more of a body than its header says; without a length it may be any size.
    const share = declared <= SMALL_BYTES ? shares.small : shares.large;
    const parts: Buffer[] = [];
    let size = 0;
    const release = (): void => {
      share.used -= size;
      size = 0;
      parts.length = 0;
    };
    try {
      for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        const fault =
          size + part.length > MAX_BODY_BYTES ? "too-large" : share.used + part.length > share.most && "busy";
        if (fault) {
          release();
          return { kind: (await drain(request)) ? fault : "aborted" };
        }
        size += part.length;
        share.used += part.length;
        parts.push(part);
      }
      const body = Buffer.concat(parts);
      parts.length = 0;
      return { kind: "body", body, release };
    } catch {
      release();
      return { kind: "aborted" };
    }
  };
}

/**
 * Discards the rest of a request, so that its sender reads the answer; false when the sender disconnects or sends too
 * much. The server's request timeout ends one that trickles.
 */
export async function drain(request: IncomingMessage): Promise<boolean> {
  let size = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > MAX_DRAINED_BYTES) return false;
    }
    return true;
  } catch {
    return false;
  }
}
