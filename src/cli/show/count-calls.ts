import type { ShownCall } from "../../model/run-shape.ts";

/** What calls have used. */
export interface CallCount {
  readonly calls: number;
  readonly failed: number;
  /** tokens read anew, written to the cache or not; of failed calls no kinds are known */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** all tokens, of failed calls too */
  readonly tokens: number;
  readonly money: number;
  /** milliseconds, summed: calls side by side count each */
  readonly elapsed: number;
}

/** Sums up `calls`. */
export function countCalls(calls: readonly ShownCall[]): CallCount {
  const sum = (of: (call: ShownCall) => number) => calls.reduce((total, call) => total + of(call), 0);
  return {
    calls: calls.length,
    failed: calls.filter(({ failure }) => failure !== undefined).length,
    input: sum(({ answer }) => (answer ? answer.usage.input + answer.usage.cacheWrite : 0)),
    output: sum(({ answer }) => answer?.usage.output ?? 0),
    cached: sum(({ answer }) => answer?.usage.cacheRead ?? 0),
    tokens: sum(({ tokens }) => tokens),
    money: sum(({ money }) => money),
    elapsed: sum(({ elapsed }) => elapsed),
  };
}
