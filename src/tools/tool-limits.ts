/** How much one call of a tool may do and give. How often tools may be called is for the caller to say. */
export interface ToolLimits {
  /** of a result, in characters */
  readonly characters: number;
  /** of a result of `read`, in characters, all its places together */
  readonly readCharacters: number;
  /** lines of one place that `read` gives */
  readonly lines: number;
  /** lines that `search` and `find_references` show, and declarations that `find_symbol` shows */
  readonly matches: number;
  /** of those, in one file when there are several */
  readonly matchesPerFile: number;
  /** entries that `list` shows */
  readonly entries: number;
  /** a line is shown up to here, in characters */
  readonly lineCharacters: number;
  /** larger files are not searched, in bytes */
  readonly fileBytes: number;
  /** work of one `search`: bytes looked at, those that meet a long pattern counted more than once */
  readonly searchedBytes: number;
  /** work of one `find_symbol` or `find_references`: bytes parsed */
  readonly parsedBytes: number;
}

export const DEFAULT_LOOKUP_LIMITS: ToolLimits = {
  characters: 6_000,
  readCharacters: 12_000,
  lines: 250,
  matches: 60,
  matchesPerFile: 12,
  entries: 150,
  lineCharacters: 240,
  fileBytes: 1_000_000,
  searchedBytes: 200_000_000,
  parsedBytes: 3_000_000,
};
