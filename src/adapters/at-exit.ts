import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const undone = new Set<() => void>();

/** What was begun last goes first: a folder after those who work in it. */
function undoAll(): void {
  for (const undo of [...undone].reverse()) {
    try {
      undo();
    } catch {
      // The others have to go all the same, and there is nobody left to be told.
    }
  }
}

/**
 * Has `undo` done when this process ends before the function that it gives was called: by `process.exit`, or an error that
 * nobody catches. Then nothing can be waited for any more.
 */
export function atExit(undo: () => unknown): () => void {
  const one = () => void undo();
  if (undone.size === 0) process.on("exit", undoAll);
  undone.add(one);
  return () => {
    undone.delete(one);
    if (undone.size === 0) process.off("exit", undoAll);
  };
}

/** A temporary folder for as long as `use` works, which goes with it, and with this process. */
export async function withTemporaryFolder<T>(prefix: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), prefix));
  const done = atExit(() => rmSync(folder, { recursive: true, force: true }));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    done();
  }
}
