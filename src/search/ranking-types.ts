import type { IdentifierTable } from "./identifier-table.ts";
import type { FileGroup } from "./path-rules.ts";

/** What is to be found: the issue as it stands, and further search terms (from a model, from a person). */
export interface IssueText {
  title: string;
  body: string;
  hints?: readonly string[];
}

/** One file of the commit, read and counted. `path` and content tokens are apart because a blob can stand twice. */
export interface IndexedFile {
  path: string;
  blob: string;
  group: FileGroup;
  /** of a file that has `parts` only its length: its words are theirs */
  tokens: FileTokens;
  pathTokens: FileTokens;
  /** of a large file, in its order; each is searched as if it were a file */
  parts?: readonly FilePart[];
}

/** A part of a large file. */
export interface FilePart {
  place: BytePlace;
  tokens: FileTokens;
}

/** A place in a file, in bytes. */
export interface BytePlace {
  start: number;
  /** exclusive */
  end: number;
}

/** A file that may have to change, with the reasons in words. The best text score is worth 1. */
export interface Candidate {
  path: string;
  blob: string;
  score: number;
  group: FileGroup;
  reasons: readonly string[];
  /** of a large file the few parts that have most to do with the issue, best first; absent where none has */
  best?: readonly BytePlace[];
}

/** A score for the file at place `file` of the list that was scored; why, in words, is made only for files shown. */
export interface Evidence {
  file: number;
  score: number;
  reason: () => string;
  /** of a file that was searched by its parts the best of these, best first */
  best?: readonly BytePlace[];
}

/** BM25's two constants, what a term in the path is worth, and how many terms are searched. */
export interface TextWeights {
  k1: number;
  b: number;
  path: number;
  mostTerms: number;
}

/** What ranking keeps of a file's text. Everything is by number in `table`; nothing depends on the file's path. */
export interface FileTokens {
  table: IdentifierTable;
  /** identifier, how often, identifier, how often, … One array: tens of thousands of small ones are slow to make. */
  counts: Int32Array;
  /** occurrences of identifiers in all */
  length: number;
}
