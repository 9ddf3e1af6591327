import { execFileSync, spawn } from "node:child_process";
import type { TreeFile } from "../../src/search/attributes.ts";

/** What `git` prints, for a repository bare or not. */
export function git(repository: string, ...words: string[]): string {
  return execFileSync("git", ["-C", repository, "-c", "core.quotePath=false", ...words], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Every entry of a commit's tree; a blob that the mirror does not hold has no size. */
export function listTree(repository: string, commit: string): TreeFile[] {
  return git(repository, "ls-tree", "-r", "-z", "--long", commit)
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [mode = "", , blob = "", size = "-"] = line.slice(0, line.indexOf("\t")).split(/ +/);
      return {
        path: line.slice(line.indexOf("\t") + 1),
        blob,
        mode,
        size: /^\d+$/.test(size) ? Number(size) : undefined,
      };
    });
}

/** Content of many blobs through one `git cat-file --batch`, given to `take` as they come. */
export async function readBlobs(
  repository: string,
  blobs: readonly string[],
  take: (blob: string, bytes: Uint8Array) => void,
): Promise<void> {
  if (blobs.length === 0) return;
  const child = spawn("git", ["-C", repository, "cat-file", "--batch"], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.on("error", () => child.kill());
  child.stdin.end(`${blobs.join("\n")}\n`);
  let rest: Buffer = Buffer.alloc(0);
  let wanted = 0;
  let chunks: Buffer[] = [];
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    wanted -= chunk.length;
    if (wanted > 0) continue;
    rest = Buffer.concat([rest, ...chunks]);
    chunks = [];
    [rest, wanted] = takeWhole(rest, take);
  }
  if (rest.length > 0) throw new Error("git cat-file ended in the middle of a blob");
}

/** Hands on every whole blob of what has come; gives what is left, and how many bytes it lacks at least. */
function takeWhole(come: Buffer, take: (blob: string, bytes: Uint8Array) => void): [rest: Buffer, wanted: number] {
  let at = 0;
  for (;;) {
    const end = come.indexOf(10, at);
    if (end < 0) return [come.subarray(at), 1];
    const [blob = "", kind, size] = come.toString("latin1", at, end).split(" ");
    if (kind !== "blob") throw new Error(`git has no blob ${blob}`);
    const after = end + 1 + Number(size);
    if (come.length <= after) return [come.subarray(at), after + 1 - come.length];
    take(blob, Uint8Array.prototype.slice.call(come, end + 1, after));
    at = after + 1;
  }
}
