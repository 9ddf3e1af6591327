import type { TreeChange } from "../../ports/repository.ts";
import { changeError } from "./change-error.ts";
import { isSafePath } from "./is-safe-path.ts";

/** Changes below one folder, by name: what becomes of a file, or the changes inside a folder. */
export interface ChangeTree {
  readonly files: Map<string, TreeChange>;
  readonly folders: Map<string, ChangeTree>;
}

const bytesOf = (name: string): string => Buffer.from(name, "utf8").toString("latin1");

/** Sorts changes into folders. Names are as in `RawEntry`. Throws ANSWER_INVALID for an unsafe path or one given twice. */
export function changeTree(changes: readonly TreeChange[]): ChangeTree {
  const root: ChangeTree = { files: new Map(), folders: new Map() };
  for (const change of changes) {
    const { path } = change;
    if (!isSafePath(path)) throw changeError(path, "it is not a safe path inside the repository");
    const parts = path.split("/").map(bytesOf);
    const name = parts.pop() ?? "";
    let folder = root;
    for (const part of parts) {
      const next = folder.folders.get(part) ?? { files: new Map(), folders: new Map() };
      folder.folders.set(part, next);
      folder = next;
    }
    if (folder.files.has(name)) throw changeError(path, "it is given twice");
    folder.files.set(name, change);
  }
  return root;
}
