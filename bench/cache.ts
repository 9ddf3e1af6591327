// What the cache marks on what the Manager is shown cost and save: npm run bench:cache -- [FILE]
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { DEFAULT_PRICES, type ModelPrice, priceOfUsage } from "../src/data/prices.ts";
import { printTable } from "./lib/print-table.ts";

/** A call as it was sent. `marks` are the lengths of what each cache mark ends, tokens are characters / 4. */
interface Call {
  run: string;
  role: string;
  model: string;
  second: number;
  marks: number[];
  input: number;
  output: number;
}

// The provider keeps a prefix for five minutes after its last use, and none that is shorter than this.
const KEPT_SECONDS = 300;
const LEAST_TOKENS = 1024;
// Tools and system text, then the issue: every strong role marks these. Later marks are on what the Manager is shown.
const SHARED_MARKS = 2;

const { positionals } = parseArgs({ allowPositionals: true });
const calls: Call[] = readFileSync(positionals[0] ?? "bench/cache.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const runs = [...new Set(calls.map(({ run }) => run))].map((run) => {
  const all = calls.filter((call) => call.run === run);
  return {
    run,
    turns: all.filter((call) => call.role === "plan").length,
    marked: priceOf(all),
    unmarked: priceOf(all.map((call) => withoutMarksOfView(call, all))),
  };
});
const marked = sum(runs.map((run) => run.marked));
const unmarked = sum(runs.map((run) => run.unmarked));
printTable([
  ["run", "turns of the plan", "marked, $", "not marked, $", "saved, %"],
  ...[...runs, { run: "all", turns: sum(runs.map((run) => run.turns)), marked, unmarked }].map((row) => [
    row.run,
    String(row.turns),
    row.marked.toFixed(4),
    row.unmarked.toFixed(4),
    (100 * (1 - row.marked / row.unmarked)).toFixed(1),
  ]),
]);
console.log(JSON.stringify({ runs: runs.length, ratio: Number((marked / unmarked).toFixed(3)) }));

/** The shared marks, as the role's first turn has them: later turns give up the for those of the conversation. */
function withoutMarksOfView(call: Call, run: Call[]): Call {
  const first = run.find(({ role }) => role === call.role) ?? call;
  return { ...call, marks: first.marks.slice(0, SHARED_MARKS) };
}

/** What the calls of a run cost in US dollars, where equal lengths of one run and model mean equal prefixes. */
function priceOf(all: Call[]): number {
  const usedAt = new Map<string, number>();
  return sum(
    all.map(({ model, second, marks, input, output }) => {
      const ends = marks.filter((mark) => mark >= LEAST_TOKENS);
      const isKept = (mark: number) => second - (usedAt.get(`${model} ${mark}`) ?? -Infinity) < KEPT_SECONDS;
      const cacheRead = Math.max(0, ...ends.filter(isKept));
      const cacheWrite = Math.max(cacheRead, ...ends) - cacheRead;
      for (const mark of ends) usedAt.set(`${model} ${mark}`, second);
      return priceOfUsage({ input: input - cacheRead - cacheWrite, cacheWrite, cacheRead, output }, priceFor(model));
    }),
  );
}

function priceFor(model: string): ModelPrice {
  const price = DEFAULT_PRICES[model];
  if (price === undefined) throw new Error(`The price of ${model} is not known.`);
  return price;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
