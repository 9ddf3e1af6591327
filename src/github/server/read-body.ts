import type { IncomingMessage } from "node:http";

/**
 * The body of a request, or "too-large" above `limit` bytes, or "aborted" when the client went away. What is too large
 * is read to its end and thrown away, so that the client gets to read the answer; the server's request timeout ends it.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | "too-large" | "aborted"> {
  let size = 0;
  let parts: Buffer[] = [];
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length;
      if (size <= limit) parts.push(part);
      else parts = [];
    }
  } catch {
    return "aborted";
  }
  return size <= limit ? Buffer.concat(parts) : "too-large";
}
