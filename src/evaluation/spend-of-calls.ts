import { criticalPath } from "../model/critical-path.ts";
import type { RecordedCall } from "../ports/run-store.ts";
import type { InstanceMetrics } from "./measures/instance-metrics.ts";

type Spend = InstanceMetrics["spend"];

/**
 * What a run's calls have used; failed calls count with what they cost. `lookups`: calls of tools that the answers made.
 * `sequentialCalls` and `criticalMs`: the longest chain of calls one after another. `wallMs`: the whole run, as measured.
 */
export function spendOfCalls(calls: readonly RecordedCall[], wallMs: number): Spend {
  const usage = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
  const byPrompt: Spend["byPrompt"] = {};
  for (const { promptId, answer, tokens, money, elapsed } of calls) {
    for (const kind of ["input", "cacheWrite", "cacheRead", "output"] as const) usage[kind] += answer?.usage[kind] ?? 0;
    const sum = byPrompt[promptId] ?? { calls: 0, tokens: 0, money: 0, elapsedMs: 0 };
    byPrompt[promptId] = {
      ...{ calls: sum.calls + 1, tokens: sum.tokens + tokens, money: sum.money + money },
      elapsedMs: sum.elapsedMs + elapsed,
    };
  }
  const path = criticalPath(calls);
  const blocks = calls.flatMap(({ answer }) => answer?.blocks ?? []);
  return {
    ...{ calls: calls.length, failedCalls: calls.filter(({ failure }) => failure !== undefined).length },
    ...usage,
    tokens: calls.reduce((sum, { tokens }) => sum + tokens, 0),
    money: calls.reduce((sum, { money }) => sum + money, 0),
    ...{ wallMs: Math.round(wallMs), sequentialCalls: path.calls, criticalMs: Math.round(path.elapsed) },
    lookups: blocks.filter(({ type }) => type === "tool_use").length,
    models: [...new Set(calls.flatMap(({ answer }) => answer?.model ?? []))].sort(),
    byPrompt,
  };
}
