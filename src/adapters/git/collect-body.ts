import { MagisError } from "../../model/magis-error.ts";

/** All bytes of a body. Throws GIT_UNREACHABLE when there are more than `maxBytes`. */
export async function collectBody(body: AsyncIterable<Uint8Array>, maxBytes: number = 64 << 20): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes)
      throw new MagisError("GIT_UNREACHABLE", "The server's answer is far too long.", { maxBytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
