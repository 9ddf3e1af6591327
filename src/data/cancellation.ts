import { MagisError } from "./error.ts";

/** Sent by Ctrl-C, a service manager, and a terminal that closes. */
export const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function cancelled(): MagisError {
  return new MagisError("RUN_CANCELLED", "The run was cancelled.");
}

/** Gives `work`'s outcome, or throws RUN_CANCELLED as soon as `signal` aborts; `work` itself goes on. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(cancelled());
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
