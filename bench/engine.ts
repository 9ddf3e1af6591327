// How fast the engine takes and begins work: npm run bench:engine -- [--rounds N] [CHECKOUT]
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { EngineMeasure } from "./lib/engine-measure.ts";
import { median } from "./lib/median.ts";
import { printTable } from "./lib/print-table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "3" } },
});
const worker = fileURLToPath(new URL("engine-worker.js", import.meta.url));
// One after the other, round by round, so that a machine that becomes busy slows both.
const checkouts = [resolve("."), ...positionals.map((path) => resolve(path))];
const measured = checkouts.map((): EngineMeasure[] => []);
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [at, checkout] of checkouts.entries()) {
    const printed = execFileSync(process.execPath, [worker, checkout], { encoding: "utf8" });
    measured[at]?.push(JSON.parse(printed.trim().split("\n").at(-1) ?? "") as EngineMeasure);
  }
}

const NAMES = {
  answeredMs: "a webhook is answered",
  beganMs: "its run begins",
  togetherMs: "100 runs have ended",
  computingMs: "computing for 100 runs",
} as const satisfies Record<keyof EngineMeasure, string>;
const KEYS = Object.keys(NAMES) as (keyof EngineMeasure)[];
const of = (at: number, key: keyof EngineMeasure) => median((measured[at] ?? []).map((one) => one[key]));
const ratio = (key: keyof EngineMeasure) => Number((of(0, key) / of(1, key)).toFixed(2));
const other = positionals.length > 0;

printTable([
  ["milliseconds, median", "here", ...(other ? ["there", "here/there"] : [])],
  ...KEYS.map((key) => {
    const here = of(0, key).toFixed(1);
    return [NAMES[key], here, ...(other ? [of(1, key).toFixed(1), String(ratio(key))] : [])];
  }),
]);
console.log(JSON.stringify(Object.fromEntries(KEYS.map((key) => [key, other ? ratio(key) : of(0, key)]))));
