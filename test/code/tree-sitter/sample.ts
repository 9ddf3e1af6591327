/** One small text a language. `use` is referred to once outside of comments and strings, on the line given. */
export interface Sample {
  readonly path: string;
  readonly text: string;
  /** `kind name start-end parent` of each declaration, in order */
  readonly symbols: readonly string[];
  /** where `helper` stands as an identifier: its declaration first */
  readonly references: readonly number[];
  /** a line of `text`, what is made of it, and the lines a fault may be told on */
  readonly fault: { readonly from: string; readonly to: string; readonly lines: readonly number[] };
}
