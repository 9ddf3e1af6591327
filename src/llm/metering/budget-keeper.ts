import type { Budget } from "../../model/budget.ts";
import { cancelled } from "../../model/cancelled.ts";
import type { Spend } from "../../model/spend.ts";
import { budgetReached } from "./budget-reached.ts";
import { createLedger } from "./create-ledger.ts";
import { type Amount, type LargestFit, largestFit } from "./largest-fit.ts";

/** An answer shorter than this is of no use. */
const LEAST_OUTPUT = 1000;
const MS_PER_MINUTE = 60_000;

/** A call about to be made. */
interface BudgetAsk {
  readonly maxTokens: number;
  readonly worstCase: (maxTokens: number) => Amount;
}

/** Room for one call. */
interface Reservation {
  /** what the call may ask for: less than wanted when the budget is nearly used up */
  readonly maxTokens: number;
  /** the limit because of which it is less */
  readonly limit: LargestFit["limit"];
  /** Gives the room back and counts what the call really used. */
  settle(used: Amount): void;
}

/** The budget of one run, shared by all its agents in one process. */
export interface BudgetKeeper {
  readonly budget: Budget;
  /**
   * Room for the call's worst case. Waits while calls in flight hold room that it needs, in order of asking.
   * Throws BUDGET_REACHED when there is no room for a useful answer, RUN_CANCELLED when `signal` aborts.
   */
  reserve(ask: BudgetAsk, signal: AbortSignal): Promise<Reservation>;
  spend(): Spend;
  /** milliseconds of work that are left; zero or less when they are used up */
  timeLeft(): number;
}

interface Waiter {
  readonly ask: BudgetAsk;
  readonly grant: (reservation: Reservation) => void;
  readonly refuse: (error: Error) => void;
}

/**
 * A keeper of `budget` that goes on from `alreadySpent` (the run's earlier processes). `clock` gives milliseconds and
 * never goes back; the time of work counts from now. As nothing is called without room for its worst case, money and
 * tokens cannot exceed the budget however many agents ask at once.
 */
export function createBudgetKeeper(budget: Budget, alreadySpent: Spend, clock: () => number): BudgetKeeper {
  const began = clock();
  const ledger = createLedger(budget, alreadySpent);
  const waiting: Waiter[] = [];
  const elapsed = (): number => alreadySpent.elapsed + clock() - began;
  const timeLeft = (): number => budget.minutes * MS_PER_MINUTE - elapsed();

  const hold = (held: Amount, { maxTokens, limit }: LargestFit): Reservation => {
    const release = ledger.hold(held);
    const settle = (used: Amount): void => {
      release(used);
      admit();
    };
    return { maxTokens, limit, settle };
  };

  const admit = (): void => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const { maxTokens: wanted, worstCase } = first.ask;
      const fit = largestFit(worstCase, wanted, ledger.left());
      if (fit.maxTokens < wanted && ledger.inFlight() > 0) return;
      waiting.shift();
      if (timeLeft() <= 0) first.refuse(budgetReached("minutes", budget));
      else if (fit.maxTokens >= Math.min(LEAST_OUTPUT, wanted)) first.grant(hold(worstCase(fit.maxTokens), fit));
      else first.refuse(budgetReached(fit.limit, budget));
    }
  };

  const reserve = async (ask: BudgetAsk, signal: AbortSignal): Promise<Reservation> => {
    if (signal.aborted) throw cancelled();
    let leave = (): void => {};
    const granted = new Promise<Reservation>((grant, refuse) => {
      const waiter: Waiter = { ask, grant, refuse };
      leave = () => {
        const place = waiting.indexOf(waiter);
        if (place < 0) return;
        waiting.splice(place, 1);
        refuse(cancelled());
        admit();
      };
      waiting.push(waiter);
      signal.addEventListener("abort", leave, { once: true });
      admit();
    });
    return granted.finally(() => signal.removeEventListener("abort", leave));
  };

  return { budget, reserve, timeLeft, spend: () => ({ ...ledger.used(), elapsed: elapsed() }) };
}
