import { MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";

/** One workflow that is running in this process. */
export interface ActiveRun {
  readonly id: string;
  /** aborts when the process stops, or the run is no longer ours */
  readonly signal: AbortSignal;
  /** Ends the run in this process only: it was cancelled or taken over. */
  lose(reason: Error): void;
}

/** The work that runs in this process; lets go of it without recording an end. */
export interface Suspension {
  readonly stopping: boolean;
  readonly active: ReadonlyMap<string, ActiveRun>;
  /**
   * Runs a workflow's body. While stopping it never throws: the workflow stays unfinished in the database, and the next
   * start goes on with it.
   */
  run<T>(id: string, body: (run: ActiveRun) => Promise<T>): Promise<T>;
  /** Counts a step of a run as running, until the returned function is called. */
  begin(id: string): () => void;
  /** Resolves when no step of the run is running. */
  rest(id: string): Promise<void>;
  /** Asks all work to stop; resolves when no step is running. */
  suspend(): Promise<void>;
}

/** Makes the suspension of one engine. */
export function createSuspension(): Suspension {
  const stop = new AbortController();
  const active = new Map<string, ActiveRun>();
  const waiting: { readonly id: string | undefined; readonly done: () => void }[] = [];
  const steps: string[] = [];
  const atRest = (id: string | undefined) => (id === undefined ? steps.length === 0 : !steps.includes(id));
  const restOf = (id: string | undefined) =>
    atRest(id) ? Promise.resolve() : new Promise<void>((done) => waiting.push({ id, done }));

  return {
    active,
    get stopping() {
      return stop.signal.aborted;
    },
    async run(id, body) {
      const { run, lost } = activeRun(id, stop.signal);
      active.set(id, run);
      try {
        return await Promise.race([body(run), lost]);
      } catch (error) {
        if (stop.signal.aborted) return await suspended();
        throw error;
      } finally {
        if (active.get(id) === run) active.delete(id);
      }
    },
    begin(id) {
      steps.push(id);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        steps.splice(steps.indexOf(id), 1);
        for (const rest of waiting.splice(0)) {
          if (atRest(rest.id)) rest.done();
          else waiting.push(rest);
        }
      };
    },
    rest: (id) => restOf(id),
    suspend() {
      stop.abort(new MagisError("RUN_CANCELLED", "MAGIS is stopping; the run goes on at the next start."));
      return restOf(undefined);
    },
  };
}

function activeRun(id: string, stop: AbortSignal): { run: ActiveRun; lost: Promise<never> } {
  const own = new AbortController();
  let reject: (reason: Error) => void = () => undefined;
  const lost = new Promise<never>((_resolve, fail) => {
    reject = fail;
  });
  lost.catch(() => undefined);
  const lose = (reason: Error) => {
    own.abort(new MagisError("RUN_CANCELLED", "The run was cancelled, or another machine has taken it over."));
    reject(reason);
  };
  return { run: { id, signal: AbortSignal.any([stop, own.signal]), lose }, lost };
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
