import { createImportResolver } from "./import-resolver.ts";
import { type Bonuses, mostOf, type PastCommit, pastEvidence } from "./past-commits.ts";
import type { Candidate, IndexedFile, IssueText } from "./ranking-types.ts";

/** The best file stays the first: the words of the issue know it better than what surrounds it. */
const KEPT = 1;

/** The first few count for more by so much of their score: what comes before them needs several reasons. */
const FIRST = 5;

const FIRST_WEIGHT = 0.9;

/** Hits whose neighbours join, and files whose imports are read: the best ones of program text, and of tests. */
const HITS = 10;

const READ = 34;

const READ_TESTS = 6;

/** What a neighbour gets of a hit's score, shared among all that the same file imports, or is imported by. */
const IMPORT_WEIGHT = 0.4;

/** What the sources get that the best test imports, shared by the root of their number; of other tests less. */
const TESTED_WEIGHT = 0.3;

/** What files in the folders of the first few get of their score. */
const FOLDER_WEIGHT = 0.1;

/** What files of the part of the code that the title names get, where the best text score is worth 1. */
const SCOPE_WEIGHT = 0.3;

interface Imports {
  readonly from: string;
  readonly names: readonly string[];
}

/** What each file imports, by paths. */
type Imported = ReadonlyMap<string, ReadonlySet<string>>;

interface EvidenceInput {
  /** best first, as `rankFiles` gives them */
  readonly ranked: readonly Candidate[];
  readonly files: readonly IndexedFile[];
  readonly issue: IssueText;
  /** newest first; empty where it cannot be had */
  readonly history: readonly PastCommit[];
  /** what a file imports, as it writes it; undefined when that is not known */
  readonly importsOf: (file: Candidate) => Promise<readonly Imports[] | undefined>;
}

/**
 * Adds to the words of an issue what else is known of program text: what the best hits import, what imports them and
 * what stands beside them, what the best tests import, the part of the code that the title names, what past commits
 * with the issue's words changed (lists that all features are entered in, files whose names say nothing), and what is
 * changed often of late. Gives as many candidates as there were, and as many more as have no term of the issue; the
 * first stays the first. The weights were tuned on the repositories that bench/RANKING.md names.
 */
export async function addFurtherEvidence({ ranked, files, issue, history, importsOf }: EvidenceInput) {
  const sources = files.filter(({ group }) => group === "source");
  const hits = ranked.filter(({ group }) => group === "source");
  const resolve = createImportResolver(sources.map(({ path }) => path));
  const tests = ranked.filter(({ group }) => group === "test").slice(0, READ_TESTS);
  const importsIn = async (among: readonly Candidate[]): Promise<Imported> => {
    const imports = new Map<string, ReadonlySet<string>>();
    for (const file of among) {
      const written = (await importsOf(file)) ?? [];
      imports.set(file.path, new Set(written.flatMap((one) => resolve(file.path, one))));
    }
    return imports;
  };
  const present = new Set(sources.map(({ path }) => path));
  const own = [
    neighbourBonuses(hits, await importsIn(hits.slice(0, READ))),
    testedBonuses(tests, await importsIn(tests)),
    ...(await pastEvidence(issue, history, present)),
  ];
  const known = new Set([...hits.map(({ path }) => path), ...own.flatMap((bonuses) => [...bonuses.keys()])]);
  return join(ranked, sources, [...own, besideBest(hits, known), scopeBonuses(issue.title, known)]);
}

