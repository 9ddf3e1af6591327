// What the Custodian's memory saves over consecutive issues: npm run bench:memory -- [MIRROR] [--issues N]
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadPrompts } from "../src/prompts/load-prompts.ts";
import { printTable } from "./lib/print-table.ts";
import { makeHistory } from "./memory/make-history.ts";
import { measureIssues } from "./memory/measure-issues.ts";
import { summariseMeasures } from "./memory/summarise-measures.ts";
import { listFixes } from "./recall/list-fixes.ts";
import { nameOf } from "./recall/name-of.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { issues: { type: "string", default: "10" }, candidates: { type: "string", default: "10" } },
});
const issues = Number(values.issues);
const made = positionals.length === 0 ? makeHistory(resolve("node_modules"), issues) : undefined;
const mirror = made?.path ?? resolve(positionals[0] ?? ".");
const share = (ratio: number) => `${Math.round(ratio * 100)} %`;

try {
  if (made !== undefined) console.log(made.explanation);
  const name = made === undefined ? nameOf(mirror) : "installed";
  const fixes = listFixes(mirror, issues).reverse();
  if (fixes.length === 0)
    throw new Error(`${name} has no commit that says it fixes something and changes a few sources.`);
  const prompts = await loadPrompts(resolve("prompts"));
  const measures = await measureIssues({ mirror, fixes, prompts, candidates: Number(values.candidates) });
  console.log(`${name}: ${fixes.length} consecutive fixes, oldest first. Tokens are characters / 4.`);
  printTable([
    [
      "issue",
      "files",
      "P1",
      "P2",
      "remembered",
      "memory",
      "no memory",
      "whole",
      "memory/whole",
      "no map",
      "no map/whole",
    ],
    ...measures.map(({ fix, withMap, withoutMemory, whole, withoutMap, wholeWithoutMap }) =>
      [
        fix.title.slice(0, 40),
        withMap.judged.length,
        withMap.calls["p01-summarise-change"] ?? 0,
        withMap.calls["p02-summarise-file"] ?? 0,
        withMap.remembered,
        withMap.tokens,
        withoutMemory.tokens,
        whole.tokens,
        share(withMap.tokens / whole.tokens),
        withoutMap.tokens,
        share(withoutMap.tokens / wholeWithoutMap.tokens),
      ].map(String),
    ),
  ]);
  console.log(
    "memory: the product as it is, its map call included. no map: without the map call. whole: each candidate's",
  );
  console.log(
    "text in a call of its own. The answers are written by rule: they cost what real ones cost, and judge nothing.",
  );
  console.log(JSON.stringify({ bench: "memory", repository: name, ...summariseMeasures(measures) }));
} finally {
  made?.remove();
}
