import type { IdentifierTable } from "./identifier-table.ts";
import type { FileGroup } from "./path-rules.ts";

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
  /** of a file that has `parts` only its length: its words are theirs */
  readonly tokens: FileTokens;
  readonly pathTokens: FileTokens;
  /** of a large file, in its order; each is searched as if it were a file */
  readonly parts?: readonly FilePart[];
}

/** A part of a large file. */
export interface FilePart {
  readonly place: BytePlace;
  readonly tokens: FileTokens;
}

/** A place in a file, in bytes. */
export interface BytePlace {
  readonly start: number;
  /** exclusive */
  readonly end: number;
}

/** A file that may have to change, with the reasons in words. The best text score is worth 1. */
export interface Candidate {
  readonly path: string;
  readonly blob: string;
  readonly score: number;
  readonly group: FileGroup;
  readonly reasons: readonly string[];
  /** of a large file the few parts that have most to do with the issue, best first; absent where none has */
  readonly best?: readonly BytePlace[];
}

/** A score for the file at place `file` of the list that was scored; why, in words, is made only for files shown. */
export interface Evidence {
  readonly file: number;
  readonly score: number;
  readonly reason: () => string;
  /** of a file that was searched by its parts the best of these, best first */
  readonly best?: readonly BytePlace[];
}

/** BM25's two constants, what a term in the path is worth, and how many terms are searched. */
export interface TextWeights {
  readonly k1: number;
  readonly b: number;
  readonly path: number;
  readonly mostTerms: number;
}

/** What ranking keeps of a file's text. Everything is by number in `table`; nothing depends on the file's path. */
export interface FileTokens {
  readonly table: IdentifierTable;
  /** identifier, how often, identifier, how often, … One array: tens of thousands of small ones are slow to make. */
  readonly counts: Int32Array;
  /** occurrences of identifiers in all */
  readonly length: number;
}
