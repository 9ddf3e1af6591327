import { createImportResolver } from "./import-resolver.ts";
import type { Candidate, IndexedFile, IssueText } from "./ranking-types.ts";
import { createTermCounter } from "./token-cache.ts";

/** The best files stay as they are: what is next to them is worth a look, but not before them. */
const KEPT = 5;

/** Hits whose neighbours join, and files whose imports are read: the best ones of program text. */
const HITS = 10;

const READ = 40;

/** What a neighbour gets of a hit's score, shared among all that the same file imports, or is imported by. */
const IMPORT_WEIGHT = 0.1;

/** What files in the folders of the best hits get of their score. */
const FOLDER_WEIGHT = 0.1;

/** What the files get that the likest past commit changed, where the best text score is 1; those of others less. */
const PAST_WEIGHT = 0.3;

/** A commit of more program files says little of each. */
const MAX_PAST_SOURCES = 12;

/** What a long message has of every word, it has by chance. */
const LENGTH_WEIGHT = 0.02;

const MAX_MESSAGE = 1_500;

interface Imports {
  readonly from: string;
  readonly names: readonly string[];
}

interface NeighbourInput {
  /** best first, as `rankFiles` gives them */
  readonly ranked: readonly Candidate[];
  readonly files: readonly IndexedFile[];
  /** what a file imports, as it writes it; undefined when that is not known */
  readonly importsOf: (file: Candidate) => Promise<readonly Imports[] | undefined>;
}

interface Bonus {
  readonly score: number;
  readonly reason: string;
}

/**
 * One hop of imports: files that the best hits import, or that import them, and those beside them, come up behind the
 * first few. Gives as many candidates as there were, and as many more as neighbours have no term of the issue. Weights
 * were tuned on the repositories that bench/RANKING.md names.
 */
export async function addNeighbours({ ranked, files, importsOf }: NeighbourInput): Promise<Candidate[]> {
  const sources = files.filter(({ group }) => group === "source");
  const hits = ranked.filter(({ group }) => group === "source");
  const read = hits.slice(0, READ);
  const resolve = createImportResolver(sources.map(({ path }) => path));
  const imports = new Map<string, ReadonlySet<string>>();
  for (const file of read) {
    const written = (await importsOf(file)) ?? [];
    imports.set(file.path, new Set(written.flatMap((one) => resolve(file.path, one))));
  }
  const bonuses = neighbourBonuses(hits, imports);
  for (const { path, bonus } of besideBest(hits)) {
    const known = bonuses.get(path);
    bonuses.set(path, known ? { ...known, score: known.score + bonus.score } : bonus);
  }
  return join(ranked, bonuses, sources);
}

