// What the Custodian's memory saves over consecutive issues: npm run bench:memory -- [MIRROR] [--issues N]
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadPrompts } from "../src/models/prompt-library.ts";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { printTable } from "./lib/print-table.ts";
import { makeHistory } from "./memory/make-history.ts";
import { measureIssues } from "./memory/measure-issues.ts";
import { summariseMeasures } from "./memory/summarise-measures.ts";
import { listFixes } from "./recall/list-fixes.ts";
import { nameOf } from "./recall/name-of.ts";

await leaveNothing("bench");

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
      "remembered",
      "changed",
      "memory",
      "no memory",
      "paper",
      "whole",
      "memory/paper",
      "memory/whole",
    ],
    ...measures.map(({ fix, memory, withoutMemory, paper, whole }) =>
      [
        fix.title.slice(0, 40),
        memory.judged.length,
        memory.remembered,
        memory.updated,
        memory.tokens,
        withoutMemory.tokens,
        paper.tokens,
        whole.tokens,
        share(memory.tokens / paper.tokens),
        share(memory.tokens / whole.tokens),
      ].map(String),
    ),
  ]);
  console.log(
    "memory: the product as it is, all files in one call. paper: MAGIS_PROFILE=paper, with its own memory, reading",
  );
  console.log(
    "whole files. whole: each candidate's text in a call of its own, no memory. The answers are written by rule:",
  );
  console.log("they cost what real ones cost, and judge nothing.");
  console.log(JSON.stringify({ bench: "memory", repository: name, ...summariseMeasures(measures) }));
} finally {
  made?.remove();
}
