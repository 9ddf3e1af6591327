/** One line on a run that went on with a pull request: a review that was answered, checks that were repaired. */
export interface FollowUp {
  /** id of the run; a run has one line */
  readonly run: string;
  /** what it was, in plain words: `Review by ana: 3 threads` */
  readonly what: string;
  /** what came of it, in plain words */
  readonly outcome: string;
  /** review threads that were unresolved after it */
  readonly open: number;
  /** US dollars */
  readonly money: number;
}
