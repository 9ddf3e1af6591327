/** A signal that aborts with another one, or when time is up. */
interface Deadline {
  readonly signal: AbortSignal;
  /** it was the time, not the other signal */
  passed(): boolean;
  /** lets go of timer and listener */
  close(): void;
}

/** A longer timer than this fires at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** Aborts when `timeLeft` (milliseconds) comes to zero, or with `outer`. */
export function startDeadline(timeLeft: () => number, outer: AbortSignal): Deadline {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const check = (): void => {
    const left = timeLeft();
    if (left > 0) {
      timer = setTimeout(check, Math.min(Math.ceil(left), MAX_TIMER));
      return;
    }
    over = !outer.aborted;
    abort();
  };
  if (outer.aborted) abort();
  outer.addEventListener("abort", abort, { once: true });
  check();
  return {
    signal: controller.signal,
    passed: () => over,
    close: () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", abort);
    },
  };
}
