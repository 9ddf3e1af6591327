import { isTestPath } from "../../src/search/classify-file.ts";
import { git } from "../recall/git.ts";
import { type Fix, listFixes } from "../recall/list-fixes.ts";

/** Lines of a file before the fix: where they were changed, or between which two something was put. */
export interface Hunk {
  /** 1-based, both inclusive */
  start: number;
  end: number;
  /** lines that the fix wrote there */
  added: number;
}

/** A fix of one to three sources that changed tests which stood there before it. */
export interface TestedFix extends Fix {
  sources: ReadonlyMap<string, readonly Hunk[]>;
  tests: ReadonlyMap<string, readonly Hunk[]>;
  /** every path that it changed, created or deleted */
  paths: readonly string[];
}

const MAX_SOURCES = 3;

/** So many fixes are looked through for one that has what is wanted. */
const LOOKED_THROUGH = 12;

/** The newest `count` fixes of a mirror that have one to three sources, and tests that they changed. */
export function listTestedFixes(repository: string, count: number): TestedFix[] {
  const found: TestedFix[] = [];
  for (const fix of listFixes(repository, count * LOOKED_THROUGH)) {
    if (found.length >= count) break;
    if (fix.gold.length > MAX_SOURCES) continue;
    const hunks = readHunks(repository, fix);
    const sources = new Map([...hunks].filter(([path]) => fix.gold.includes(path)));
    const tests = new Map([...hunks].filter(([path]) => isTestPath(path)));
    if (sources.size !== fix.gold.length || tests.size === 0) continue;
    const paths = git(repository, "diff", "--no-renames", "--name-only", "-z", fix.parent, fix.commit).split("\0");
    found.push({ ...fix, sources, tests, paths: paths.filter((path) => path !== "") });
  }
  return found;
}

/** The changed places of each file that stood there before. */
function readHunks(repository: string, { parent, commit }: Fix): Map<string, Hunk[]> {
  const hunks = new Map<string, Hunk[]>();
  let path = "";
  const text = git(repository, "diff", "-U0", "--no-renames", "--no-ext-diff", "--diff-filter=M", parent, commit);
  for (const line of text.split("\n")) {
    if (line.startsWith("diff --git ")) path = "";
    if (path === "" && line.startsWith("--- a/")) path = line.slice("--- a/".length).replace(/\t$/, "");
    const [, from, count = "1", added = "1"] = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
    if (path === "" || from === undefined) continue;
    const start = Math.max(1, Number(from));
    // Of what is only added, the lines before and after it.
    const end = count === "0" ? Number(from) + 1 : start + Number(count) - 1;
    hunks.set(path, [...(hunks.get(path) ?? []), { start, end, added: Number(added) }]);
  }
  return hunks;
}
