/** A file that the Custodian holds to be relevant (Algorithm 1), without its content. */
export interface Candidate {
  readonly path: string;
  /** git blob id at the run's commit */
  readonly blob: string;
  readonly score: number;
  /** why it was found, in words */
  readonly reasons: readonly string[];
  readonly summary: string;
  /** declarations in it that matter most, as the Custodian names them */
  readonly names?: readonly string[];
  /** `read`: others should know it, but it need not change itself; absent: it may have to change */
  readonly use?: "read";
}
