/** One small text a language. `use` is referred to once outside of comments and strings, on the line given. */
export interface Sample {
  path: string;
  text: string;
  /** `kind name start-end parent` of each declaration, in order */
  symbols: readonly string[];
  /** where `helper` stands as an identifier: its declaration first */
  references: readonly number[];
  /** a line of `text`, what is made of it, and the lines a fault may be told on */
  fault: { from: string; to: string; lines: readonly number[] };
}
