import { nextTurn } from "../text/next-turn.ts";
import { createImportResolver } from "./import-resolver.ts";
import { type Bonuses, mostOf, type PastCommit, pastEvidence } from "./past-commits.ts";
import type { Candidate, IndexedFile, IssueText } from "./ranking-types.ts";
import { type CloseWords, createCloseReader } from "./terms.ts";
import { issueTerms } from "./token-cache.ts";

/** The best file by text stays first: the issue's words are better evidence than a file's surroundings. */
const KEPT = 1;

/** The first few gain this share of their score, so that only a file with several reasons overtakes them. */
const FIRST = 5;

const FIRST_WEIGHT = 0.9;

/** How many hits lend score to their neighbours, and of how many sources and tests the imports are read. */
const HITS = 10;

const READ = 34;

const READ_TESTS = 6;

/** For the file with the most of the issue's pairs of words; others get less. */
const PAIRS_WEIGHT = 0.4;

/** For the file that has the line with the most of the issue's words; others get less. */
const LINE_WEIGHT = 0.15;

/** Characters read of each text of an issue: what follows is mostly a log. */
const MAX_CLOSE_TEXT = 3_000;

/** The share of a hit's score for its neighbours, divided among all that the same file imports, or is imported by. */
const IMPORT_WEIGHT = 0.4;

/** For the sources that the best test imports, divided by the root of their number; other tests give less. */
const TESTED_WEIGHT = 0.3;

/** The share of the first few's score for files in the same folders. */
const FOLDER_WEIGHT = 0.1;

/** For files in the part of the code that the title names; the best text score is 1. */
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
  /** newest first; empty when there is none to read */
  readonly history: readonly PastCommit[];
  readonly textOf: (file: Candidate) => Promise<string>;
  /** what a file imports, as it writes it; undefined when that is not known */
  readonly importsOf: (path: string, text: string) => Promise<readonly Imports[] | undefined>;
}

/**
 * Ranks again by evidence beyond the issue's words: words that stand together in the best hits; what these import, are
 * imported by and stand beside; what the best tests import; the part of the code that the title names; what past
 * commits with the issue's words changed (such as lists in which every feature is entered); what changed often lately.
 * Gives all candidates, the first still first, and files that this evidence alone finds. The weights were tuned on the
 * repositories that bench/RANKING.md names.
 */
export async function addFurtherEvidence({ ranked, files, issue, history, ...readers }: EvidenceInput) {
  const sources = files.filter(({ group }) => group === "source");
  const hits = ranked.filter(({ group }) => group === "source");
  const tests = ranked.filter(({ group }) => group === "test").slice(0, READ_TESTS);
  const resolve = createImportResolver(sources.map(({ path }) => path));
  const near = beginningOf(issue);
  const terms = issueTerms(near);
  const closeIn = createCloseReader([near.title, near.body, ...near.hints].join("\n"), terms);
  const close = new Map<string, CloseWords>();
  const importsIn = async (among: readonly Candidate[], see?: (path: string, text: string) => void) => {
    const imports = new Map<string, ReadonlySet<string>>();
    for (const file of among) {
      const text = await readers.textOf(file);
      see?.(file.path, text);
      const written = (await readers.importsOf(file.path, text)) ?? [];
      imports.set(file.path, new Set(written.flatMap((one) => resolve(file.path, one))));
      await nextTurn();
    }
    return imports;
  };
  const imported = await importsIn(hits.slice(0, READ), (path, text) => close.set(path, closeIn(text)));
  const present = new Set(sources.map(({ path }) => path));
  const own = [
    ...closeBonuses(close, terms),
    neighbourBonuses(hits, imported),
    testedBonuses(tests, await importsIn(tests)),
    ...(await pastEvidence(issue, history, present)),
  ];
  const known = new Set([...hits.map(({ path }) => path), ...own.flatMap((bonuses) => [...bonuses.keys()])]);
  return join(ranked, sources, [...own, besideBest(hits, known), scopeBonuses(issue.title, known)]);
}

function beginningOf({ title, body, hints = [] }: IssueText) {
  const beginning = (text: string) => text.slice(0, MAX_CLOSE_TEXT);
  return { title: beginning(title), body: beginning(body), hints: hints.map(beginning) };
}

/** Bonuses for words that stand together as in the issue. The fewer files have a pair or word, the more it counts. */
function closeBonuses(close: ReadonlyMap<string, CloseWords>, terms: ReadonlyMap<string, number>): readonly Bonuses[] {
  const texts = [...close.values()];
  const ofPair = rarityIn(texts.map(({ pairs }) => pairs));
  const ofWord = rarityIn(texts.map(({ words }) => words));
  const ofLine = (words: readonly string[]) =>
    words.reduce((sum, word) => sum + (terms.get(word) ?? 0) * ofWord(word), 0);
  const share = (scoreOf: (words: CloseWords) => number, weight: number, reason: string) => {
    const scores = [...close].map(([path, words]) => ({ path, score: scoreOf(words) }));
    const most = scores.reduce((max, { score }) => Math.max(max, score), 0);
    return mostOf((put) => {
      for (const { path, score } of scores) put(path, (weight * score) / (most || 1), reason);
    });
  };
  const pairsOf = ({ pairs }: CloseWords) => [...pairs].reduce((sum, pair) => sum + ofPair(pair), 0);
  const bestLine = ({ lines }: CloseWords) => lines.reduce((most, words) => Math.max(most, ofLine(words)), 0);
  return [
    share(pairsOf, PAIRS_WEIGHT, "has words of the issue side by side"),
    share(bestLine, LINE_WEIGHT, "has words of the issue in one line"),
  ];
}

/** How telling an item is: the fewer texts have it, the more. */
function rarityIn(texts: readonly ReadonlySet<string>[]): (one: string) => number {
  const holders = new Map<string, number>();
  for (const text of texts) for (const one of text) holders.set(one, (holders.get(one) ?? 0) + 1);
  return (one) => {
    const holding = holders.get(one) ?? 0;
    return Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5));
  };
}

/** Adds the bonuses to the candidates' scores, and adds files that were no candidates. */
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

/** Bonuses for what the tests with the most of the issue's words import. */
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

/** Bonuses for files in a folder of the first few hits, if there is other evidence for them. */
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

/** Shorter names do not match the end of longer ones: `parser` means `babel-parser`, but `ui` means many things. */
const MIN_TAIL = 5;

const plain = (name: string) => name.toLowerCase().replace(/[-_ ]/g, "");

/** Bonuses for files of the package, folder or module that the title begins with, if other evidence knows them. */
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
