import { createPacer } from "../text/next-turn.ts";
import { readAttributes, type TreeFile } from "./attributes.ts";
import { classifyFile, type FileToClassify } from "./classify-file.ts";
import { MAX_UNDIVIDED } from "./file-parts.ts";
import type { FileClass } from "./path-rules.ts";
import type { IndexedFile } from "./ranking-types.ts";
import { countingWork, type TokenCache } from "./token-cache.ts";

/** The files for `rankFiles`, and the class of every file of the tree, with the reason. */
export interface TreeIndex {
  files: readonly IndexedFile[];
  classes: ReadonlyMap<string, FileClass>;
  /** which part of the tree was too much to read: a sentence without its full stop */
  unread?: string | undefined;
}

/**
 * Classifies every file of a tree and counts the tokens of those that are ranked. Reads only blobs that the cache does
 * not know, one at a time, and none without a size: those were left out of the clone. Throws what `readBlob` throws.
 */
export async function indexTree(input: {
  entries: Iterable<TreeFile>;
  readBlob: (blob: string) => Promise<Uint8Array>;
  cache: TokenCache;
  /** bytes; larger text files are left out */
  largest?: number;
}): Promise<TreeIndex> {
  const { readBlob, cache, largest } = input;
  const entries = [...input.entries];
  const attributes = await readAttributes(entries, readBlob);
  const files: IndexedFile[] = [];
  const classes = new Map<string, FileClass>();
  const pause = createPacer();
  const count = async (blob: string) => {
    const bytes = await readBlob(blob);
    return bytes.length > MAX_UNDIVIDED ? cache.addLarge(blob, bytes, pause) : cache.add(blob, bytes);
  };
  for (const { path, blob, mode, size } of entries) {
    const file: FileToClassify = {
      path,
      mode,
      size: size ?? Number.POSITIVE_INFINITY,
      attributes: attributes.of(path),
      largest,
    };
    const outside = classifyFile(file);
    classes.set(path, outside);
    if (outside.group === null) continue;
    await pause(countingWork(size ?? 0));
    const record = cache.get(blob) ?? (await count(blob));
    const { content, tokens, parts } = record;
    const handWritten = content?.kind === "generated" && file.attributes?.generated === false;
    if (content !== null && !handWritten) classes.set(path, { ...content, group: null, editable: false });
    else {
      files.push({ path, blob, group: outside.group, tokens, pathTokens: cache.path(path), parts });
    }
  }
  return { files, classes, unread: attributes.unread() };
}
