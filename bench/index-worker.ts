// One engine over one repository, in a process of its own: index-worker.js ENGINE MIRROR
import { readFileSync } from "node:fs";
import { classifyFile } from "../src/search/classify-file.ts";
import type { Engine, EngineFile, EngineMeasure, EngineQuery } from "./index/engine.ts";
import { handWrittenEngine } from "./index/hand-written-engine.ts";
import { lunrEngine } from "./index/lunr-engine.ts";
import { ourEngine } from "./index/our-engine.ts";
import { listTree, readBlobs } from "./recall/git.ts";

const ENGINES: Readonly<Record<string, Engine>> = { ours: ourEngine, hand: handWrittenEngine, lunr: lunrEngine };
const MAX_SIZE = 512 * 1024;
const MB = 1024 * 1024;

/** The files ours would rank, for every engine, so that all index the same text. */
async function readFiles(mirror: string): Promise<EngineFile[]> {
  const entries = listTree(mirror, "HEAD").filter(
    ({ mode, size = Infinity }) => mode.startsWith("100") && size <= MAX_SIZE,
  );
  const bytes = new Map<string, Uint8Array>();
  await readBlobs(mirror, [...new Set(entries.map(({ blob }) => blob))], (blob, content) => {
    if (!content.subarray(0, 8_000).includes(0)) bytes.set(blob, content);
  });
  return entries.flatMap(({ path, blob, mode, size = 0 }) => {
    const content = bytes.get(blob);
    if (content === undefined || classifyFile({ path, mode, size, head: content }).group === null) return [];
    return [{ path, blob, mode, size, bytes: content }];
  });
}

const [engineName = "", mirror = "", queryFile = ""] = process.argv.slice(2);
const engine = ENGINES[engineName];
if (engine === undefined) throw new Error(`no engine ${engineName}`);
const files = await readFiles(mirror);
const queries = JSON.parse(readFileSync(queryFile, "utf8")) as EngineQuery[];
globalThis.gc?.();
const before = process.memoryUsage.rss();
const peakBefore = process.resourceUsage().maxRSS * 1024;
const started = performance.now();
const ask = await engine(files);
const build = (performance.now() - started) / 1000;
const peak = process.resourceUsage().maxRSS * 1024;
const peakMb = ((peak > peakBefore ? peak : process.memoryUsage.rss()) - before) / MB;
// Three times over: the first queries of a process wait for the compiler, and would be all that p95 shows.
const times = [...queries, ...queries, ...queries]
  .map((query) => {
    const asked = performance.now();
    ask(query);
    return performance.now() - asked;
  })
  .sort((a, b) => a - b);
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
const megabytes = files.reduce((sum, { size }) => sum + size, 0) / MB;
const measure: EngineMeasure = { files: files.length, megabytes, build, peakMb, p50: at(0.5), p95: at(0.95) };
console.log(JSON.stringify(measure));
