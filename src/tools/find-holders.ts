import { createPacer } from "./create-pacer.ts";
import type { ToolContext } from "./tool-context.ts";
import { wordPattern } from "./word-pattern.ts";

/** A file in which a name stands, as text. */
export interface Holder {
  readonly path: string;
  readonly text: string;
}

/**
 * Files in which `name` stands as a word, in path order, with their text; in any case with `ignoreCase`. Only a first
 * choice: it may stand in a comment.
 */
export async function findHolders(
  { files }: ToolContext,
  paths: readonly string[],
  name: string,
  ignoreCase = false,
): Promise<Holder[]> {
  const pause = createPacer();
  const word = wordPattern(name, ignoreCase ? "i" : "");
  const holders: Holder[] = [];
  for (const path of paths) {
    const bytes = await files.searchable(path);
    if (bytes === undefined) continue;
    await pause(bytes.length);
    if (!ignoreCase && !bytes.includes(name)) continue;
    const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
    if (word.test(text)) holders.push({ path, text });
  }
  return holders;
}
