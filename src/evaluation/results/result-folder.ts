import type { RunReport } from "../../ports/run-report.ts";
import type { InstanceMetrics } from "../measures/instance-metrics.ts";
import type { Grading } from "../measures/parse-grading.ts";
import type { Ledger } from "./open-ledger.ts";

/** A line of `predictions.jsonl`, in SWE-bench's format. */
export interface Prediction {
  readonly instance_id: string;
  readonly model_patch: string;
  readonly model_name_or_path: string;
}

/** What decides about an evaluation's results: plain values, so that two can be compared. */
export type Configuration = Readonly<Record<string, unknown>>;

/** What a finished instance leaves behind. */
export interface FinishedInstance {
  readonly prediction: Prediction;
  readonly report: RunReport;
  readonly metrics: InstanceMetrics;
}

/** The folder of one evaluation's results. What is in it is whole, whenever the process is killed. */
export interface ResultFolder {
  readonly folder: string;
  /** of MAGIS, when the evaluation began */
  readonly version: string;
  /** ISO 8601: when the evaluation began */
  readonly began: string;
  readonly configuration: Configuration;
  readonly ledger: Ledger;
  /** The instances that are complete, by id. */
  finished(): Promise<ReadonlyMap<string, Pick<FinishedInstance, "prediction" | "metrics">>>;
  keep(instance: FinishedInstance): Promise<void>;
  grading(): Promise<Grading | undefined>;
  keepGrading(grading: Grading): Promise<void>;
  /** Writes a file of the report. */
  write(name: string, content: string): Promise<void>;
}
