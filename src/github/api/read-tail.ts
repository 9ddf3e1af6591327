/**
 * The end of a text of any length as it comes in, of which no more than about `mostBytes` are ever held.
 * What is cut ends with a line, and a note of it counts towards `mostBytes`.
 */
export async function readTail(body: ReadableStream<Uint8Array> | null, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  let held = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    total += chunk.length;
    held += chunk.length;
    for (let first = chunks[0]; first && held - first.length >= mostBytes; first = chunks[0]) {
      chunks.shift();
      held -= first.length;
    }
  }
  const end = Buffer.concat(chunks);
  if (total <= mostBytes) return new TextDecoder().decode(end);
  const note = `[The first part of ${total} bytes was cut here.]\n`;
  const kept = end.subarray(Math.max(0, end.length - Math.max(0, mostBytes - note.length)));
  return note + new TextDecoder().decode(kept.subarray(lineStart(kept)));
}

/** Where the first whole line begins, or the first whole character when no line ends here. */
function lineStart(bytes: Uint8Array): number {
  const line = bytes.indexOf(0x0a) + 1;
  if (line > 0 && line < bytes.length) return line;
  const character = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, character);
}
