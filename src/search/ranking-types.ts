import type { FileGroup } from "./file-kind.ts";
import type { FileTokens } from "./file-tokens.ts";

/** What is to be found: the issue as it stands, and further search terms (from a model, from a person). */
export interface IssueText {
  readonly title: string;
  readonly body: string;
  readonly hints?: readonly string[];
}

/** One file of the commit, read and counted. `path` and content tokens are apart because a blob can stand twice. */
export interface IndexedFile {
  readonly path: string;
  readonly blob: string;
  readonly group: FileGroup;
  readonly tokens: FileTokens;
  readonly pathTokens: FileTokens;
}

/** A file that may have to change, with the reasons in words. The best text score is worth 1. */
export interface Candidate {
  readonly path: string;
  readonly blob: string;
  readonly score: number;
  readonly group: FileGroup;
  readonly reasons: readonly string[];
}

/** A score for the file at place `file` of the list that was scored; why, in words, is made only for files shown. */
export interface Evidence {
  readonly file: number;
  readonly score: number;
  readonly reason: () => string;
}
