export interface MarkdownSegment {
  readonly kind: "text" | "code" | "comment";
  readonly text: string;
}

/** Where a scan of Markdown stands. */
export interface MarkdownScan {
  readonly text: string;
  readonly segments: MarkdownSegment[];
  /** the next character to be read */
  at: number;
  /** code can still be told from text with certainty */
  trusted: boolean;
  /** perhaps inside a block of HTML, which a blank line ends */
  html: boolean;
  /** the line begins with a tag or a comment, behind marks of lists and quotes */
  block: boolean;
  /** a backtick can only open a code span: nothing in the paragraph so far says otherwise */
  spans: boolean;
  /** `at` is behind a comment that began on an earlier line */
  inLine: boolean;
  /** no "-->" is left in the text */
  open?: boolean;
}
