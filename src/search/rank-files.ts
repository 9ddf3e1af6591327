import lunr from "lunr";
import type { FileGroup } from "./path-rules.ts";
import { collectPostings, countHolders, findPool, getOrMake, type Posting } from "./postings.ts";
import {
  type BytePlace,
  type Candidate,
  type Evidence,
  type GroupWeights,
  type IndexedFile,
  type IssueText,
  RANKING_WEIGHTS,
  type RankingWeights,
  type TextWeights,
} from "./ranking-types.ts";
import { readMentions } from "./read-mentions.ts";
import { scoreMentions } from "./score-mentions.ts";
import { issueTerms } from "./token-cache.ts";

/** What `rankFiles` takes: the commit's files as `indexTree` gives them. `weights` are there for tuning. */
export interface RankingInput {
  readonly files: readonly IndexedFile[];
  readonly issue: IssueText;
  readonly limit: number;
  readonly weights?: RankingWeights;
}

/**
 * The files of a commit an issue is most likely about, best first; equal scores by path, so that the order is the same
 * on every machine. Takes indexed files (see TokenCache) and any text as the issue; gives at most `limit` candidates,
 * none that has neither a term of the issue nor a mention. Never throws. (Paper, section 3.2: locating by BM25.)
 */
export function rankFiles({ files, issue, limit, weights = RANKING_WEIGHTS }: RankingInput): Candidate[] {
  const text = scoreText(files, issueTerms(issue), weights.text);
  const mentions = scoreMentions(files, readMentions(issue), weights.mentions);
  const groups = groupWeights(issue, weights.groups);
  const best = text.reduce((most, { score }) => Math.max(most, score), 0) || 1;
  const scores = new Map<number, number>();
  for (const { file, score } of mentions)
    scores.set(file, Math.min(weights.mentions.most, (scores.get(file) ?? 0) + score));
  for (const { file, score } of text) scores.set(file, (scores.get(file) ?? 0) + score / best);
  return [...scores]
    .map(([place, score]) => ({ place, file: files[place] as IndexedFile, score }))
    .map((found) => ({ ...found, score: found.score * groups[found.file.group] }))
    .sort((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1))
    .slice(0, limit)
    .map(({ place, file: { path, blob, group }, score }) => {
      const why = [...mentions, ...text].filter(({ file }) => file === place);
      const candidate = { path, blob, score, group, reasons: reasonsOf(why, group, groups[group]) };
      const best = why.find((one) => one.best)?.best;
      return best ? { ...candidate, best } : candidate;
    });
}

function reasonsOf(evidence: readonly Evidence[], group: string, weight: number): string[] {
  return [...new Set(evidence.map(({ reason }) => reason()))]
    .slice(0, 6)
    .concat(weight < 1 ? [`${group} file, weight ${weight}`] : []);
}

/** How a title says that the issue is about the files of a group. */
const ABOUT: readonly (readonly [FileGroup, RegExp])[] = [
  [
    "test",
    /^tests?\b|\b(?:flaky|unit tests?|test suite|test cases?|failing tests?|(?:add|update|fix|skip)(?:ing|ed)? tests?|test coverage)\b/i,
  ],
  ["fixture", /\b(?:fixtures?|test data|snapshots?)\b/i],
  ["documentation", /^docs?\b|\b(?:documentation|docs|readme|changelog|docstrings?|typos?|broken links?)\b/i],
  ["example", /\b(?:examples?|demos?|sample)\b/i],
  ["locale", /\b(?:locales?|translations?|translate|i18n|l10n|mistranslat\w+)\b/i],
  [
    "config",
    /^(?:ci|build|chore)\b|\b(?:workflow|github actions|docker(?:file)?|makefile|eslint|tsconfig|dependenc(?:y|ies)|package\.json)\b/i,
  ],
];

/** What a file's group does to its score: tests, documentation and the like are held down, unless the title asks for them. */
function groupWeights(issue: IssueText, usual: GroupWeights): GroupWeights {
  const weights = { ...usual };
  for (const [group, pattern] of ABOUT) if (pattern.test(issue.title)) weights[group] = Math.max(weights[group], 0.9);
  return weights;
}

/**
 * BM25 of the files against the terms, by lunr: an index of these terms alone is assembled over our own counts and
 * asked with the query builder. Gives the files that have any of the terms, at most about `weights.mostFiles`; scores
 * are comparable within one call only.
 */
export function scoreText(
  files: readonly IndexedFile[],
  terms: ReadonlyMap<string, number>,
  weights: TextWeights,
): Evidence[] {
  if (!files.some(({ parts }) => parts)) return scoreDocuments(files, terms, weights);
  const documents = files.flatMap((file, place): Document[] => {
    if (!file.parts) return [{ ...file, of: place }];
    return file.parts.map(({ place: part, tokens }) => ({ ...file, tokens, of: place, part }));
  });
  return bestOfFiles(documents, scoreDocuments(documents, terms, weights));
}

/** A file, or a part of a large one. */
interface Document extends IndexedFile {
  /** the file's place in the list that was asked about */
  readonly of: number;
  readonly part?: BytePlace;
}

/** Parts of a large file that whoever reads on is told of. */
const BEST_PARTS = 3;

/** A file's score is that of its best part. `found` is best first, and so is what is given. */
function bestOfFiles(documents: readonly Document[], found: readonly Evidence[]): Evidence[] {
  const byFile = new Map<number, { readonly evidence: Evidence; readonly best: BytePlace[] }>();
  for (const evidence of found) {
    const { of, part } = documents[evidence.file] as Document;
    const { best } = getOrMake(byFile, of, () => ({ evidence: { ...evidence, file: of }, best: [] }));
    if (part && best.length < BEST_PARTS) best.push(part);
  }
  return [...byFile.values()].map(({ evidence, best }) => (best.length > 0 ? { ...evidence, best } : evidence));
}

