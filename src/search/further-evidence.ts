import { splitLines } from "../code/edits/text-file.ts";
import type { SourceParser } from "../code/source-parser.ts";
import { nextTurn } from "../text/next-turn.ts";
import { declarationsOf } from "./declarations.ts";
import { likenessTo, type PastCommit } from "./like-texts.ts";
import { collectPostings, getOrMake } from "./postings.ts";
import type { Candidate, IndexedFile, IssueText } from "./ranking-types.ts";
import { readMentions, readMessages } from "./read-mentions.ts";
import { createPairReader, joinedName, splitIdentifier, stemOf, stemOfPath, wordsIn } from "./terms.ts";
import { issueTerms } from "./token-cache.ts";

/** For a file that has a message of the issue, if few have it. The best text score is 1. */
const MESSAGE_WEIGHT = 1.5;

const FEW = 3;

/** Files with all words of a message, in which it is looked for. */
const MAX_SEARCHED = 40;

/** Shared among the files that define a name of the issue; what more of them define says little about each. */
const DEFINITION_WEIGHT = 0.3;

const MAX_DEFINING = 8;

/** The best files with a name of the issue, which are parsed. */
const MAX_PARSED = 60;

/** For files in the folder of the best one, and the files that say which folders are good. */
const FOLDER_WEIGHT = 0.2;

const BEST = 5;

/** For the file with the most of the issue's pairs of words, of the first few; others get less. */
const PAIRS_WEIGHT = 0.4;

const READ = 34;

/** Characters read of each text of an issue: what follows is mostly a log. */
const MAX_CLOSE_TEXT = 3_000;

/** For files that the most similar past commit changed; those of others get less. */
const PAST_WEIGHT = 0.3;

/** A commit that changes more of the files says little about each. */
const MAX_PAST_SOURCES = 12;

interface Bonus {
  score: number;
  reason: string;
}

/** The bonuses from one kind of evidence, by path. */
type Bonuses = ReadonlyMap<string, Bonus>;

interface EvidenceInput {
  /** best first, as `rankFiles` gives them */
  ranked: readonly Candidate[];
  files: readonly IndexedFile[];
  issue: IssueText;
  /** newest first; empty when there is none to read */
  history: readonly PastCommit[];
  parser: Pick<SourceParser, "symbols">;
  textOf: (file: Pick<Candidate, "path" | "blob" | "best">) => Promise<string>;
}

/**
 * Ranks again by evidence beyond the issue's single words: names that files define, messages that it quotes, words that
 * stand together in the best hits, what past commits with the issue's words changed (such as lists in which every
 * feature is entered), and the folders of the best files. Gives all candidates, and files that this evidence alone
 * finds; it raises sources only.
 */
export async function addFurtherEvidence(input: EvidenceInput): Promise<readonly Candidate[]> {
  const { ranked, files, issue, history, textOf } = input;
  const sources = files.filter(({ group }) => group === "source");
  const hits = ranked.filter(({ group }) => group === "source").slice(0, READ);
  const joined = join(ranked, sources, [
    await definitionBonuses(sources, input),
    await messageBonuses(issue, sources, textOf),
    await pastBonuses(issue, history, new Set(sources.map(({ path }) => path))),
    await pairBonuses(issue, hits, textOf),
  ]);
  return raiseFolders(joined);
}

/** Keeps the highest bonus for each path. */
function mostOf(give: (put: (path: string, score: number, reason: string) => void) => void): Bonuses {
  const bonuses = new Map<string, Bonus>();
  give((path, score, reason) => {
    if ((bonuses.get(path)?.score ?? 0) < score) bonuses.set(path, { score, reason });
  });
  return bonuses;
}

/** Adds the bonuses to the candidates' scores, and adds files that were no candidates. */
function join(
  ranked: readonly Candidate[],
  sources: readonly IndexedFile[],
  kinds: readonly Bonuses[],
): readonly Candidate[] {
  const all = new Map(ranked.map((one) => [one.path, one]));
  const byPath = new Map(sources.map((file) => [file.path, file]));
  for (const path of new Set(kinds.flatMap((bonuses) => [...bonuses.keys()]))) {
    const before = all.get(path);
    const { blob, group } = byPath.get(path) as IndexedFile;
    const found = kinds.flatMap((bonuses) => bonuses.get(path) ?? []);
    const score = found.reduce((sum, bonus) => sum + bonus.score, before?.score ?? 0);
    const reasons = [
      ...found.map(({ reason }) => reason).filter((reason) => reason !== ""),
      ...(before?.reasons ?? []),
    ];
    all.set(path, { ...before, path, blob, group, score, reasons });
  }
  return [...all.values()].sort(bestFirst);
}

const bestFirst = (a: Candidate, b: Candidate) => b.score - a.score || (a.path < b.path ? -1 : 1);

