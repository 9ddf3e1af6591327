import type { RunResult } from "../model/run-result.ts";
import type { RunReport } from "../ports/run-report.ts";
import type { Instance } from "./instance.ts";

export interface SolveOptions {
  /** the mirror's folder */
  readonly folder: string;
  /** paths that take the place of the Custodian's search, best first */
  readonly candidates?: readonly string[];
  /** US dollars that it may use */
  readonly money: number;
  /** hears what has been spent so far, in US dollars */
  onSpend(money: number): void;
}

export interface Solved {
  /** for `git apply`; "" when no change came out */
  readonly patch: string;
  readonly report: RunReport;
  readonly result: RunResult;
}

/**
 * Has one instance solved by the whole workflow. Expected ends, a failed run too, are values.
 * Throws MagisError RUN_CANCELLED when the signal fires.
 */
export type SolveInstance = (instance: Instance, options: SolveOptions, signal: AbortSignal) => Promise<Solved>;
