/** A commit that last set lines of a file. */
export interface BlamedCommit {
  /** 40 hex digits */
  readonly id: string;
  /** the first line of its message, as people wrote it */
  readonly title: string;
  /** ISO 8601: when it was committed */
  readonly date: string;
  /** the author's login, or name where the host knows none */
  readonly author: string;
  /** how many files it changed, if that is known without its diff */
  readonly files?: number | undefined;
  /** it has no parent that is known, so the lines may be older */
  readonly first: boolean;
}

/** Lines of a file that one commit last set; 1-based, both inclusive. */
export interface BlamedRange {
  readonly start: number;
  readonly end: number;
  readonly commit: BlamedCommit;
}

export interface BlamedFile {
  readonly path: string;
  readonly ranges: readonly BlamedRange[];
}

/** Where lines of a repository come from. Optional: gives undefined when the answer takes too long. */
export interface BlameReads {
  /** Which commits last set the lines of these files, as they are at `commit`. */
  blame(commit: string, paths: readonly string[]): Promise<readonly BlamedFile[] | undefined>;
  /** A commit's changes as a unified diff. */
  diffOf(commit: string): Promise<string | undefined>;
}
