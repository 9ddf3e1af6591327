// What the Custodian chooses from for the Manager, beside what real fixes changed:
// npm run bench:view -- [--fixes N] [--each] MIRROR...
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { median } from "./lib/median.ts";
import { nameOf } from "./recall/name-of.ts";
import { measureViews, type ViewMeasure } from "./view/measure-view.ts";

await leaveNothing("bench");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fixes: { type: "string", default: "15" },
    each: { type: "boolean", default: false },
  },
});
if (positionals.length === 0) throw new Error("Name the mirrors to measure: local git repositories with fixes.");

const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
const percent = (numbers: readonly number[]) => Math.round(mean(numbers) * 100);
const share = (measures: readonly ViewMeasure[], is: (one: ViewMeasure) => boolean) =>
  percent(measures.map((one) => (is(one) ? 1 : 0)));

interface Row {
  name: string;
  named: readonly ViewMeasure[];
  unnamed: readonly ViewMeasure[];
}

const COLUMNS = [
  "repository",
  "fixes",
  "characters, one file",
  "two or three",
  "change / read / tests / notes",
  "changed lines shown",
  "all of them",
  "without names",
  "test named",
  "in part",
  "near",
  "notes where one changed",
  "elsewhere",
];

function cellsOf({ name, named, unnamed }: Row): (string | number)[] {
  const size = (measures: readonly ViewMeasure[]) => median(measures.map(({ characters }) => characters));
  const part = (of: keyof ViewMeasure["parts"]) => Math.round(mean(named.map(({ parts }) => parts[of])));
  const noted = (changed: boolean) => named.filter((one) => one.note.changed === changed);
  return [
    name,
    named.length,
    size(named.filter(({ fix }) => fix.sources.size === 1)),
    size(named.filter(({ fix }) => fix.sources.size > 1)),
    `${part("change")} / ${part("read")} / ${part("tests")} / ${part("notes")}`,
    percent(named.map(({ lines }) => lines)),
    share(named, ({ lines }) => lines === 1),
    percent(unnamed.map(({ lines }) => lines)),
    share(named, (one) => one.named),
    share(named, ({ sampled }) => sampled),
    share(named, ({ near }) => near),
    ...[true, false].map((changed) => share(noted(changed), (one) => one.note.shown)),
  ];
}

const rows: Row[] = [];
console.log(row(COLUMNS));
console.log(row(COLUMNS.map(() => "---")));
for (const mirror of positionals) {
  const measures = await measureViews(resolve(mirror), Number(values.fixes));
  const measured = {
    name: nameOf(mirror),
    named: measures.map(({ named }) => named),
    unnamed: measures.map(({ unnamed }) => unnamed),
  };
  rows.push(measured);
  console.log(row(cellsOf(measured)));
  if (values.each)
    for (const { named, unnamed } of measures) {
      const { fix, ...rest } = named;
      console.log(JSON.stringify({ commit: fix.commit, title: fix.title, ...rest, unnamed: unnamed.lines }));
    }
}
const all = { name: "all", named: rows.flatMap(({ named }) => named), unnamed: rows.flatMap((one) => one.unnamed) };
console.log(row(cellsOf(all)));
console.log("Shares in percent. `near`: within 40 lines of where the fix changed most of a test.");
const repositories = rows.map((one) => Object.fromEntries(cellsOf(one).map((cell, at) => [COLUMNS[at], cell])));
console.log(JSON.stringify({ bench: "view", repositories }));
