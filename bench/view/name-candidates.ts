import { nearestLines } from "../../src/agents/lean/view/declarations.ts";
import { readText } from "../../src/code/edits/text-file.ts";
import { holdsDeclarations, type SourceParser, type SourceSymbol } from "../../src/code/source-parser.ts";
import type { Candidate } from "../../src/data/plan.ts";
import { isTestPath } from "../../src/search/classify-file.ts";
import { indexTree } from "../../src/search/index-tree.ts";
import { rankFiles } from "../../src/search/rank-files.ts";
import { codeWords, lineScores } from "../../src/search/terms.ts";
import { issueTerms, type TokenCache } from "../../src/search/token-cache.ts";
import type { OpenedCommit } from "../memory/open-commit.ts";
import type { Hunk, TestedFix } from "./list-tested-fixes.ts";

/** Files beside those of the fix that a Custodian would have read. */
const READ = 2;

const RANKED = 60;

interface NamingInput {
  fix: TestedFix;
  commit: OpenedCommit;
  cache: TokenCache;
  parser: SourceParser;
}

/**
 * The candidates of a Custodian who knows the fix: its sources are to be changed, with the names of the declarations that
 * the fix changed; the search's best two others are to be read, with what their best line stands in.
 */
export async function nameCandidates({ fix, commit, cache, parser }: NamingInput): Promise<Candidate[]> {
  const { entries } = commit.repository;
  const { files } = await indexTree({
    entries: [...entries.values()],
    readBlob: (blob) => commit.repository.readBlob(blob),
    cache,
  });
  const ranked = rankFiles({ files, issue: fix, limit: RANKED });
  const blobOf = (path: string) => entries.get(path)?.blob ?? "";
  const symbolsOf = async (path: string) => {
    const lines = readText(await commit.repository.readBlob(blobOf(path)))?.lines ?? [];
    return { lines, symbols: (await parser.symbols(path, lines.join(""))) ?? [] };
  };
  const common = (path: string) => ({ path, blob: blobOf(path), reasons: [], summary: "" });
  const change: Candidate[] = [];
  for (const [path, hunks] of fix.sources) {
    const score = ranked.find((one) => one.path === path)?.score ?? 0;
    const names = namesOf(hunks, (await symbolsOf(path)).symbols);
    change.push({ ...common(path), score, names });
  }
  const terms = issueTerms({ title: fix.title, body: fix.body });
  const exact = codeWords(`${fix.title}\n${fix.body}`);
  const others = ranked.filter(({ path, group }) => group === "source" && !isTestPath(path) && !fix.sources.has(path));
  const read: Candidate[] = [];
  for (const { path, score } of others.slice(0, READ)) {
    const { lines, symbols } = await symbolsOf(path);
    const [best = 1] = nearestLines({ lines, scores: await lineScores(lines, terms, exact) });
    read.push({ ...common(path), score, names: namesOf([{ start: best, end: best, added: 0 }], symbols), use: "read" });
  }
  return [...change, ...read];
}

/** The smallest declarations around the hunks, as a model writes them. */
function namesOf(hunks: readonly Hunk[], symbols: readonly SourceSymbol[]): string[] {
  const around = hunks.flatMap(({ start, end }) => {
    const holders = symbols.filter((one) => one.start <= end && one.end >= start && one.end > one.start);
    const functions = holders.filter(({ kind }) => !holdsDeclarations(kind));
    const [best] = (functions.length > 0 ? functions : holders).sort((a, b) => a.end - a.start - (b.end - b.start));
    return best ? [best] : [];
  });
  return [...new Set(around.map(({ name, parent }) => (parent === undefined ? name : `${parent}.${name}`)))];
}
