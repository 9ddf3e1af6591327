import { gitPatch, type PatchOptions } from "./git-patch.ts";
import { readText } from "./read-text.ts";

/**
 * One file's patch as text, to be shown to a model or a person (Algorithm 3's `d`); undefined stands for a file that
 * does not exist. "" when nothing changed. The text of a UTF-8 file is also what `git apply` takes; for other
 * encodings that is `gitPatch`.
 */
export function unifiedDiff(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  options: PatchOptions = {},
): string {
  const text = readText(gitPatch(path, before, after, options));
  return text === undefined ? "" : text.lines.join("");
}
