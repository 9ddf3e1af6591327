import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const undone = new Set<() => void>();

/** Last in, first out: processes end before their folder goes. */
function undoAll(): void {
  for (const undo of [...undone].reverse()) {
    try {
      undo();
    } catch {
      // Go on with the others; nobody is left to report to.
    }
  }
}

/**
 * Runs `undo` if this process ends, by `process.exit` or an uncaught error, before the returned function is called.
 * `undo` must be synchronous: nothing is awaited then.
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

/** Makes a temporary folder for `use`, and removes it afterwards or at exit. */
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
