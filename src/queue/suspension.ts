import { MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";

/** One workflow that is running in this process. */
export class ActiveRun {
  readonly id: string;
  /** aborts when the process stops, or the run is no longer ours */
  readonly signal: AbortSignal;
  /** rejects when the run is no longer ours */
  readonly lost: Promise<never>;
  private readonly own = new AbortController();
  private rejectLost: (reason: Error) => void = () => undefined;

  constructor(id: string, stop: AbortSignal) {
    this.id = id;
    this.signal = AbortSignal.any([stop, this.own.signal]);
    this.lost = new Promise<never>((_, reject) => {
      this.rejectLost = reject;
    });
    this.lost.catch(() => undefined);
  }

  /** Ends the run in this process only: it was cancelled or taken over. */
  lose(reason: Error): void {
    this.own.abort(new MagisError("RUN_CANCELLED", "The run was cancelled, or another machine has taken it over."));
    this.rejectLost(reason);
  }
}

/** The work that runs in this process; lets go of it without recording an end. */
export class Suspension {
  readonly active = new Map<string, ActiveRun>();
  private readonly stop = new AbortController();
  private readonly steps = new Set<{ run: string; ended: Promise<void> }>();

  get stopping(): boolean {
    return this.stop.signal.aborted;
  }

  /**
   * Runs a workflow's body. While stopping it never throws: the workflow stays unfinished in the database, and the next
   * start goes on with it.
   */
  async run<T>(id: string, body: (run: ActiveRun) => Promise<T>): Promise<T> {
    const run = new ActiveRun(id, this.stop.signal);
    this.active.set(id, run);
    try {
      return await Promise.race([body(run), run.lost]);
    } catch (error) {
      if (this.stopping) return await suspended();
      throw error;
    } finally {
      if (this.active.get(id) === run) this.active.delete(id);
    }
  }

  /** Counts a step of a run as running, until the returned function is called. */
  begin(run: string): () => void {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const step = { run, ended };
    this.steps.add(step);
    return () => {
      this.steps.delete(step);
      end();
    };
  }

  /** Resolves when the steps that are running have ended: those of a run, or all. A run that is lost begins no other. */
  async rest(run?: string): Promise<void> {
    await Promise.all([...this.steps].flatMap((step) => (run === undefined || step.run === run ? step.ended : [])));
  }

  /** Asks all work to stop; resolves when no step is running. */
  suspend(): Promise<void> {
    this.stop.abort(new MagisError("RUN_CANCELLED", "MAGIS is stopping; the run goes on at the next start."));
    return this.rest();
  }
}

/** Drops a run that another machine has taken over or somebody has cancelled, whichever way that is noticed. */
export function dropRun(run: ActiveRun, reason: Error, log: Log): void {
  if (!run.signal.aborted) log.info({ run: run.id }, "the run was cancelled or taken over; it is dropped here");
  run.lose(reason);
}

/** A promise that never settles: whatever awaits it stays unfinished until the process ends. */
export function suspended<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

/**
 * Waits for `work`, at most `ms` milliseconds; then `onLate` answers or throws. The work goes on, its result is
 * ignored.
 */
export async function within<T>(ms: number, work: Promise<T>, onLate: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), ms);
  });
  work.catch(() => undefined);
  try {
    const first = await Promise.race([work.then((value) => ({ value })), late]);
    return first === "late" ? onLate() : first.value;
  } finally {
    clearTimeout(timer);
  }
}
