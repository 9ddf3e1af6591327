/** A task that is done again and again. */
export interface Repetition {
  /** Does the task soon, without waiting for its time. */
  now(): void;
  /** Ends the repetition; resolves when a task under way has ended. */
  stop(): Promise<void>;
}

/**
 * Does `task` at once and then `ms` milliseconds after each end of it, never twice at a time. A failure goes to `onError` and
 * the repetition goes on. Does not keep the process alive.
 */
export function repeatEvery(ms: number, task: () => Promise<void>, onError: (error: unknown) => void): Repetition {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let again = false;
  let running: Promise<void> | undefined;

  const run = () => {
    clearTimeout(timer);
    if (stopped) return;
    if (running !== undefined) {
      again = true;
      return;
    }
    again = false;
    running = task()
      .catch((error: unknown) => {
        if (!stopped) onError(error);
      })
      .finally(() => {
        running = undefined;
        if (stopped) return;
        timer = setTimeout(run, again ? 0 : ms);
        timer.unref();
      });
  };
  run();
  return {
    now: run,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
