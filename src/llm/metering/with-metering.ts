import type { LanguageModel } from "../../ports/language-model.ts";
import type { RunStore } from "../../ports/run-store.ts";
import type { BudgetKeeper } from "./budget-keeper.ts";
import { withBudget } from "./with-budget.ts";
import { withPaidOnce } from "./with-paid-once.ts";
import { withRetry } from "./with-retry.ts";

/** What a run's model is metered with. */
interface MeteringInput {
  readonly store: RunStore;
  readonly runId: string;
  readonly keeper: BudgetKeeper;
}

/** `model` as the agents of one run get it: paid once, asked again when an answer breaks off, within the budget. */
export function withMetering(model: LanguageModel, { store, runId, keeper }: MeteringInput): LanguageModel {
  return withPaidOnce(withRetry(withBudget(model, keeper)), store, runId);
}
