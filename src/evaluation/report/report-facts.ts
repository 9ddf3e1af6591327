import type { InstanceMetrics } from "../measures/instance-metrics.ts";
import type { Grading } from "../measures/parse-grading.ts";
import type { Totals } from "../measures/totals-of.ts";
import type { Configuration } from "../results/result-folder.ts";

/** Results of another folder, to stand beside these. */
export interface ComparedResults {
  readonly name: string;
  readonly configuration: Configuration;
  readonly totals: Totals;
}

/** All that a report is made of. */
export interface ReportFacts {
  /** ISO 8601: when the evaluation began, and when the report was made */
  readonly began: string;
  readonly made: string;
  readonly version: string;
  /** what it ran on, e.g. `Node 24.21.0` */
  readonly runtime: string;
  readonly commandLine: string;
  readonly configuration: Configuration;
  readonly metrics: readonly InstanceMetrics[];
  readonly totals: Totals;
  readonly grading: Grading | undefined;
  /** ids of instances that were asked for and are not finished, with the reason */
  readonly unfinished: ReadonlyMap<string, string>;
  /** US dollars of everything, attempts without a result and the judge included */
  readonly spent: number;
  readonly compared: readonly ComparedResults[];
}
