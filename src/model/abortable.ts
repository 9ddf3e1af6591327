import { cancelled } from "./cancelled.ts";
import { untilAborted } from "./until-aborted.ts";

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
