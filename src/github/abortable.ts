import { AsyncLocalStorage } from "node:async_hooks";
import { cancelled, untilAborted } from "../data/cancellation.ts";

type Verb = (...values: unknown[]) => unknown;

const SIGNAL = new AsyncLocalStorage<AbortSignal>();

/** Throws RUN_CANCELLED where the caller's work has aborted meanwhile (`abortable`). For what waits before it acts. */
export function stopIfAborted(): void {
  if (SIGNAL.getStore()?.aborted) throw cancelled();
}

/**
 * `target` whose asynchronous methods throw RUN_CANCELLED once `signal` has aborted, so that cancelled work stops
 * between two writes. Methods in `reads` throw at once, even when under way; a write under way is awaited, because it
 * may still take effect, unless it still waits for its turn (`stopIfAborted`). Methods in `immediate` are synchronous
 * and stay as they are.
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
        const work = SIGNAL.run(signal, () => (value as Verb).apply(own, values));
        return raced.has(key) ? untilAborted(Promise.resolve(work), signal) : work;
      };
    },
  });
}
