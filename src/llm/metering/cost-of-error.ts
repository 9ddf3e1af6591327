import { MagisError } from "../../model/magis-error.ts";
import type { TokenUsage } from "../../model/spend.ts";
import type { CallCost } from "./call-cost.ts";

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
