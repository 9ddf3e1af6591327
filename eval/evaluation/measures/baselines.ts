import lunr from "lunr";
import { addTo } from "../../../src/data/add-to.ts";
import { indexTree } from "../../../src/search/index-tree.ts";
import { rankFiles, scoreText } from "../../../src/search/rank-files.ts";
import type { IndexedFile } from "../../../src/search/ranking-types.ts";
import { issueTerms, TokenCache } from "../../../src/search/token-cache.ts";
import type { Mirror } from "../../mirror.ts";

const SEPARATOR = /[\s-]+/;

const MAX_TEXT = 500_000;

/**
 * Ranks whole files as lunr does by default: its tokenizer, trimmer, stop words and stemmer, k1 1.2, b 0.75. lunr's
 * index of a large repository takes gigabytes, so this counts only the words of one query and applies its formulas to
 * them. Gives a function that ranks for `query`.
 */
export function createLunrBaseline() {
  const pipeline = new lunr.Pipeline();
  pipeline.add(lunr.trimmer, lunr.stopWordFilter, lunr.stemmer);
  let known = new Map<string, string | undefined>();

  return (query: string) => {
    const boosts = lunrQueryTerms(query);
    const files: LunrDocument[] = [];
    if (known.size > MAX_TEXT) known = new Map();
    return {
      add(path: string, text: string): void {
        const counts = new Map<string, number>();
        let length = 0;
        for (const word of text.toLowerCase().split(SEPARATOR)) {
          if (word === "") continue;
          const term = termOf(word);
          if (term === undefined) continue;
          length += 1;
          if (boosts.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
        }
        files.push({ path, length, counts });
      },
      /** Paths of the files that have any word of the query, best first; equal scores by path. */
      ranked: () => rankByLunr(files, boosts),
    };
  };

  function termOf(word: string): string | undefined {
    if (known.has(word)) return known.get(word);
    const [token] = pipeline.run([new lunr.Token(word, {})]);
    const term = token?.toString();
    known.set(word, term);
    return term;
  }
}

/**
 * The terms that `search` makes of a text: split at blanks and hyphens, stemmed, punctuation kept; each repetition is a
 * boost.
 */
export function lunrQueryTerms(query: string): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  for (const word of query
    // Operators of lunr's query language make it throw.
    .replace(/[:~^*+-]/g, " ")
    .toLowerCase()
    .split(/\s+/)) {
    if (word === "") continue;
    const term = lunr.stemmer(new lunr.Token(word, {})).toString();
    terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  return terms;
}

/** A file of a corpus, with its words counted as lunr counts them. */
export interface LunrDocument {
  path: string;
  /** words */
  length: number;
  /** how often each term occurs; at least those of the query */
  counts: ReadonlyMap<string, number>;
}

/**
 * Paths of the documents that have any word of the query (`boosts` by term), best first, by lunr's own formulas with k1
 * 1.2 and b 0.75; equal scores by path.
 */
export function rankByLunr(files: readonly LunrDocument[], boosts: ReadonlyMap<string, number>): readonly string[] {
  const mean = files.reduce((sum, { length }) => sum + length, 0) / Math.max(1, files.length);
  const scores = new Map<string, number>();
  for (const [term, boost] of boosts) {
    const holders = files.filter(({ counts }) => counts.has(term));
    const idf = Math.log(1 + Math.abs((files.length - holders.length + 0.5) / (holders.length + 0.5)));
    for (const { path, length, counts } of holders) {
      const tf = counts.get(term) ?? 0;
      const score = (idf * 2.2 * tf) / (1.2 * (0.25 + 0.75 * (length / mean)) + tf);
      scores.set(path, (scores.get(path) ?? 0) + boost * (Math.round(score * 1000) / 1000));
    }
  }
  return [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([path]) => path);
}

/** Bytes; people write no larger text files. */
const MAX_SIZE = 512 * 1024;

const CACHE_BYTES = 2 ** 32;

export interface Baselines {
  /** BM25 on code tokens over whole files, tests and documentation too: the paper's baseline (section 4.3) */
  bm25: readonly string[];
  /** the same files by lunr's defaults, whose tokens are words of prose */
  lunr: readonly string[];
  /** the product's own ranking without any model */
  ranking: readonly string[];
  /** files that both have ranked */
  corpus: number;
}

/** Ranks a commit's files against an issue without a model, three ways; each list has `most` paths at most, best first. */
export async function rankBaselines(deps: {
  mirror: Mirror;
  commit: string;
  issue: { title: string; body: string; hints: string };
  baseline: ReturnType<typeof createLunrBaseline>;
  most: number;
}): Promise<Baselines> {
  const { mirror, commit, issue, most } = deps;
  const entries = await mirror.entries(commit);
  const texts = entries.filter(({ mode, size = Infinity }) => mode.startsWith("100") && size <= MAX_SIZE);
  const paths = new Map<string, string[]>();
  for (const { blob, path } of texts) addTo(paths, blob, path);
  const cache = new TokenCache({ mostBytes: CACHE_BYTES });
  const attributes = new Map<string, Uint8Array>();
  const byLunr = deps.baseline([issue.title, issue.body, issue.hints].filter((text) => text !== "").join("\n"));
  const decoder = new TextDecoder();
  let corpus = 0;
  await mirror.readBlobs([...paths.keys()], (blob, content) => {
    cache.add(blob, content);
    const holders = paths.get(blob) ?? [];
    if (holders.some((path) => path.endsWith(".gitattributes"))) attributes.set(blob, content);
    if (content.subarray(0, 8_000).includes(0)) return;
    const text = decoder.decode(content);
    corpus += holders.length;
    for (const path of holders) byLunr.add(path, text);
  });
  const readBlob = async (blob: string) => attributes.get(blob) ?? new Uint8Array();
  const { files } = await indexTree({ entries, readBlob, cache, largest: MAX_SIZE });
  const hints = issue.hints === "" ? [] : [issue.hints];
  const ranked = rankFiles({ files, issue: { ...issue, hints }, limit: most });
  return {
    bm25: rankByBm25(texts, cache, issueTerms({ ...issue, hints }).keys()).slice(0, most),
    lunr: byLunr.ranked().slice(0, most),
    ranking: ranked.map(({ path }) => path),
    corpus,
  };
}

/** Textbook BM25, and nothing of ours. */
const PLAIN = { k1: 1.2, b: 0.75, path: 0, mostTerms: 10_000 };

/**
 * Paths of the files that have any of the terms, best first, by plain BM25 over the tokens counted by `cache`:
 * identifiers, whole and split, and stemmed words. Every term counts once; equal scores by path.
 */
export function rankByBm25(
  texts: readonly { path: string; blob: string }[],
  cache: TokenCache,
  terms: Iterable<string>,
): string[] {
  const files = texts.flatMap(({ path, blob }): IndexedFile[] => {
    const record = cache.get(blob);
    return record ? [{ path, blob, group: "source", tokens: record.tokens, pathTokens: cache.path(path) }] : [];
  });
  const pathOf = (file: number) => files[file]?.path ?? "";
  return scoreText(files, new Map([...terms].map((term) => [term, 1])), PLAIN)
    .sort((a, b) => b.score - a.score || (pathOf(a.file) < pathOf(b.file) ? -1 : 1))
    .map(({ file }) => pathOf(file));
}
