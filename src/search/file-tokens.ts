import type { IdentifierTable } from "./identifier-table.ts";

/** What ranking keeps of a file's text. Everything is by number in `table`; nothing depends on the file's path. */
export interface FileTokens {
  readonly table: IdentifierTable;
  /**
   * Up to `countsEnd`: identifier, how often, identifier, how often, … in the order of first appearance.
   * From there: the identifiers the file declares. One array, because tens of thousands of small ones are slow to make.
   */
  readonly data: Int32Array;
  readonly countsEnd: number;
  /** occurrences of identifiers in all */
  readonly length: number;
}
