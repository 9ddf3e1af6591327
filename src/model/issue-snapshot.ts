/**
 * The issue as it stood when the run was asked for: `q` of the paper.
 * Everything in it is untrusted; hidden text (HTML comments, zero-width and bidirectional characters) is stripped.
 */
export interface IssueSnapshot {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly url: string;
  /** discussion before the run was asked for, oldest first, bots left out: the paper's hints */
  readonly discussion: readonly { readonly author: string; readonly body: string }[];
  /** what the person who asked added to the command */
  readonly hint: string;
  /** addresses of the images that it shows, of those on the host itself */
  readonly images?: readonly string[];
}
