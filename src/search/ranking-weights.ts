import type { FileGroup } from "./file-kind.ts";

/** BM25's two constants, what a term in the path and in a declared name is worth, and how much is searched at most. */
export interface TextWeights {
  readonly k1: number;
  readonly b: number;
  readonly path: number;
  readonly definitions: number;
  readonly mostTerms: number;
  readonly mostFiles: number;
}

/** What each kind of mention is worth, where the best text score is 1, and the most that all can add to one file. */
export interface MentionWeights {
  readonly frame: number;
  readonly path: number;
  readonly module: number;
  readonly symbol: number;
  readonly most: number;
}

/** What the score of a file of each group is multiplied with. */
export type GroupWeights = Readonly<Record<FileGroup, number>>;

export interface RankingWeights {
  readonly text: TextWeights;
  readonly mentions: MentionWeights;
  readonly groups: GroupWeights;
}

/** Tuned on the repositories that bench/RANKING.md names, and on no other. */
export const RANKING_WEIGHTS: RankingWeights = {
  text: { k1: 1.5, b: 0.55, path: 1.5, definitions: 0.6, mostTerms: 40, mostFiles: 1_000 },
  mentions: { frame: 1, path: 1, module: 0.35, symbol: 0.3, most: 2 },
  groups: {
    source: 1,
    config: 0.5,
    example: 0.4,
    data: 0.3,
    other: 0.4,
    test: 0.3,
    documentation: 0.25,
    fixture: 0.15,
    locale: 0.15,
  },
};
