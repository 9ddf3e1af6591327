import type { IncomingMessage } from "node:http";

/** GitHub's limit for payloads. */
const MAX_BODY_BYTES = 25 * 1024 * 1024;

/** For all large bodies received or checked at a time: two of the largest. */
const MAX_LARGE_BYTES = 2 * MAX_BODY_BYTES;

/** Nearly all payloads are smaller. They have a share of their own, which large bodies cannot use up. */
const SMALL_BYTES = 256 * 1024;

const MAX_SMALL_BYTES = 32 * 1024 * 1024;

/** Milliseconds that a body may stand still. One that trickles is ended by the server's `requestTimeout`. */
export const STILL_MS = 2_000;

export type ReadBody =
  /** call `release` when nothing holds the bytes any more */
  { kind: "body"; body: Buffer; release(): void } | { kind: "too-large" | "busy" | "slow" | "aborted" };

interface Share {
  used: number;
  most: number;
  /** drops a body that is still arriving; the oldest first */
  arriving: Set<() => void>;
}

/**
 * Makes the function that reads all bodies, with one limit on the memory that they take together. At the limit, those
 * that have been arriving longest are dropped: whoever holds back the end of a body keeps nobody out.
 */
export function createBodyReader(): (request: IncomingMessage) => Promise<ReadBody> {
  const small: Share = { used: 0, most: MAX_SMALL_BYTES, arriving: new Set() };
  const large: Share = { used: 0, most: MAX_LARGE_BYTES, arriving: new Set() };
  return async (request) => {
    const declared = Number(request.headers["content-length"] ?? Number.NaN);
    if (declared > MAX_BODY_BYTES) return { kind: "too-large" };
    // Node reads no more of a body than its header says; without a length it may be any size.
    return await readWithin(declared <= SMALL_BYTES ? small : large, request);
  };
}

function readWithin(share: Share, request: IncomingMessage): Promise<ReadBody> {
  const parts: Buffer[] = [];
  let size = 0;
  const release = (): void => {
    share.used -= size;
    size = 0;
    parts.length = 0;
  };
  return new Promise((resolve) => {
    const end = (read: ReadBody): void => {
      share.arriving.delete(drop);
      for (const [event, listener] of Object.entries(listeners)) request.off(event, listener);
      if (read.kind !== "body") release();
      resolve(read);
    };
    const drop = () => end({ kind: "busy" });
    const listeners = {
      data: (part: Buffer) => {
        parts.push(part);
        size += part.length;
        share.used += part.length;
        if (size > MAX_BODY_BYTES) return end({ kind: "too-large" });
        for (const dropOldest of share.arriving) if (share.used > share.most) dropOldest();
      },
      end: () => {
        request.setTimeout(0);
        const body = Buffer.concat(parts);
        parts.length = 0;
        end({ kind: "body", body, release });
      },
      timeout: () => end({ kind: "slow" }),
      close: () => end({ kind: "aborted" }),
      error: () => end({ kind: "aborted" }),
    };
    share.arriving.add(drop);
    for (const [event, listener] of Object.entries(listeners)) request.on(event, listener);
    request.setTimeout(STILL_MS);
  });
}
