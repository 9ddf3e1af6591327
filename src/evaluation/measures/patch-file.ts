/** Lines of a hunk that stand together and went or came: what is between two stretches of context. */
export interface ChangeRun {
  /** 1-based line of the old file at which it begins; a pure insertion stands before this line */
  readonly oldStart: number;
  /** lines that went */
  readonly removed: readonly string[];
  /** lines that came */
  readonly added: readonly string[];
  /** 1-based line of the new file at which it begins */
  readonly newStart: number;
  /** a context line follows in the hunk; undefined in a hunk without any context */
  readonly followed: boolean | undefined;
}

export interface PatchHunk {
  /** what stands behind the second `@@`: git's guess at the function around; "" when nothing does */
  readonly heading: string;
  readonly runs: readonly ChangeRun[];
}

/** What a patch does to one file. */
export interface PatchFile {
  /** path before the change; undefined for a file that is created */
  readonly oldPath: string | undefined;
  /** path after the change; undefined for a file that is deleted */
  readonly newPath: string | undefined;
  /** none for a change of mode or name only, and for a binary file */
  readonly hunks: readonly PatchHunk[];
}
