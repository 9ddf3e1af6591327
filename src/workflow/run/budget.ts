import type { PromptLibrary } from "../../llm/prompt-library.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { Budget, Spend } from "../../model/spend.ts";
import type { RecordedCall } from "../../ports/runs.ts";
import type { RoleSpend } from "../../report/pull-request-body.ts";

/** The budget plus the money that people have added; tokens and time grow in proportion. */
function extended(budget: Budget, allowance: number): Budget {
  const factor = 1 + allowance / budget.money;
  return { money: budget.money * factor, tokens: Math.round(budget.tokens * factor), minutes: budget.minutes * factor };
}

/** What a run may use. The repository's setting wins over the operator's; what people have added comes on top. */
export function budgetOf({ settings, allowance }: RunRequest, budget: Budget): Budget {
  return extended(settings?.budget ?? budget, allowance);
}

export function spendByRole(calls: readonly RecordedCall[], { prompts }: PromptLibrary): RoleSpend[] {
  const roles = new Map<string, RoleSpend>();
  for (const { promptId, tokens, money } of calls) {
    const role = prompts.get(promptId)?.role ?? "other";
    const sum = roles.get(role) ?? { role, calls: 0, tokens: 0, money: 0 };
    roles.set(role, { role, calls: sum.calls + 1, tokens: sum.tokens + tokens, money: sum.money + money });
  }
  return [...roles.values()];
}

/**
 * What the recorded calls of a run have used: the budget keeper starts from it after a restart. `elapsed` sums the
 * calls, so calls in parallel make it longer than the clock. Prefer a kept figure where there is one.
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
