/** What a phase is given: `signal` aborts when the run is cancelled or the process is asked to stop. */
export interface StepContext {
  readonly signal: AbortSignal;
}

/**
 * Runs a checkpointed step. Its output is kept: after a crash a finished step is not run again, an unfinished one is
 * run from its beginning. Names come in the same order on every replay; outputs are plain data under 1 MB.
 */
export type Step = <T>(name: string, body: (context: StepContext) => Promise<T>) => Promise<T>;