/** Bonuses for files that declare a name of the issue or are called so, however its words are joined (`v-for` is `vFor`). */
async function definitionBonuses(
  sources: readonly IndexedFile[],
  { issue, ranked, parser, textOf }: EvidenceInput,
): Promise<Bonuses> {
  const names = new Map(readMentions(issue).symbols.map((name) => [joinedName(name), name]));
  const postings = collectPostings(
    sources,
    [...names.keys()].map((name) => stemOf(name)),
  );
  const holders = new Set(postings.flatMap(({ files }) => files).map((file) => sources[file] as IndexedFile));
  const rank = new Map(ranked.map(({ path }, at) => [path, at]));
  const rankOf = ({ path }: IndexedFile) => rank.get(path) ?? ranked.length;
  /** by name the files, and whether they spell it so */
  const defining = new Map<string, Map<string, boolean>>();
  for (const file of [...holders].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, MAX_PARSED)) {
    const symbols = (await declarationsOf(file.path, splitLines(await textOf(file)), parser)) ?? [];
    const declared = new Set(symbols.map((symbol) => symbol.name));
    for (const one of [...declared, stemOfPath(file.path)]) {
      const name = names.get(joinedName(one));
      if (name !== undefined) getOrMake(defining, name, () => new Map()).set(file.path, declared.has(name));
    }
  }
  const bonuses = new Map<string, Bonus>();
  for (const [name, found] of defining) {
    const exact = [...found].filter(([, isExact]) => isExact);
    const paths = (exact.length > 0 ? exact : [...found]).map(([path]) => path);
    if (paths.length > MAX_DEFINING) continue;
    for (const path of paths) {
      const before = bonuses.get(path)?.score ?? 0;
      bonuses.set(path, { score: before + DEFINITION_WEIGHT / paths.length, reason: `defines \`${name}\`` });
    }
  }
  return bonuses;
}

/** Raises sources in the folders of the best, the better these are: a change seldom stays in one file. */
function raiseFolders(ranked: readonly Candidate[]): readonly Candidate[] {
  const isSource = ({ group }: Candidate) => group === "source";
  const worth = new Map<string, number>();
  for (const [at, { path }] of ranked.filter(isSource).slice(0, BEST).entries())
    worth.set(folderOf(path), (worth.get(folderOf(path)) ?? 0) + 1 / (at + 1));
  const most = Math.max(0, ...worth.values());
  const raised = ranked.map((one) => {
    const share = isSource(one) ? (worth.get(folderOf(one.path)) ?? 0) / most : 0;
    if (share === 0) return one;
    return { ...one, score: one.score + FOLDER_WEIGHT * share, reasons: [...one.reasons, "in a folder of the best"] };
  });
  return raised.sort(bestFirst);
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** Bonuses for the few files in which a message that the issue quotes stands, however the code breaks its lines. */
async function messageBonuses(
  issue: IssueText,
  sources: readonly IndexedFile[],
  textOf: EvidenceInput["textOf"],
): Promise<Bonuses> {
  const found = new Map<string, readonly string[]>();
  const texts = new Map<string, string>();
  const read = async (file: IndexedFile) => {
    const text = texts.get(file.blob) ?? wordsIn(await textOf(file));
    texts.set(file.blob, text);
    return text;
  };
  for (const message of readMessages(issue)) {
    const holders: string[] = [];
    for (const file of holdingAll(message, sources)) {
      if ((await read(file)).includes(wordsIn(message))) holders.push(file.path);
      await nextTurn();
    }
    if (holders.length <= FEW) found.set(message, holders);
  }
  return mostOf((put) => {
    for (const [message, paths] of found)
      for (const path of paths) put(path, MESSAGE_WEIGHT, `has the message \`${message}\``);
  });
}

/** The files that have all words of a message; none if too many have. */
function holdingAll(message: string, files: readonly IndexedFile[]): readonly IndexedFile[] {
  const terms = wordsIn(message)
    .split(" ")
    .flatMap((word) => splitIdentifier(word).slice(0, 1));
  const [first, ...others] = collectPostings(files, [...new Set(terms)]).map((posting) => new Set(posting.files));
  const holders = [...(first ?? [])].filter((file) => others.every((other) => other.has(file)));
  return holders.length > MAX_SEARCHED ? [] : holders.map((file) => files[file] as IndexedFile);
}

/** Bonuses for words that stand together as in the issue. The fewer files have a pair, the more it counts. */
async function pairBonuses(
  { title, body, hints = [] }: IssueText,
  hits: readonly Candidate[],
  textOf: EvidenceInput["textOf"],
): Promise<Bonuses> {
  const beginning = (text: string) => text.slice(0, MAX_CLOSE_TEXT);
  const near = { title: beginning(title), body: beginning(body), hints: hints.map(beginning) };
  const pairsIn = createPairReader([near.title, near.body, ...near.hints].join("\n"), issueTerms(near));
  const found = new Map<string, ReadonlySet<string>>();
  for (const hit of hits) {
    found.set(hit.path, pairsIn(await textOf(hit)));
    await nextTurn();
  }
  const rarity = rarityIn([...found.values()]);
  const scores = [...found].map(([path, pairs]) => ({
    path,
    score: [...pairs].reduce((sum, pair) => sum + rarity(pair), 0),
  }));
  const most = scores.reduce((max, { score }) => Math.max(max, score), 0);
  return mostOf((put) => {
    for (const { path, score } of scores)
      put(path, (PAIRS_WEIGHT * score) / (most || 1), "has words of the issue side by side");
  });
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

/** Bonuses for what past commits changed whose messages are like the issue. */
async function pastBonuses(
  issue: IssueText,
  history: readonly PastCommit[],
  present: ReadonlySet<string>,
): Promise<Bonuses> {
  const likeness = await likenessTo(issue, history);
  const changes = history.flatMap(({ commit, paths: changed }, at) => {
    const paths = changed.filter((path) => present.has(path));
    const score = (likeness[at] ?? 0) / Math.sqrt(paths.length);
    return score > 0 && paths.length > 0 && paths.length <= MAX_PAST_SOURCES ? [{ commit, paths, score }] : [];
  });
  const best = changes.reduce((most, { score }) => Math.max(most, score), 0);
  return mostOf((put) => {
    for (const { commit, paths, score } of changes)
      for (const path of paths)
        put(
          path,
          (PAST_WEIGHT * score) / best,
          score === best ? `${commit.slice(0, 9)}, a past commit about this, changed it` : "",
        );
  });
}
