/** One instance of SWE-bench: an issue, the commit it was reported at, and the change that resolved it. */
export interface Instance {
  readonly id: string;
  /** `owner/name` */
  readonly repository: string;
  /** 40 hex digits */
  readonly baseCommit: string;
  /** the issue: its first line is its title */
  readonly problem: string;
  /** the discussion before the fix began; "" when there was none */
  readonly hints: string;
  /** the reference change; "" when the issue needs none */
  readonly patch: string;
  readonly testPatch: string;
  readonly failToPass: readonly string[];
  readonly passToPass: readonly string[];
  /** "" when it is not given */
  readonly createdAt: string;
  readonly version: string;
}
