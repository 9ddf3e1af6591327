// One measurement in a process of its own: node clone-worker.js KIND JOB, JOB being JSON. Prints a JSON line.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CloneJob, CloneMeasure } from "./lib/clone-job.ts";

async function run(args: readonly string[], input?: string): Promise<void> {
  const child = spawn("git", args, { stdio: [input ? "pipe" : "ignore", "ignore", "ignore"] });
  if (input && child.stdin) createReadStream(input).pipe(child.stdin);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`git ${args[0]} ended with ${code}`);
}

/** `git clone --depth 1 --bare`, then every blob through `git cat-file --batch`. */
async function native(job: CloneJob): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "magis-bench-"));
  try {
    await run(["clone", "-q", "--depth", "1", "--bare", job.url, join(folder, "clone")]);
    await run(["-C", join(folder, "clone"), "cat-file", "--batch"], job.blobList);
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The product's own way, and every blob read. */
async function ours(job: CloneJob): Promise<() => Promise<number>> {
  const { createOpenRepository } = await import("../src/git/open-repository.ts");
  const open = createOpenRepository();
  return async () => {
    const repository = await open({ url: job.url, commit: job.commit });
    let bytes = 0;
    for (const { blob, mode } of repository.entries.values()) {
      if (mode !== "160000") bytes += (await repository.readBlob(blob)).length;
    }
    return bytes;
  };
}

/** isomorphic-git as its documentation shows it, on memfs, with a checkout; then every file read. */
async function isomorphic(job: CloneJob): Promise<() => Promise<number>> {
  const { clone } = await import("isomorphic-git");
  const { default: http } = await import("isomorphic-git/http/node");
  const { memfs } = await import("memfs");
  return async () => {
    const { fs } = memfs();
    await clone({ fs, http, dir: "/", url: job.url, depth: 1, singleBranch: true });
    const read = async (folder: string): Promise<number> => {
      let bytes = 0;
      for (const name of fs.readdirSync(folder) as string[]) {
        const path = join(folder, name);
        if (path === "/.git") continue;
        const stats = fs.lstatSync(path);
        if (stats.isDirectory()) bytes += await read(path);
        else if (stats.isFile()) bytes += (await fs.promises.readFile(path)).length;
      }
      return bytes;
    };
    return read("/");
  };
}

const [kind, text = "{}"] = process.argv.slice(2);
const job = JSON.parse(text) as CloneJob;
const ways = { ours, isomorphic, native: async () => () => native(job) };
const way = await ways[kind as keyof typeof ways](job);
const start = performance.now();
const bytes = await way();
const seconds = (performance.now() - start) / 1000;
const measure: CloneMeasure = { seconds, bytes, peakMb: process.resourceUsage().maxRSS / 1024 };
process.stdout.write(`${JSON.stringify(measure)}\n`);
