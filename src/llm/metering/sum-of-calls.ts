import type { Spend } from "../../model/spend.ts";
import type { RecordedCall } from "../../ports/run-store.ts";

/**
 * What the recorded calls of a run have used: where its budget keeper goes on after a restart. `elapsed` sums the calls;
 * calls that ran side by side make it longer than the clock, so prefer a kept figure where there is one.
 */
export function sumOfCalls(calls: readonly RecordedCall[]): Spend {
  const spend = { calls: calls.length, tokens: 0, money: 0, elapsed: 0 };
  for (const call of calls) {
    spend.tokens += call.tokens;
    spend.money += call.money;
    spend.elapsed += call.elapsed;
  }
  return spend;
}
