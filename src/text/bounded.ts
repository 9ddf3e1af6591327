/** How large a text from outside may be to be parsed. */
export interface Bounds {
  /** in UTF-16 units */
  length: number;
  /** nesting of brackets: code that walks the values is recursive */
  depth?: number;
  /** commas, colons and opening brackets: each means a value, which takes many times the memory of its text */
  parts?: number;
}

/** GitHub's limit in characters for issues, comments, reviews and descriptions of pull requests. */
export const LONGEST_BODY = 65_536;

/**
 * Cuts every `body` in an answer or a webhook of GitHub's at its own limit, in place, however deep it lies: whatever
 * reads a body afterwards has a bounded one.
 */
export function boundBodies(data: unknown): void {
  const open = [data];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== "object" || one === null) continue;
    if ("body" in one && typeof one.body === "string" && one.body.length > LONGEST_BODY)
      one.body = one.body.slice(0, LONGEST_BODY).replace(/[\ud800-\udbff]$/, "");
    for (const value of Object.values(one)) if (typeof value === "object") open.push(value);
  }
}

/** Reads no more than the first `mostBytes` of a response and leaves the rest: nobody reads a whole refusal. */
export async function readBeginning(body: ReadableStream<Uint8Array> | null, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let read = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    read += chunk.byteLength;
    if (read >= mostBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, mostBytes);
}

/** Bytes that are read of a refusal: what is said of it comes from its first words. */
export const LONGEST_REFUSAL = 64 * 1024;

/** A run's record: we never write a larger one. */
export const LARGEST_RECORD: Bounds = { length: 64 * 1024 * 1024, parts: 4_000_000 };

/** For patches, in UTF-16 units: nobody reviews a longer one. */
export const LONGEST_PATCH = 16 * 1024 * 1024;

/** Why a text is too long to be parsed, as the end of a sentence about it; undefined if it is not. */
export function excessLength(text: string, { length }: Bounds): string | undefined {
  return text.length > length ? `it is longer than ${length} characters` : undefined;
}

const JSON_DEPTH = 500;

const JSON_PARTS = 1_000_000;

/** Why a text is too large to be parsed as JSON, as the end of a sentence about it; undefined if it is not. */
export function excessOfJson(text: string, bounds: Bounds): string | undefined {
  const { depth: mostDepth = JSON_DEPTH, parts: mostParts = JSON_PARTS } = bounds;
  const tooLong = excessLength(text, bounds);
  if (tooLong !== undefined) return tooLong;
  let [depth, parts] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === "]" || sign === "}") depth -= 1;
    else if (sign === "," || sign === ":") parts += 1;
    else if (sign === "[" || sign === "{") {
      depth += 1;
      parts += 1;
    }
    if (depth > mostDepth) return `it nests deeper than ${mostDepth} levels`;
    if (parts > mostParts) return `it has more than ${mostParts} keys and values`;
  }
  return undefined;
}

function endOfString(text: string, begin: number): number {
  let at = begin + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** The value of a JSON text, or why there is none, as the end of a sentence about the text. Never throws. */
export function parseJson(text: string, bounds: Bounds): { value: unknown; fault?: undefined } | { fault: string } {
  const excess = excessOfJson(text, bounds);
  if (excess !== undefined) return { fault: excess };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: `it is not valid JSON (${(error as Error).message})` };
  }
}
