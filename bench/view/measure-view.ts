import { viewCandidates } from "../../src/agents/lean/view/candidates.ts";
import { openRepositoryView } from "../../src/agents/lean/view/view.ts";
import { numbersIn } from "../../src/code/edits/numbered.ts";
import type { SourceParser } from "../../src/code/source-parser.ts";
import { createSourceParser } from "../../src/code/tree-sitter/source-parser.ts";
import type { Candidate, PlanningView } from "../../src/data/plan.ts";
import { TokenCache } from "../../src/search/token-cache.ts";
import type { OpenedCommit } from "../memory/open-commit.ts";
import { type Hunk, listTestedFixes, type TestedFix } from "./list-tested-fixes.ts";
import { nameCandidates } from "./name-candidates.ts";
import { createCommitOpener } from "./open-kept-commit.ts";

/** Lines around a changed one that have to be seen, too. */
const AROUND = 3;

/** How far a shown line of a test may be from where the fix changed most. */
const NEAR = 40;

/** What one view has of one fix. */
export interface ViewMeasure {
  fix: TestedFix;
  /** all that is shown: numbered lines, paths, names and summaries */
  characters: number;
  /** of those, the files that may have to change, those only to be known, tests, and notes for users */
  parts: Readonly<Record<"change" | "read" | "tests" | "notes", number>>;
  /** share of the changed lines of the sources, with those around them, that are shown */
  lines: number;
  /** a test that the fix changed is named; lines of one are shown */
  named: boolean;
  sampled: boolean;
  /** lines of it are shown near where the fix changed most of it */
  near: boolean;
  note: { shown: boolean; changed: boolean };
}

/** Both views of each fix: with the names of the declarations that it changed, and without any. */
export async function measureViews(
  mirror: string,
  count: number,
): Promise<readonly { named: ViewMeasure; unnamed: ViewMeasure }[]> {
  const cache = new TokenCache({ mostBytes: 4 * 2 ** 30 });
  const parser = createSourceParser();
  const open = createCommitOpener(mirror, cache);
  const measures: { named: ViewMeasure; unnamed: ViewMeasure }[] = [];
  for (const fix of listTestedFixes(mirror, count)) {
    const commit = await open(fix.parent);
    const candidates = await nameCandidates({ fix, commit, cache, parser });
    const without = candidates.map(({ names: _, ...one }): Candidate => one);
    const view = (chosen: readonly Candidate[]) => viewOf(fix, chosen, { commit, parser });
    const named = measureView(fix, candidates, await view(candidates));
    measures.push({ named, unnamed: measureView(fix, without, await view(without)) });
  }
  return measures;
}

async function viewOf(
  { title, body }: TestedFix,
  candidates: readonly Candidate[],
  { commit: { repository }, parser }: { commit: OpenedCommit; parser: SourceParser },
): Promise<PlanningView> {
  const policy = { ignored: () => false };
  const repositoryView = await openRepositoryView({ repository, policy, parser, settings: { ablate: [] } });
  const issue = { number: 1, title, body, author: "bench", url: "https://example.com/1", discussion: [], hint: "" };
  return viewCandidates({ issue, candidates, repository, repositoryView, parser });
}

function measureView(fix: TestedFix, candidates: readonly Candidate[], view: PlanningView): ViewMeasure {
  const { files, others, tests, note } = view;
  const toChange = new Set(candidates.filter(({ use }) => use !== "read").map(({ path }) => path));
  const sum = (texts: readonly string[]) => texts.reduce((all, text) => all + text.length, 0);
  const sizeOf = (change: boolean) =>
    sum(files.filter(({ path }) => toChange.has(path) === change).flatMap(({ path, content }) => [path, content]));
  const parts = {
    change: sizeOf(true),
    read: sizeOf(false) + sum(others.flatMap(({ path, summary }) => [path, summary])),
    tests: sum(tests.flatMap(({ path, names, sample }) => [path, names, sample])),
    notes: sum(note?.examples.flatMap(({ path, content }) => [path, content]) ?? []),
  };
  const [wanted, shown] = [new Set<string>(), new Set<string>()];
  for (const [path, hunks] of fix.sources) {
    const { size = 0, content = "" } = files.find((file) => file.path === path) ?? {};
    for (const at of linesAround(hunks, size)) wanted.add(`${path}:${at}`);
    for (const at of numbersIn(content)) shown.add(`${path}:${at}`);
  }
  const changed = tests.filter(({ path }) => fix.tests.has(path));
  return {
    fix,
    parts,
    characters: Object.values(parts).reduce((all, one) => all + one, 0),
    lines: wanted.size === 0 ? 1 : [...wanted].filter((line) => shown.has(line)).length / wanted.size,
    named: changed.length > 0,
    sampled: changed.some(({ sample }) => sample !== ""),
    near: changed.some(({ path, sample }) => isNear(fix.tests.get(path) ?? [], numbersIn(sample))),
    note: {
      shown: note !== null,
      changed: fix.paths.some((path) => /(?:^|\/)\.?(?:change|history|news|release)/i.test(path)),
    },
  };
}

function linesAround(hunks: readonly Hunk[], size: number): readonly number[] {
  return hunks.flatMap(({ start, end }) => {
    const from = Math.max(1, start - AROUND);
    return Array.from({ length: Math.max(0, Math.min(size, end + AROUND) - from + 1) }, (_, at) => from + at);
  });
}

function isNear(hunks: readonly Hunk[], shown: readonly number[]): boolean {
  const [most] = [...hunks].sort((a, b) => b.added - a.added);
  return most !== undefined && shown.some((at) => at >= most.start - NEAR && at <= most.end + NEAR);
}
