import { MagisError } from "./error.ts";

/** Sent by Ctrl-C, a service manager, and a terminal that closes. */
export const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type Verb = (...values: unknown[]) => unknown;

/**
 * `target` whose asynchronous methods throw RUN_CANCELLED once `signal` has aborted, so that cancelled work stops
 * between two writes. Methods in `reads` throw at once, even when under way; a write under way is awaited, because it
 * may still take effect. Methods in `immediate` are synchronous and stay as they are.
 */
export function abortable<T extends object>(
  target: T,
  signal: AbortSignal,
  { reads = [], immediate = [] }: { readonly reads?: readonly (keyof T)[]; readonly immediate?: readonly (keyof T)[] },
): T {
  const raced = new Set<PropertyKey>(reads);
  const free = new Set<PropertyKey>(immediate);
  return new Proxy(target, {
    get(own, key) {
      const value: unknown = Reflect.get(own, key);
      if (typeof value !== "function" || free.has(key)) return value;
      return async (...values: unknown[]) => {
        if (signal.aborted) throw cancelled();
        const work = (value as Verb).apply(own, values);
        return raced.has(key) ? untilAborted(Promise.resolve(work), signal) : work;
      };
    },
  });
}

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
