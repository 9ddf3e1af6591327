import { MagisError } from "../../model/error.ts";
import type { TokenUsage } from "../../model/spend.ts";

/** What one or more attempts at a call have used. */
export interface CallCost {
  readonly usage: TokenUsage;
  /** US dollars */
  readonly money: number;
}

/** What a failed call used all the same (`data.usage`, `data.money`), or undefined when no call was made. */
export function costOfError(error: unknown): CallCost | undefined {
  if (!(error instanceof MagisError)) return undefined;
  const { usage, money } = error.data;
  return isUsage(usage) && typeof money === "number" ? { usage, money } : undefined;
}

function isUsage(value: unknown): value is TokenUsage {
  if (value === null || typeof value !== "object") return false;
  const counts: Partial<Record<string, unknown>> = { ...value };
  return ["input", "cacheWrite", "cacheRead", "output"].every((name) => typeof counts[name] === "number");
}

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

/** All tokens of `usage`, of whatever kind: what the budget counts. */
export function countTokens(usage: TokenUsage): number {
  return usage.input + usage.cacheWrite + usage.cacheRead + usage.output;
}
