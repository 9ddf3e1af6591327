// Recall of the files that real fixes changed: npm run bench:recall -- [--fixes N] [--misses] [--former] [--ours] MIRROR...
import { parseArgs } from "node:util";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { installedRepository } from "./recall/installed-repository.ts";
import { DEPTHS, type Measured, measureRepository, RANKINGS } from "./recall/measure-repository.ts";
import { nameOf } from "./recall/name-of.ts";

await leaveNothing("bench");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fixes: { type: "string", default: "40" },
    misses: { type: "boolean", default: false },
    former: { type: "boolean", default: false },
    ours: { type: "boolean", default: false },
  },
});

const percent = (share: number) => `${Math.round(share * 100)}`;
const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const cell = (recall: readonly number[]) => recall.map(percent).join(" / ");
const times = (ours: number, theirs: number) =>
  values.ours ? undefined : Math.round((ours / Math.max(theirs, 0.001)) * 100) / 100;
const ratio = (ours: number, theirs: number) => (values.ours ? "" : `${times(ours, theirs)} x`);

const generated = positionals.length === 0 ? await installedRepository(Number(values.fixes)) : undefined;
const mirrors = generated === undefined ? positionals : [generated.path];
if (generated !== undefined) console.log(generated.explanation);
const measured: Measured[] = [];
console.log(
  row([
    "repository",
    "fixes",
    "files",
    "lunr as it comes",
    "BM25, code tokens",
    "MAGIS, text alone",
    "MAGIS without past commits",
    "MAGIS",
    "@5",
    "@10",
  ]),
);
console.log(row(Array.from({ length: 10 }, () => "---")));
try {
  for (const mirror of mirrors) {
    const result = await measureRepository(mirror, {
      name: generated === undefined ? nameOf(mirror) : "installed",
      count: Number(values.fixes),
      former: values.former,
      oursOnly: values.ours,
      onFix(fix, ours) {
        const missed = fix.gold.filter((path) => !ours.slice(0, 10).includes(path));
        if (values.misses && missed.length > 0) console.log(JSON.stringify({ ...fix, missed, ours: ours.slice(0, 5) }));
      },
    });
    measured.push(result);
    const { lunr, bm25, alone, withoutPast, ours } = result.recall;
    const ratios = [1, 2].map((i) => ratio(ours[i] ?? 0, lunr[i] ?? 0));
    console.log(
      row([
        result.name,
        result.fixes,
        result.files,
        ...[lunr, bm25].map((baseline) => (values.ours ? "" : cell(baseline))),
        ...[alone, withoutPast, ours].map(cell),
        ...ratios,
      ]),
    );
  }
} finally {
  generated?.remove();
}

const means = Object.fromEntries(
  RANKINGS.map((ranking) => [
    ranking,
    DEPTHS.map((_, i) => mean(measured.map(({ recall }) => recall[ranking][i] ?? 0))),
  ]),
) as Record<(typeof RANKINGS)[number], number[]>;
const ratioAt = (depth: number) => times(means.ours[depth] ?? 0, means.lunr[depth] ?? 0);
console.log(
  row([
    "mean",
    "",
    "",
    ...[means.lunr, means.bm25].map((baseline) => (values.ours ? "" : cell(baseline))),
    cell(means.alone),
    cell(means.withoutPast),
    cell(means.ours),
    ...[1, 2].map((depth) => ratio(means.ours[depth] ?? 0, means.lunr[depth] ?? 0)),
  ]),
);
const lacking = measured.reduce((sum, one) => sum + one.lacking, 0);
if (lacking > 0) console.log(`Fixes left out, since their mirror lacks a file that they changed: ${lacking}`);
console.log(`Recall at ${DEPTHS.join(", ")} in percent; the last two columns are MAGIS against lunr as it comes.`);
const below = measured
  .filter(({ recall }) => [1, 2].some((i) => (recall.ours[i] ?? 0) < (recall.lunr[i] ?? 0)))
  .map(({ name }) => name);
console.log(
  JSON.stringify({ bench: "recall", "recall@5": ratioAt(1), "recall@10": ratioAt(2), below, repositories: measured }),
);
