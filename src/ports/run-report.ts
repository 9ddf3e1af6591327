import type { RunState } from "../model/run-state.ts";
import type { RecordedCall } from "./run-store.ts";

/** All that is known of one run, as plain data: what `magis show` shows and `magis resolve --json` prints. */
export interface RunReport {
  /** the run's id */
  readonly id: string;
  /** `owner/name`, or where a repository without a host came from */
  readonly repository: string;
  /** of the issue; absent where there is none */
  readonly number?: number;
  readonly title: string;
  /** ISO 8601 */
  readonly requestedAt: string;
  /** phases, tasks, spending, result; absent as long as the run has not begun */
  readonly state?: RunState;
  /** the parts that the phases kept: start, candidates, tasks, plan, work, commit */
  readonly record: Readonly<Record<string, unknown>>;
  /** in the order in which they were finished, failed ones too */
  readonly calls: readonly RecordedCall[];
}
