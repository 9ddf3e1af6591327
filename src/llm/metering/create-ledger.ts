import type { Budget } from "../../model/budget.ts";
import type { Spend } from "../../model/spend.ts";
import type { Amount } from "./largest-fit.ts";

/** What is used of a budget, and what calls in flight may still use. */
export interface Ledger {
  /** Holds `amount` back; the function it gives counts what was really used instead. */
  hold(amount: Amount): (used: Amount) => void;
  /** what is neither used nor held */
  left(): Amount;
  inFlight(): number;
  used(): Omit<Spend, "elapsed">;
}

/** A ledger of `budget` that goes on from `alreadySpent`. */
export function createLedger(budget: Budget, alreadySpent: Spend): Ledger {
  const used = { calls: alreadySpent.calls, tokens: alreadySpent.tokens, money: alreadySpent.money };
  const held = new Set<Amount>();
  return {
    hold: (amount) => {
      const own = { ...amount };
      held.add(own);
      return (cost) => {
        if (!held.delete(own)) return;
        used.calls += 1;
        used.tokens += cost.tokens;
        used.money += cost.money;
      };
    },
    left: () => {
      // Summed anew each time: a running sum of money would drift with every call held and given back.
      const taken = { tokens: used.tokens, money: used.money };
      for (const { tokens, money } of held) {
        taken.tokens += tokens;
        taken.money += money;
      }
      return { tokens: budget.tokens - taken.tokens, money: budget.money - taken.money };
    },
    inFlight: () => held.size,
    used: () => ({ ...used }),
  };
}
