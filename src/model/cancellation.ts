import { MagisError } from "./error.ts";

/** What asks a process to end: Ctrl-C, a service manager, a terminal that is closed. */
export const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type Verb = (...values: unknown[]) => unknown;

/**
 * `target` whose asynchronous methods throw RUN_CANCELLED once `signal` has aborted, so that work that is ended stops
 * between two of its writes. Calls to the methods in `reads` are not waited for either; a write that is under way is,
 * because it may yet take effect. Methods in `immediate` give no promise and are left as they are.
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

/** RUN_CANCELLED: the caller gave the run up. */
export function cancelled(): MagisError {
  return new MagisError("RUN_CANCELLED", "The run was cancelled.");
}

/** `work`'s outcome, or RUN_CANCELLED as soon as `signal` aborts; `work` itself goes on. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(cancelled());
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
