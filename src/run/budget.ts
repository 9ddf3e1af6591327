import { grantedTo, type RunRequest } from "../data/run-request.ts";
import type { Budget, Spend } from "../data/spend.ts";
import type { RecordedCall } from "../models/language-model.ts";
import type { PromptLibrary } from "../models/prompt-library.ts";
import type { RoleSpend } from "../report/pull-request-body.ts";

/**
 * What a run may use. The repository's setting wins over the operator's; the money that people have added comes on
 * top, and tokens and time grow in proportion.
 */
export function budgetOf(request: RunRequest, operators: Budget): Budget {
  const { money, tokens, minutes } = request.settings?.budget ?? operators;
  const factor = 1 + grantedTo(request) / money;
  return { money: money * factor, tokens: Math.round(tokens * factor), minutes: minutes * factor };
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
