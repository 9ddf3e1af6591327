import { nextTurn } from "../text/next-turn.ts";
import { likenessTo, type PastCommit } from "./like-texts.ts";
import { collectPostings } from "./postings.ts";
import type { Candidate, IndexedFile, IssueText } from "./ranking-types.ts";
import { readMessages } from "./read-mentions.ts";
import { createPairReader, splitIdentifier, wordsIn } from "./terms.ts";
import { issueTerms } from "./token-cache.ts";

/** For a file that has a message of the issue, if few have it. The best text score is 1. */
const MESSAGE_WEIGHT = 1.5;

const FEW = 3;

/** Files with all words of a message, in which it is looked for. */
const MAX_SEARCHED = 40;

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
  readonly score: number;
  readonly reason: string;
}

/** The bonuses from one kind of evidence, by path. */
type Bonuses = ReadonlyMap<string, Bonus>;

interface EvidenceInput {
  /** best first, as `rankFiles` gives them */
  readonly ranked: readonly Candidate[];
  readonly files: readonly IndexedFile[];
  readonly issue: IssueText;
  /** newest first; empty when there is none to read */
  readonly history: readonly PastCommit[];
  readonly textOf: (file: Pick<Candidate, "path" | "blob" | "best">) => Promise<string>;
}

/**
 * Ranks again by evidence beyond the issue's single words: messages that it quotes, words that stand together in the best
 * hits, and what past commits with the issue's words changed (such as lists in which every feature is entered). Gives all
 * candidates, and files that this evidence alone finds; it raises sources only.
 */
export async function addFurtherEvidence({ ranked, files, issue, history, textOf }: EvidenceInput) {
  const sources = files.filter(({ group }) => group === "source");
  const hits = ranked.filter(({ group }) => group === "source").slice(0, READ);
  return join(ranked, sources, [
    await messageBonuses(issue, sources, textOf),
    await pastBonuses(issue, history, new Set(sources.map(({ path }) => path))),
    await pairBonuses(issue, hits, textOf),
  ]);
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
    const reasons = [...found.map(({ reason }) => reason), ...(before?.reasons ?? [])];
    all.set(path, { ...before, path, blob, group, score, reasons });
  }
  return [...all.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

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
          `changed in ${commit.slice(0, 9)}, whose message has words of the issue`,
        );
  });
}
