import type { IncomingMessage } from "node:http";

const MAX_SIZE = 32 * 1024 * 1024;

/** Reads the JSON body of `request`: undefined if it is not JSON, "too large" beyond the API's 32 MB. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    const bytes: Buffer = Buffer.from(piece);
    size += bytes.length;
    if (size <= MAX_SIZE) pieces.push(bytes);
  }
  if (size > MAX_SIZE) return "too large";
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    return undefined;
  }
}
