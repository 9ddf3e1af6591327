import type { CheckStatus } from "./check-status.ts";

export type Verdict = "none" | "pending" | "failed" | "green" | "unclear";

/**
 * What the checks of a commit come to, the app's own left out: `none` when there are none, `pending` while one is
 * unfinished, `failed` when one failed. Green is a commit of which at least one check passed and none was stopped early;
 * skipped ones do not matter.
 */
export function judgeChecks(all: readonly CheckStatus[]): Verdict {
  const checks = all.filter(({ byApp }) => !byApp);
  if (checks.length === 0) return "none";
  if (checks.some(({ state }) => state === "pending")) return "pending";
  if (checks.some(({ state }) => state === "failed")) return "failed";
  const stopped = checks.some((check) => check.stopped === true);
  return !stopped && checks.some(({ state }) => state === "passed") ? "green" : "unclear";
}
