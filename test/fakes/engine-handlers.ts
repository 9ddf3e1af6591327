import type { MoneyLimit } from "../../src/data/limits.ts";
import type { Accounts, EngineHandlers } from "../../src/queue/engine.ts";

/** US dollars that a run may cost by `accountsWith`. */
export const A_RUN = 1;

/** What an engine asks to keep its accounts, with these limits for every run. */
export function accountsWith(money: readonly MoneyLimit[] = [], openPulls?: number, mostOfARun = A_RUN): Accounts {
  return {
    budgetOf: () => mostOfARun,
    limitsOf: () => ({ money, openPulls }),
    roleOf: () => "Manager",
    factsOf: async (_, result) => ({
      outcome: result?.kind,
      opened: result?.kind === "published" ? result.pullRequest.number : undefined,
    }),
    pullEnded: () => undefined,
    pullOutcome: async () => ({ state: "closed", comments: 0, linesAfter: 0 }),
    emptyForgotten: async () => undefined,
  };
}

/** Handlers that admit nothing and end every run at once, except for those given. */
export function engineHandlers(given: Partial<EngineHandlers> = {}): EngineHandlers {
  const nothing = async () => undefined;
  return {
    accounts: accountsWith(),
    concerns: async () => true,
    admit: nothing,
    resolve: async () => ({ kind: "nothing-to-change", reason: "a test" }),
    refuse: async () => ({ kind: "refused", reason: "a limit" }),
    next: () => undefined,
    waits: nothing,
    cancelled: nothing,
    report: nothing,
    abandoned: nothing,
    pollPull: async () => ({ open: true, head: "", deliveries: [] }),
    closeStale: async () => false,
    sweep: nothing,
    ...given,
  };
}
