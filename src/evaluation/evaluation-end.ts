/** How an evaluation ended. Instances that are not finished are run by the same command given again. */
export interface EvaluationEnd {
  readonly kind: "done" | "failed" | "budget" | "interrupted";
  /** for people, one sentence or more a line */
  readonly text: string;
}
