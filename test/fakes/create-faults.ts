import { setImmediate as nextTurn } from "node:timers/promises";

const WRITE = /^(create|open[A-Z]|update|reply|resolve|advance|delete|push|react|minimise|mark|report)/;

/** The death of the process: the program must never catch it and go on. */
class Crash extends Error {}

/** Makes a port fail on demand, and counts its calls. A write takes effect a turn later, as it does over a network. */
export function createFaults() {
  const refusals: { readonly method: string; readonly error: Error; left: number }[] = [];
  const calls: string[] = [];
  let writesLeft = Number.POSITIVE_INFINITY;
  let between: { left: number; readonly when: "before" | "after"; act(): Promise<void> | void } | undefined;
  return {
    calls,
    /** How often `method` was called. */
    count: (method: string) => calls.filter((call) => call === method).length,
    /** Makes the next `times` calls of `method` throw `error` before they do anything. */
    refuse(method: string, error: Error, times = Number.POSITIVE_INFINITY): void {
      refusals.push({ method, error, left: times });
    },
    /** Runs `act` right before or after the `nth` write from now. */
    atWrite(nth: number, when: "before" | "after", act: () => Promise<void> | void): void {
      between = { left: nth, when, act };
    },
    /** Kills the process right after its `nth` write from now; no later call gets through. */
    crashAfter(nth: number): void {
      writesLeft = nth;
    },
    /** Starts the next process, in which nothing crashes. True if the last one crashed. */
    restart(): boolean {
      const crashed = writesLeft <= 0;
      writesLeft = Number.POSITIVE_INFINITY;
      return crashed;
    },
    watch<T extends object>(port: T): T {
      return new Proxy(port, {
        get(target, name) {
          const method: unknown = Reflect.get(target, name);
          if (typeof method !== "function" || name === "close") return method;
          return async (...values: unknown[]) => {
            if (writesLeft <= 0) throw new Crash("the process is dead");
            calls.push(String(name));
            const refusal = refusals.find((one) => one.method === name && one.left-- > 0);
            if (refusal) throw refusal.error;
            const due = between && WRITE.test(String(name)) && --between.left === 0 ? between : undefined;
            if (due?.when === "before") await due.act();
            if (WRITE.test(String(name))) await nextTurn();
            const result: unknown = await Reflect.apply(method, target, values);
            if (due?.when === "after") await due.act();
            if (WRITE.test(String(name)) && --writesLeft <= 0)
              throw new Crash(`the process died after ${String(name)}`);
            return result;
          };
        },
      });
    },
  };
}
