import { readList } from "../data/own-files.ts";
import type { FileGroup } from "./path-rules.ts";
import { collectPostings, getOrMake, type Posting } from "./postings.ts";
import type { BytePlace, Candidate, Evidence, IndexedFile, IssueText, TextWeights } from "./ranking-types.ts";
import { readMentions } from "./read-mentions.ts";
import { scoreMentions } from "./score-mentions.ts";
import { issueTerms } from "./token-cache.ts";

/** Tuned on the repositories that bench/RANKING.md names, and on no other. */
const TEXT_WEIGHTS: TextWeights = { k1: 1.5, b: 0.55, path: 1.5, mostTerms: 40 };

/** What the score of a file that is no source is multiplied with, and of one that the title asks for. */
const OTHERS_WEIGHT = 0.3;

const WANTED_WEIGHT = 0.9;

/**
 * The files of a commit that an issue is most likely about, best first; equal scores by path, so that the order is the
 * same on every machine. Takes any text as the issue. Gives at most `limit` candidates, each with a term of the issue
 * or a mention in it. Never throws. (Paper, section 3.2: locating by BM25.)
 */
export function rankFiles(input: {
  /** the commit's files from `indexTree` */
  files: readonly IndexedFile[];
  issue: IssueText;
  limit: number;
}): Candidate[] {
  const { files, issue, limit } = input;
  const text = scoreText(files, issueTerms(issue), TEXT_WEIGHTS);
  const mentions = scoreMentions(files, readMentions(issue));
  const wanted = new Set(ABOUT.filter(({ pattern }) => pattern.test(issue.title)).map(({ group }) => group));
  const weightOf = (group: FileGroup) => {
    if (group === "source") return 1;
    return wanted.has(group) ? WANTED_WEIGHT : OTHERS_WEIGHT;
  };
  const best = text.reduce((most, { score }) => Math.max(most, score), 0) || 1;
  const scores = new Float64Array(files.length);
  for (const { file, score } of mentions) scores[file] = (scores[file] as number) + score;
  for (const { file, score } of text) scores[file] = (scores[file] as number) + score / best;
  files.forEach(({ group }, place) => {
    scores[place] = (scores[place] as number) * weightOf(group);
  });
  const shown = placesByScore(files, scores).slice(0, limit);
  const why = new Map(shown.map((place): [number, Evidence[]] => [place, []]));
  for (const evidence of [...mentions, ...text]) why.get(evidence.file)?.push(evidence);
  return shown.map((place) => {
    const { path, blob, group } = files[place] as IndexedFile;
    const evidence = why.get(place) ?? [];
    return {
      path,
      blob,
      score: scores[place] as number,
      group,
      reasons: reasonsOf(evidence, group, weightOf(group)),
      best: evidence.find((one) => one.best)?.best,
    };
  });
}

/** Indexes of the files that have a score, best first. */
function placesByScore(files: readonly IndexedFile[], scores: Float64Array): number[] {
  const places: number[] = [];
  scores.forEach((score, place) => {
    if (score > 0) places.push(place);
  });
  const pathOf = (place: number) => (files[place] as IndexedFile).path;
  return places.sort((a, b) => (scores[b] as number) - (scores[a] as number) || (pathOf(a) < pathOf(b) ? -1 : 1));
}

function reasonsOf(evidence: readonly Evidence[], group: string, weight: number): string[] {
  return [...new Set(evidence.map(({ reason }) => reason()))]
    .slice(0, 6)
    .concat(weight < 1 ? [`${group} file, weight ${weight}`] : []);
}

/** Titles that say the issue is about the files of a group. */
const ABOUT = readList("titles").map((line) => {
  const [group = "", words = ""] = line.split(": ");
  return { group: group as FileGroup, pattern: new RegExp(`\\b(?:${words.replaceAll(", ", "|")})\\b`, "i") };
});

/**
 * BM25 of the files against the terms (weights by term). Gives files that have any of the terms, unordered.
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
  /** the file's index in the list given */
  of: number;
  part?: BytePlace;
}

/** How many of the best parts of a large file are reported. */
const BEST_PARTS = 3;

/** A file's score is that of its best part. */
function bestOfFiles(documents: readonly Document[], found: readonly Evidence[]): Evidence[] {
  const byFile = new Map<number, { evidence: Evidence; best: BytePlace[] }>();
  const bestFirst = [...found].sort((a, b) => b.score - a.score || a.file - b.file);
  for (const evidence of bestFirst) {
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
  const scores = addUp(files, search, weights);
  const found: Evidence[] = [];
  for (let file = 0; file < files.length; file++) {
    const score = scores[file] as number;
    if (score === 0) continue;
    found.push({ file, score, reason: () => `BM25 ${score.toFixed(1)}, terms: ${heldBy(file, search).join(", ")}` });
  }
  return found;
}

/** The first few of the terms that a file holds. */
function heldBy(file: number, search: readonly SearchTerm[]): string[] {
  return search
    .filter(({ posting }) => posting.files.includes(file))
    .slice(0, MAX_NAMED_TERMS)
    .map(({ term }) => term);
}

const MAX_NAMED_TERMS = 5;

/**
 * Each file's sum over the terms: BM25 of the text, plus what the term is worth in the path.
 */
function addUp(files: readonly IndexedFile[], search: readonly SearchTerm[], weights: TextWeights): Float64Array {
  const { k1, b } = weights;
  const mean = files.reduce((sum, { tokens }) => sum + tokens.length, 0) / files.length || 1;
  const norms = Float64Array.from(files, ({ tokens }) => k1 * (1 - b + (b * tokens.length) / mean));
  const scores = new Float64Array(files.length);
  for (const { weight, idf, posting } of search) {
    posting.files.forEach((file, i) => {
      const text = saturate(posting.text[i] as number, norms[file] as number, k1);
      const path = saturate(posting.path[i] as number, k1, k1);
      const score = text + weights.path * path;
      scores[file] = (scores[file] as number) + weight * idf * score;
    });
  }
  return scores;
}

/** BM25's share of a term's frequency, between 0 and k1 + 1. */
function saturate(count: number, norm: number, k1: number): number {
  return ((k1 + 1) * count) / (norm + count);
}

/** A search term: its weight in the issue, how rare it is, and which files hold it. */
interface SearchTerm {
  term: string;
  weight: number;
  idf: number;
  posting: Posting;
}

/**
 * The `most` significant of the terms that any file holds, by weight and rarity. Of a long issue, 40 terms rank as well
 * as all.
 */
function chooseTerms(files: readonly IndexedFile[], terms: ReadonlyMap<string, number>, most: number): SearchTerm[] {
  const postings = collectPostings(files, [...terms.keys()]);
  return [...terms]
    .map(([term, weight], i): SearchTerm => {
      const posting = postings[i] as Posting;
      const holders = posting.files.length;
      const idf = Math.log(1 + (files.length - holders + 0.5) / (holders + 0.5));
      return { term, weight, idf, posting };
    })
    .filter(({ posting }) => posting.files.length > 0)
    .sort((a, b) => b.weight * b.idf - a.weight * a.idf || (a.term < b.term ? -1 : 1))
    .slice(0, most);
}
