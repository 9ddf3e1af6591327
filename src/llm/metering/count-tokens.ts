import type { TokenUsage } from "../../model/spend.ts";

/** All tokens of `usage`, of whatever kind: what the budget counts. */
export function countTokens(usage: TokenUsage): number {
  return usage.input + usage.cacheWrite + usage.cacheRead + usage.output;
}
