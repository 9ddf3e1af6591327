import type { OperatorLimits } from "../../model/settings.ts";
import type { Chosen } from "../../workflow/dry-run/local-job.ts";

/** Limits under which the repository's file may ask for any budget where another was chosen for the run. */
export function limitsUnder(limits: OperatorLimits, { budget = {} }: Chosen): OperatorLimits {
  const unlimited = Object.fromEntries(Object.keys(budget).map((name) => [name, Number.POSITIVE_INFINITY]));
  return { ...limits, budget: { ...limits.budget, ...unlimited } };
}
