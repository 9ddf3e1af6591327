// Build time, memory and query time of the ranking: npm run bench:index -- [--rounds N] MIRROR...
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import type { EngineMeasure } from "./index/engine.ts";
import { makeQueries } from "./index/make-queries.ts";
import { makeRepository } from "./lib/make-repository.ts";
import { median } from "./lib/median.ts";
import { printTable } from "./lib/print-table.ts";
import { nameOf } from "./recall/name-of.ts";

await leaveNothing("bench");

const WORKER = fileURLToPath(new URL("./index-worker.js", import.meta.url));
const MADE = [7_000, 30_000];
/** lunr as it comes is asked once, up to this many files and milliseconds; above it there is a dash in the table */
const MAX_FOR_LUNR = 12_000;
const MAX_LENGTH = 300_000;
const TITLES = { ours: "MAGIS", hand: "hand-written index", lunr: "lunr as it comes" } as const;
type EngineName = keyof typeof TITLES;

/** What a worker measures, or undefined when it takes longer than `MAX_LENGTH`: lunr as it comes may. */
async function measure(engine: EngineName, mirror: string, queries: string): Promise<EngineMeasure | undefined> {
  const words = ["--expose-gc", "--max-old-space-size=8192", WORKER, engine, mirror, queries];
  const run = promisify(execFile)(process.execPath, words, { timeout: MAX_LENGTH });
  return run.then(
    ({ stdout }) => JSON.parse(stdout) as EngineMeasure,
    (error: { killed?: boolean }) => {
      if (error.killed) return undefined;
      throw error;
    },
  );
}

/** Engines take turns, so that a busy machine is busy for all; the median of each figure counts. */
async function measureMirror(mirror: string, queries: string, rounds: number) {
  const runs: Record<EngineName, EngineMeasure[]> = { ours: [], hand: [], lunr: [] };
  const run = async (engine: EngineName) => {
    const measured = await measure(engine, mirror, queries);
    if (measured !== undefined) runs[engine].push(measured);
  };
  for (let round = 0; round < rounds; round++) {
    await run("ours");
    await run("hand");
  }
  if ((runs.ours[0]?.files ?? 0) <= MAX_FOR_LUNR) await run("lunr");
  const middle = (engine: EngineName): EngineMeasure | undefined => {
    const [first] = runs[engine];
    if (first === undefined) return undefined;
    const of = (key: "build" | "peakMb" | "p50" | "p95") => median(runs[engine].map((measured) => measured[key]));
    return { ...first, build: of("build"), peakMb: of("peakMb"), p50: of("p50"), p95: of("p95") };
  };
  return { ours: middle("ours"), hand: middle("hand"), lunr: middle("lunr") };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "3" } },
});
const scratch = mkdtempSync(join(tmpdir(), "magis-index-"));
const rows = [["repository", "files", "text, MB", "engine", "build, s", "peak, MB", "query p50, ms", "p95, ms"]];
const results: object[] = [];
try {
  const mirrors = positionals.map((mirror) => ({ name: nameOf(mirror), mirror }));
  if (mirrors.length === 0) {
    for (const files of MADE) {
      const mirror = join(scratch, `made-${files}.git`);
      await makeRepository(mirror, "node_modules", files);
      mirrors.push({ name: `made of node_modules, ${files}`, mirror });
    }
  }
  for (const { name, mirror } of mirrors) {
    const queries = join(scratch, "queries.json");
    writeFileSync(queries, JSON.stringify(await makeQueries(mirror)));
    const measured = await measureMirror(mirror, queries, Number(values.rounds));
    for (const engine of ["ours", "hand", "lunr"] as const) {
      const found = measured[engine];
      const figures = found && [
        found.build.toFixed(2),
        found.peakMb.toFixed(0),
        found.p50.toFixed(1),
        found.p95.toFixed(1),
      ];
      const { files = 0, megabytes = 0 } = measured.ours ?? {};
      rows.push([name, `${files}`, megabytes.toFixed(0), TITLES[engine], ...(figures ?? ["-", "-", "-", "-"])]);
    }
    const ratio = (measured.ours?.build ?? 0) / (measured.hand?.build ?? 1);
    results.push({ name, ...measured, buildRatio: Math.round(ratio * 100) / 100 });
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
printTable(rows);
console.log(
  "Medians; memory is resident, above that of the files themselves. lunr: one round, none above 12,000 files or 300 s.",
);
console.log(JSON.stringify({ bench: "index", results }));
