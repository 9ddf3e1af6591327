import type { RunState } from "../../model/run-state.ts";
import type { Log } from "../../ports/log.ts";

/** How long a state waits to be shown, so that those that follow it are shown with it. */
const SHOW_AFTER_MS = 1_000;

export interface StateWriting {
  /** Keeps a state. */
  readonly keep: (state: RunState) => Promise<void>;
  /** Writes a state into the tracking comment. `isNew`: the comment was made for it, and its id must be kept. */
  readonly show: (state: RunState) => Promise<{ readonly isNew: boolean }>;
  readonly log: Log;
  /** The run's state now. */
  readonly current: () => RunState;
}

interface StateWriter {
  /** Resolves once the state, or a later one, is kept. A failure is logged. */
  keep(): Promise<void>;
  /** Shows, a second later, the state of that moment. The run does not wait for it, and states between are not shown. */
  showSoon(): void;
  /** Resolves once the state, or a later one, is shown. A failure is logged. */
  showNow(): Promise<void>;
  /** Keeps the state, then shows it. Throws when one of them fails. */
  showOrThrow(): Promise<void>;
  /** Once `signal` aborts, nothing is shown that was to be shown soon. */
  until(signal: AbortSignal): void;
}

/**
 * Makes what keeps and shows a run's state. Each of the two is done once at a time, and with the state of that moment.
 */
export function createStateWriter({ keep, show, log, current }: StateWriting): StateWriter {
  let keeping: Promise<void> | undefined;
  let isKept = true;
  let toCome: NodeJS.Timeout | undefined;
  let showing = Promise.resolve();
  let over: AbortSignal | undefined;

  async function keepAll(): Promise<void> {
    while (!isKept) {
      isKept = true;
      await keep(current()).catch((error: unknown) => log.warn({ error }, "the run's state could not be kept"));
    }
    keeping = undefined;
  }
  function keepNow(): Promise<void> {
    isKept = false;
    keeping ??= keepAll();
    return keeping;
  }
  async function showCurrent(): Promise<void> {
    const { isNew } = await show(current());
    if (isNew) await keepNow();
  }
  function showNow(): Promise<void> {
    forget();
    showing = showing
      .then(showCurrent)
      .catch((error: unknown) => log.warn({ error }, "the tracking comment could not be updated"));
    return showing;
  }
  function forget(): void {
    clearTimeout(toCome);
    toCome = undefined;
  }
  return {
    keep: keepNow,
    showNow,
    showSoon() {
      toCome ??= setTimeout(() => (over?.aborted ? forget() : showNow()), SHOW_AFTER_MS).unref();
    },
    until(signal) {
      over = signal;
    },
    async showOrThrow() {
      forget();
      await showing;
      await keeping;
      await keep(current());
      await showCurrent();
    },
  };
}
