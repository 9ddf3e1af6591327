import { patchHunks } from "./patch-hunks.ts";
import { quotePath } from "./quote-path.ts";

export interface PatchOptions {
  /** lines of context around a change; 3 unless told */
  readonly context?: number;
  /** of a file that is created or deleted; 100644 unless told */
  readonly mode?: "100644" | "100755";
}

/**
 * One file's patch as `git diff` writes it and `git apply` takes it, byte by byte whatever the file's encoding;
 * undefined stands for a file that does not exist. Empty when nothing changed. Of a binary file it only says that it
 * differs, which `git apply` refuses.
 */
export function gitPatch(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  { context = 3, mode = "100644" }: PatchOptions = {},
): Uint8Array {
  const same = before === undefined ? after === undefined : after !== undefined && Buffer.compare(before, after) === 0;
  if (same) return new Uint8Array();
  const [oldName, newName] = [quotePath(`a/${path}`), quotePath(`b/${path}`)];
  let patch = `diff --git ${oldName} ${newName}\n`;
  if (before === undefined) patch += `new file mode ${mode}\n`;
  if (after === undefined) patch += `deleted file mode ${mode}\n`;
  const [oldSide, newSide] = [before && oldName, after && newName].map((name) => name || "/dev/null");
  if (before?.includes(0) || after?.includes(0)) {
    patch += `Binary files ${oldSide} and ${newSide} differ\n`;
  } else {
    const hunks = patchHunks(byteText(before), byteText(after), context);
    const tab = path.includes(" ") ? "\t" : "";
    const tabOf = (side: string | undefined) => (side === "/dev/null" ? "" : tab);
    if (hunks !== "") patch += `--- ${oldSide}${tabOf(oldSide)}\n+++ ${newSide}${tabOf(newSide)}\n${hunks}`;
  }
  return new Uint8Array(Buffer.from(patch, "latin1"));
}

/** One character a byte: lines compare as their bytes do, and the patch goes back to bytes without loss. */
function byteText(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : Buffer.from(bytes).toString("latin1");
}