/** Adds each file's bonus to its score behind the first few, and files that were not among the candidates. */
function join(
  ranked: readonly Candidate[],
  bonuses: ReadonlyMap<string, Bonus>,
  sources: readonly IndexedFile[],
): Candidate[] {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const kept = ranked.slice(0, KEPT);
  const first = new Set(kept.map(({ path }) => path));
  const others = new Map(ranked.slice(KEPT).map((one) => [one.path, one]));
  for (const [path, { score, reason }] of bonuses) {
    if (first.has(path)) continue;
    const known = others.get(path);
    const file = byPath.get(path);
    if (known) others.set(path, { ...known, score: known.score + score, reasons: [...known.reasons, reason] });
    else if (file) others.set(path, { path, blob: file.blob, group: file.group, score, reasons: [reason] });
  }
  const ordered = [...others.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return [...kept, ...ordered];
}

function neighbourBonuses(
  hits: readonly Candidate[],
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, Bonus> {
  const importers = new Map<string, number>();
  for (const targets of imports.values())
    for (const path of targets) importers.set(path, (importers.get(path) ?? 0) + 1);
  const best = new Map(hits.slice(0, HITS).map(({ path, score }) => [path, score]));
  const bonuses = new Map<string, Bonus>();
  const give = (path: string, score: number, reason: string) => {
    if ((bonuses.get(path)?.score ?? 0) < score) bonuses.set(path, { score, reason });
  };
  for (const [path, targets] of imports) {
    const score = best.get(path);
    for (const target of targets) {
      if (score !== undefined) give(target, (IMPORT_WEIGHT * score) / targets.size, `imported by ${path}`);
      const imported = path === target ? undefined : best.get(target);
      if (imported !== undefined)
        give(path, (IMPORT_WEIGHT * imported) / (importers.get(target) ?? 1), `imports ${target}`);
    }
  }
  return bonuses;
}

/** Files among the hits that stand in a folder of the best ones. */
function besideBest(hits: readonly Candidate[]): readonly { path: string; bonus: Bonus }[] {
  const folders = new Map<string, Candidate>();
  for (const hit of hits.slice(0, KEPT)) if (!folders.has(folderOf(hit.path))) folders.set(folderOf(hit.path), hit);
  return hits.slice(KEPT).flatMap(({ path }) => {
    const near = folders.get(folderOf(path));
    return near ? [{ path, bonus: { score: FOLDER_WEIGHT * near.score, reason: `beside ${near.path}` } }] : [];
  });
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

interface PastInput {
  /** best first, as `rankFiles` gives them */
  readonly ranked: readonly Candidate[];
  readonly files: readonly IndexedFile[];
  readonly issue: IssueText;
  /** newest first */
  readonly history: readonly { readonly commit: string; readonly message: string; readonly paths: readonly string[] }[];
}

/**
 * What was changed for the like before: files of commits whose messages have the issue's words come up behind the first
 * few, and join where they have no term of it themselves (lists that all features are entered in, files whose names say
 * nothing). The weights were tuned on the repositories that bench/RANKING.md names.
 */
export function addPastCommits({ ranked, files, issue, history }: PastInput): Candidate[] {
  const sources = files.filter(({ group }) => group === "source");
  const present = new Set(sources.map(({ path }) => path));
  const bonuses = new Map<string, Bonus>();
  const likeness = likenessTo(issue, history);
  const commits = history.flatMap(({ commit, paths }, at) => {
    const changed = paths.filter((path) => present.has(path));
    const score = (likeness[at] ?? 0) / Math.sqrt(changed.length || 1);
    return score > 0 && changed.length > 0 && changed.length <= MAX_PAST_SOURCES ? [{ commit, changed, score }] : [];
  });
  const best = commits.reduce((most, { score }) => Math.max(most, score), 0);
  for (const { commit, changed, score: likest } of commits) {
    const score = (PAST_WEIGHT * likest) / best;
    const reason = `changed in ${commit.slice(0, 9)}, whose message has words of the issue`;
    for (const path of changed) if ((bonuses.get(path)?.score ?? 0) < score) bonuses.set(path, { score, reason });
  }
  return bonuses.size === 0 ? [...ranked] : join(ranked, bonuses, sources);
}

/** How much each message has to do with the issue: its terms, the rarer among all messages the more. */
function likenessTo(issue: IssueText, history: PastInput["history"]): number[] {
  const termsOf = createTermCounter();
  const wanted = termsOf(issue);
  const messages = history.map(({ message }) => {
    const [title = "", ...body] = message.split("\n");
    const terms = termsOf({ title, body: body.join("\n").slice(0, MAX_MESSAGE) });
    const length = [...terms.values()].reduce((sum, weight) => sum + weight, 0);
    return { terms, length };
  });
  const telling = [...wanted].map(([term, weight]) => {
    const holders = messages.reduce((sum, { terms }) => (terms.has(term) ? sum + 1 : sum), 0);
    return { term, weight: weight * Math.log(1 + (messages.length - holders + 0.5) / (holders + 0.5)) };
  });
  return messages.map(({ terms, length }) => {
    const sum = telling.reduce((all, { term, weight }) => all + (weight * Math.min(terms.get(term) ?? 0, 2)) / 2, 0);
    return sum / (1 + LENGTH_WEIGHT * length);
  });
}
