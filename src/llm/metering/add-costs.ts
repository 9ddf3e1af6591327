import type { CallCost } from "./call-cost.ts";

/** Both costs together. */
export function addCosts(a: CallCost, b: CallCost): CallCost {
  return {
    usage: {
      input: a.usage.input + b.usage.input,
      cacheWrite: a.usage.cacheWrite + b.usage.cacheWrite,
      cacheRead: a.usage.cacheRead + b.usage.cacheRead,
      output: a.usage.output + b.usage.output,
    },
    money: a.money + b.money,
  };
}
