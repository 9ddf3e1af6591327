import { spawn } from "node:child_process";
import { MagisError } from "../../model/magis-error.ts";
import type { GitEnvironment } from "./run-git.ts";

type Take = (blob: string, content: Uint8Array) => void;

/**
 * Content of many blobs through one `git cat-file --batch`, given to `take` as they come.
 * Throws MagisError BLOB_MISSING for one that the repository does not hold.
 */
export async function readBlobs(
  folder: string,
  { blobs, environment }: { readonly blobs: readonly string[]; readonly environment: GitEnvironment },
  take: Take,
): Promise<void> {
  if (blobs.length === 0) return;
  const child = spawn("git", ["-C", folder, "cat-file", "--batch"], {
    env: { ...environment, GIT_NO_LAZY_FETCH: "1" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => child.kill());
  child.stdin.end(`${blobs.join("\n")}\n`);
  let rest: Buffer = Buffer.alloc(0);
  let lacking = 0;
  let chunks: Buffer[] = [];
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    lacking -= chunk.length;
    if (lacking > 0) continue;
    rest = Buffer.concat([rest, ...chunks]);
    chunks = [];
    [rest, lacking] = takeWhole(rest, take);
  }
  if (rest.length > 0 || chunks.length > 0) throw new MagisError("BLOB_MISSING", "git ended in the middle of a blob.");
}

/** Hands on every whole blob of what has come; gives what is left, and how many bytes it lacks at least. */
function takeWhole(come: Buffer, take: Take): [rest: Buffer, lacking: number] {
  let at = 0;
  for (;;) {
    const end = come.indexOf(10, at);
    if (end < 0) return [come.subarray(at), 1];
    const [blob = "", kind, size] = come.toString("latin1", at, end).split(" ");
    if (kind !== "blob") throw new MagisError("BLOB_MISSING", `The mirror has no blob ${blob}.`, { blob });
    const after = end + 1 + Number(size);
    if (come.length <= after) return [come.subarray(at), after + 1 - come.length];
    take(blob, Uint8Array.prototype.slice.call(come, end + 1, after));
    at = after + 1;
  }
}