function scoreDocuments(
  files: readonly IndexedFile[],
  terms: ReadonlyMap<string, number>,
  weights: TextWeights,
): Evidence[] {
  const search = chooseTerms(files, terms, weights.mostTerms);
  if (search.length === 0) return [];
  const names = search.map(({ term }) => term);
  const sources = files.reduce((count, { group }) => (group === "source" ? count + 1 : count), 0);
  const mostHolders = (weights.mostFiles * files.length) / Math.max(1, sources);
  const pool = findPool(files, poolTerms(search, weights.mostFiles), poolTerms(search, mostHolders));
  const index = assembleIndex(files, search, collectPostings(files, pool, names), weights);
  const results = index.query((query) => {
    for (const { term, weight } of search) query.term(term, { boost: weight, usePipeline: false });
  });
  return results.map(({ ref, score, matchData }) => ({
    file: Number(ref),
    score,
    reason: () => {
      const found = names.filter((name) => name in matchData.metadata);
      return `BM25 ${score.toFixed(1)}, terms: ${found.slice(0, 5).join(", ")}`;
    },
  }));
}

/**
 * The terms that decide which files are scored at all: the most telling ones, as long as `most` files hold them. In a
 * repository of tens of thousands of files, what has only the issue's common words cannot come out on top.
 */
function poolTerms(search: readonly SearchTerm[], most: number): string[] {
  let files = 0;
  return search
    .filter(({ holders }) => {
      const fits = files === 0 || files + holders <= most;
      if (fits) files += holders;
      return fits;
    })
    .map(({ term }) => term);
}

const FIELDS = ["text", "path", "definitions"] as const;

type Field = (typeof FIELDS)[number];

/**
 * A `lunr.Index` of the search terms alone, over counts that are there already, with our constants. Documents are
 * named by their place in `files`. `postings` belong to `search` one by one. lunr's query does the rest: it adds up
 * the fields and the terms.
 */
function assembleIndex(
  files: readonly IndexedFile[],
  search: readonly SearchTerm[],
  postings: readonly Posting[],
  weights: TextWeights,
): lunr.Index {
  const { k1, b } = weights;
  const mean = files.reduce((sum, { tokens }) => sum + tokens.length, 0) / files.length || 1;
  const vectors: Record<Field, Map<number, number[]>> = { text: new Map(), path: new Map(), definitions: new Map() };
  const invertedIndex: Record<string, object> = Object.create(null);
  const nothing = {};
  search.forEach(({ term, idf }, number) => {
    const entry = { _index: number, text: {}, path: {}, definitions: {} } as Record<Field, Record<number, object>>;
    const posting = postings[number] as Posting;
    const put = (field: Field, file: number, score: number) => {
      if (score === 0) return;
      entry[field][file] = nothing;
      getOrMake(vectors[field], file, () => []).push(number, idf * score);
    };
    posting.files.forEach((file, i) => {
      const length = (files[file] as IndexedFile).tokens.length / mean;
      put("text", file, saturate(posting.text[i] as number, k1 * (1 - b + b * length), k1));
      put("path", file, weights.path * saturate(posting.path[i] as number, k1, k1));
      put("definitions", file, weights.definitions * saturate(posting.definitions[i] as number, k1, k1));
    });
    invertedIndex[term] = entry;
  });
  const fieldVectors: Record<string, lunr.Vector> = Object.create(null);
  for (const field of FIELDS)
    for (const [file, elements] of vectors[field]) fieldVectors[`${field}/${file}`] = new lunr.Vector(elements);
  return createIndex(invertedIndex, fieldVectors);
}

/** The types of lunr know neither `fieldVectors` nor that `TokenSet.fromArray` is static. */
function createIndex(invertedIndex: Record<string, object>, fieldVectors: Record<string, lunr.Vector>): lunr.Index {
  const { fromArray } = lunr.TokenSet as unknown as { fromArray(words: string[]): lunr.TokenSet };
  const tokenSet = fromArray(Object.keys(invertedIndex).sort());
  const attributes = { invertedIndex, fieldVectors, tokenSet, fields: [...FIELDS], pipeline: new lunr.Pipeline() };
  return new lunr.Index(attributes as unknown as lunr.Index.Attributes);
}

/** BM25's share of a term's frequency, between 0 and k1 + 1. */
function saturate(count: number, norm: number, k1: number): number {
  return ((k1 + 1) * count) / (norm + count);
}

/** A term to search for: its weight in the issue, how rare it is, and how many files hold it. */
interface SearchTerm {
  readonly term: string;
  readonly weight: number;
  readonly idf: number;
  readonly holders: number;
}

/**
 * The terms that are in the files at all, the `most` telling of them first: the rarer, and the more weight, the more
 * telling. A long issue is ranked as well by 40 of its terms as by all, in a third of the time.
 */
function chooseTerms(files: readonly IndexedFile[], terms: ReadonlyMap<string, number>, most: number): SearchTerm[] {
  const names = [...terms.keys()];
  const counts = countHolders(files, names);
  return names
    .map((term, i): SearchTerm => {
      const holders = counts[i] as number;
      const idf = Math.log(1 + (files.length - holders + 0.5) / (holders + 0.5));
      return { term, weight: terms.get(term) ?? 0, idf, holders };
    })
    .filter(({ holders }) => holders > 0)
    .sort((a, b) => b.weight * b.idf - a.weight * a.idf || (a.term < b.term ? -1 : 1))
    .slice(0, most);
}
