/** How large a change is: a row of the paper's Table 5 (appendix D). */
export interface Complexity {
  readonly files: number;
  /** functions of existing files that have a changed line, and functions of created files */
  readonly functions: number;
  readonly hunks: number;
  readonly added: number;
  readonly deleted: number;
  /** added and deleted lines together */
  readonly changed: number;
  /** first and last changed line over all files, in the file before the change; 0 when no existing line changes */
  readonly first: number;
  readonly last: number;
}

export const COMPLEXITY_FIGURES = [
  "files",
  "functions",
  "hunks",
  "added",
  "deleted",
  "changed",
  "first",
  "last",
] as const satisfies readonly (keyof Complexity)[];
