import { issueTerms } from "./file-indexer.ts";
import type { FileGroup } from "./path-rules.ts";
import {
  type Candidate,
  type Evidence,
  type GroupWeights,
  type IndexedFile,
  type IssueText,
  RANKING_WEIGHTS,
  type RankingWeights,
} from "./ranking-types.ts";
import { readMentions } from "./read-mentions.ts";
import { scoreMentions } from "./score-mentions.ts";
import { scoreText } from "./score-text.ts";

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
      return { path, blob, score, group, reasons: reasonsOf(why, group, groups[group]) };
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
