import { AsyncLocalStorage } from "node:async_hooks";
import { cancelled, untilAborted } from "../data/cancellation.ts";

type Verb = (...values: unknown[]) => unknown;

const SIGNAL = new AsyncLocalStorage<AbortSignal | undefined>();

/**
 * `target` whose asynchronous methods throw RUN_CANCELLED once `signal` has aborted, so that cancelled work stops
 * between two writes. Requests to GitHub within them stop waiting for an answer that they only read; a write under way
 * is awaited, because it may still take effect. Methods in `immediate` are synchronous and stay as they are.
 */
export function abortable<T extends object>(target: T, signal: AbortSignal, immediate: readonly (keyof T)[] = []): T {
  const free = new Set<PropertyKey>(immediate);
  return new Proxy(target, {
    get(own, key) {
      const value: unknown = Reflect.get(own, key);
      if (typeof value !== "function" || free.has(key)) return value;
      return async (...values: unknown[]) => {
        if (signal.aborted) throw cancelled();
        return SIGNAL.run(signal, () => (value as Verb).apply(own, values));
      };
    },
  });
}

/** Throws RUN_CANCELLED where the caller's work has aborted meanwhile. For what waits before it writes. */
export function stopIfAborted(): void {
  if (SIGNAL.getStore()?.aborted) throw cancelled();
}

/** `reading`, given up with RUN_CANCELLED as soon as the caller's work has aborted. */
export function abandonable<T>(reading: Promise<T>): Promise<T> {
  const signal = SIGNAL.getStore();
  return signal ? untilAborted(reading, signal) : reading;
}

/** Does work that other runs may wait for, too, so that it outlasts the caller's; the caller alone gives it up. */
export const shared = <T>(work: () => Promise<T>): Promise<T> => abandonable(SIGNAL.run(undefined, work));
