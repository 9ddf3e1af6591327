import { type FileAttributes, parseAttributes } from "./parse-attributes.ts";
import type { TreeFile } from "./tree-file.ts";

/** Reads every .gitattributes file of a tree; gives what they say of a path. `readBlob`'s errors pass through. */
export async function readAttributes(
  entries: Iterable<TreeFile>,
  readBlob: (blob: string) => Promise<Uint8Array>,
): Promise<(path: string) => FileAttributes> {
  const files: { path: string; text: string }[] = [];
  for (const { path, blob, mode } of entries)
    if (/(?:^|\/)\.gitattributes$/.test(path) && mode.startsWith("100"))
      files.push({ path, text: new TextDecoder().decode(await readBlob(blob)) });
  return parseAttributes(files);
}
