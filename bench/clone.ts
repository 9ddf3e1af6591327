// Clone at depth 1 with all blobs read, against git itself: npm run bench:clone -- [--rounds N] MIRROR...
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { startGitServer } from "../test/git/git-server.ts";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import type { CloneJob, CloneMeasure } from "./lib/clone-job.ts";
import { makeRepository } from "./lib/make-repository.ts";
import { median } from "./lib/median.ts";
import { printTable } from "./lib/print-table.ts";

await leaveNothing("bench");

const WORKER = fileURLToPath(new URL("./clone-worker.js", import.meta.url));
const MB = 1024 * 1024;
const MADE: readonly [name: string, files: number][] = [
  ["small", 200],
  ["middle", 7_000],
  ["large", 60_000],
];

/** What the last line says of one repository. */
interface Result {
  mirror: string;
  files: number;
  ratio: number;
  /** NaN, in JSON null, when isomorphic-git did not get through */
  isomorphicRatio: number;
  peakMb: number;
  allowedMb: number;
}

/** One measurement in a process of its own. */
async function measure(kind: string, job: CloneJob): Promise<CloneMeasure> {
  const { stdout } = await promisify(execFile)(process.execPath, [WORKER, kind, JSON.stringify(job)]);
  return JSON.parse(stdout) as CloneMeasure;
}

/** Lists the ids of all blobs of a mirror's HEAD into a file. */
function listBlobs(mirror: string, to: string): { commit: string; files: number; blobBytes: number } {
  const git = (args: string[], input?: string): string =>
    execFileSync("git", ["-c", "safe.directory=*", "-C", mirror, ...args], {
      encoding: "utf8",
      maxBuffer: 2 ** 30,
      input,
    });
  const lines = git(["ls-tree", "-r", "-l", "-z", "HEAD"])
    .split("\0")
    .filter((line) => line.includes(" blob "));
  const sizes = new Map(lines.map((line) => [line.split(/\s+/)[2] ?? "", Number(line.split(/\s+/)[3])]));
  writeFileSync(to, `${[...sizes.keys()].join("\n")}\n`);
  const blobBytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return { commit: git(["rev-parse", "HEAD"]).trim(), files: lines.length, blobBytes };
}

async function benchMirror(name: string, mirror: string, scratch: string, rounds: number): Promise<Result> {
  const server = await startGitServer(dirname(mirror));
  try {
    const blobList = join(scratch, "blobs");
    const { commit, files, blobBytes } = listBlobs(mirror, blobList);
    const job = { url: `${server.url}/${encodeURIComponent(basename(mirror))}`, commit, blobList };
    const native: CloneMeasure[] = [];
    const ours: CloneMeasure[] = [];
    for (let round = 0; round < rounds; round++) {
      native.push(await measure("native", job));
      ours.push(await measure("ours", job));
    }
    // Once is enough for a way this slow, and on a large repository it may run out of memory.
    const isomorphic = await measure("isomorphic", job).then(
      (one) => [one],
      () => [],
    );
    const seconds = (measures: readonly CloneMeasure[]): number => median(measures.map((one) => one.seconds));
    const peak = (measures: readonly CloneMeasure[]): number => Math.max(...measures.map((one) => one.peakMb));
    const base = seconds(native);
    const allowedMb = (2 * blobBytes) / MB + 100;
    const row = (way: string, all: readonly CloneMeasure[], memory: string): string[] => [
      name,
      way,
      all.length > 0 ? seconds(all).toFixed(3) : "failed",
      all.length > 0 ? (seconds(all) / base).toFixed(2) : "-",
      all.length > 0 ? memory : "-",
    ];
    process.stdout.write(`\n${name}: ${files} files, ${(blobBytes / MB).toFixed(1)} MB of blobs\n`);
    printTable([
      ["repository", "way", "seconds", "x native", "peak MB (allowed)"],
      row("git clone + cat-file", native, "-"),
      row("magis", ours, `${peak(ours).toFixed(0)} (${allowedMb.toFixed(0)})`),
      row("isomorphic-git + memfs, one round", isomorphic, peak(isomorphic).toFixed(0)),
    ]);
    const [ratio, isomorphicRatio] = [seconds(ours) / base, seconds(isomorphic) / base];
    return { mirror: name, files, ratio, isomorphicRatio, peakMb: peak(ours), allowedMb };
  } finally {
    await server.close();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" } },
});
const scratch = mkdtempSync(join(tmpdir(), "magis-bench-"));
try {
  const mirrors = positionals.map((path): [string, string] => [path, resolve(path)]);
  if (mirrors.length === 0) {
    for (const [name, files] of MADE) {
      const target = join(scratch, `${name}.git`);
      await makeRepository(target, resolve("node_modules"), files);
      mirrors.push([name, target]);
    }
  }
  const results: Result[] = [];
  for (const [name, path] of mirrors) results.push(await benchMirror(name, path, scratch, Number(values.rounds)));
  process.stdout.write(`${JSON.stringify({ bench: "clone", unit: "x native", results })}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
