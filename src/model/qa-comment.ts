/** One comment of a QA Engineer on a change (P11). */
export interface QaComment {
  /** `t1-r1-1`: task, round, number */
  readonly id: string;
  readonly taskId: string;
  /** 1-based round of review that made it */
  readonly round: number;
  readonly path: string;
  /** 1-based line in the file as the run leaves it; absent: about the file as a whole */
  readonly line?: number;
  readonly body: string;
  readonly status: "open" | "settled";
  /** the Developer's answer from the round that followed, if there was one */
  readonly reply?: string;
}

/** One round of Algorithm 3: what the Developer wrote and what its QA Engineer said. */
export interface Attempt {
  /** 1-based */
  readonly round: number;
  /** unified diff of the task's file against its state before the task */
  readonly diff: string;
  /** why the attempt did not reach the QA Engineer (wrong intervals, a broken file) */
  readonly rejected?: string;
  readonly approved: boolean;
  /** the QA Engineer's comment in a sentence or two */
  readonly verdict: string;
}
