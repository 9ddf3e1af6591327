export const EVALUATION_ABLATIONS = ["qa", "hints", "meeting", "memory", "tools", "map"] as const;
export type EvaluationAblation = (typeof EVALUATION_ABLATIONS)[number];

/** What `magis eval` is asked for; what is absent is as the environment has it. */
export interface EvaluationOptions {
  /** file of SWE-bench instances */
  readonly instances?: string;
  /** folder of the repositories' clones */
  readonly mirrors?: string;
  /** folder of the results */
  readonly output: string;
  readonly filter?: string;
  readonly limit?: number;
  /** instances that are worked on at the same time */
  readonly jobs: number;
  /** US dollars for all instances together */
  readonly budget?: number;
  /** US dollars that one instance may use */
  readonly instanceBudget?: number;
  readonly ablate: readonly EvaluationAblation[];
  /** where the candidates come from when not from the Custodian: the reference change, or plain BM25 */
  readonly files?: "gold" | "bm25";
  readonly profile?: "lean" | "paper";
  readonly candidates?: number;
  readonly rounds?: number;
  readonly model?: string;
  readonly fastModel?: string;
  readonly judge: boolean;
  readonly judgeModel?: string;
  /** command that grades the predictions */
  readonly grade?: string;
  /** file with a grader's result */
  readonly results?: string;
  /** folders of other results to stand beside these in the report */
  readonly compare: readonly string[];
  readonly reportOnly: boolean;
  /** the results that are in `output` are thrown away first */
  readonly fresh: boolean;
  /** the command line as the report shows it */
  readonly commandLine: string;
}