/** Adds each file's bonuses to its score, and files that were not among the candidates. */
function join(
  ranked: readonly Candidate[],
  sources: readonly IndexedFile[],
  kinds: readonly Bonuses[],
): readonly Candidate[] {
  const all = new Map(
    ranked.map((one, at) => [one.path, at < FIRST ? { ...one, score: one.score * (1 + FIRST_WEIGHT) } : one]),
  );
  const byPath = new Map(sources.map((file) => [file.path, file]));
  for (const path of new Set(kinds.flatMap((bonuses) => [...bonuses.keys()]))) {
    const file = all.get(path) ?? byPath.get(path);
    if (file?.group !== "source") continue;
    const { blob, group } = file;
    const found = kinds.flatMap((bonuses) => bonuses.get(path) ?? []);
    const before = all.get(path);
    const score = found.reduce((sum, bonus) => sum + bonus.score, before?.score ?? 0);
    const reasons = [...(before?.reasons ?? []), ...found.map(({ reason }) => reason)];
    all.set(path, { path, blob, group, score, reasons });
  }
  const kept = ranked.slice(0, KEPT).flatMap(({ path }) => all.get(path) ?? []);
  for (const { path } of kept) all.delete(path);
  return [...kept, ...[...all.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))];
}

/** What the tests are of that have most of the issue's words. */
function testedBonuses(tests: readonly Candidate[], imports: Imported): Bonuses {
  return mostOf((put) => {
    for (const { path, score } of tests) {
      const targets = imports.get(path) ?? new Set();
      const share = score / (tests[0]?.score || 1) / Math.sqrt(targets.size);
      for (const target of targets) put(target, TESTED_WEIGHT * share, `imported by ${path}`);
    }
  });
}

function neighbourBonuses(hits: readonly Candidate[], imports: Imported): Bonuses {
  const importers = new Map<string, number>();
  for (const targets of imports.values())
    for (const path of targets) importers.set(path, (importers.get(path) ?? 0) + 1);
  const best = new Map(hits.slice(0, HITS).map(({ path, score }) => [path, score]));
  return mostOf((put) => {
    for (const [path, targets] of imports) {
      const score = best.get(path);
      for (const target of targets) {
        if (score !== undefined) put(target, (IMPORT_WEIGHT * score) / targets.size, `imported by ${path}`);
        const imported = path === target ? undefined : best.get(target);
        if (imported !== undefined)
          put(path, (IMPORT_WEIGHT * imported) / (importers.get(target) ?? 1), `imports ${target}`);
      }
    }
  });
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Of the files that are known for something else, those in a folder of the first few hits. */
function besideBest(hits: readonly Candidate[], known: ReadonlySet<string>): Bonuses {
  const folders = new Map<string, Candidate>();
  for (const hit of hits.slice(0, FIRST)) if (!folders.has(folderOf(hit.path))) folders.set(folderOf(hit.path), hit);
  return mostOf((put) => {
    for (const path of known) {
      const near = folders.get(folderOf(path));
      if (near && near.path !== path) put(path, FOLDER_WEIGHT * near.score, `beside ${near.path}`);
    }
  });
}

/** `fix(parser): …`, `[parser] …`, `core/spider: …` */
const SCOPE = /^\s{0,9}(?:\w{1,20}!?\(([^()]{2,60})\)!?:|\[([\w@/. -]{2,60})\]|([\w@/.-]{2,60}):)/;

/** Shorter names of packages are not looked for at the end of longer ones: `babel-parser` is the parser, `ui` many things. */
const MIN_TAIL = 5;

const plain = (name: string) => name.toLowerCase().replace(/[-_ ]/g, "");

/** Of the files that are known for something else, those of the package, folder or module that the title begins with. */
function scopeBonuses(title: string, known: ReadonlySet<string>): Bonuses {
  const written = SCOPE.exec(title)?.slice(1).find(Boolean) ?? "";
  const names = written
    .replace(/^@[^/]*\//, "")
    .split(/[,/]/)
    .map((name) => plain(name.trim()))
    .filter((name) => name.length > 1);
  const isNamed = (part: string) =>
    names.some((name) => part === name || (name.length >= MIN_TAIL && part.endsWith(name)));
  return mostOf((put) => {
    if (names.length === 0) return;
    for (const path of known)
      if (path.split("/").some((part) => isNamed(plain(part.replace(/(?<=.)\.\w+$/, "")))))
        put(path, SCOPE_WEIGHT, `the title begins with ${written}`);
  });
}
