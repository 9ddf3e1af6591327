import { cancelled } from "../../data/cancellation.ts";
import { MagisError } from "../../data/error.ts";
import type { Budget, BudgetLimit, Spend, TokenUsage } from "../../data/spend.ts";
import { figure } from "../../text/counted.ts";

/** An answer shorter than this is of no use. */
const LEAST_OUTPUT = 1000;

const MS_PER_MINUTE = 60_000;

/** A call about to be made. */
interface BudgetAsk {
  maxTokens: number;
  worstCase: (maxTokens: number) => Amount;
}

/** Room for one call. */
interface Reservation {
  /** what the call may ask for: less than wanted when the budget is nearly used up */
  maxTokens: number;
  /** the limit because of which it is less */
  limit: LargestFit["limit"];
  /** Gives the room back and counts what the call really used. */
  settle(used: Amount): void;
}

/** The budget of one run, shared by all its agents in one process. */
export interface BudgetKeeper {
  budget: Budget;
  /**
   * Room for the call's worst case. Waits while calls in flight hold room that it needs, in order of asking.
   * Throws BUDGET_REACHED when there is no room for a useful answer, RUN_CANCELLED when `signal` aborts.
   */
  reserve(ask: BudgetAsk, signal: AbortSignal): Promise<Reservation>;
  spend(): Spend;
  /** milliseconds of work that are left; zero or less when they are used up */
  timeLeft(): number;
  /** Nothing can be done for now: time stands still, from the last answer of the model on. */
  standStill(): void;
  /** Work goes on, and time with it. */
  goOn(): void;
}

interface Waiter {
  ask: BudgetAsk;
  grant: (reservation: Reservation) => void;
  refuse: (error: Error) => void;
}

/**
 * A keeper of `budget` that goes on from `alreadySpent` (the run's earlier processes). `clock` gives milliseconds and
 * never goes back; the time of work counts from now. As nothing is called without room for its worst case, money and
 * tokens cannot exceed the budget however many agents ask at once.
 */
export function createBudgetKeeper(budget: Budget, alreadySpent: Spend, clock: () => number): BudgetKeeper {
  let began = clock();
  /** when it was last known that work was done, and not only waited for */
  let worked = began;
  let stoodStill: number | undefined;
  const ledger = createLedger(budget, alreadySpent);
  const waiting: Waiter[] = [];
  const elapsed = (): number => alreadySpent.elapsed + (stoodStill ?? clock()) - began;
  const timeLeft = (): number => budget.minutes * MS_PER_MINUTE - elapsed();

  const hold = (held: Amount, { maxTokens, limit }: LargestFit): Reservation => {
    const release = ledger.hold(held);
    const settle = (used: Amount): void => {
      release(used);
      worked = clock();
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

  const standStill = (): void => {
    stoodStill ??= worked;
  };
  const goOn = (): void => {
    worked = clock();
    if (stoodStill !== undefined) began += worked - stoodStill;
    stoodStill = undefined;
  };
  return { budget, reserve, timeLeft, standStill, goOn, spend: () => ({ ...ledger.used(), elapsed: elapsed() }) };
}

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
function createLedger(budget: Budget, alreadySpent: Spend): Ledger {
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

/** Tokens and US dollars. */
export interface Amount {
  tokens: number;
  money: number;
}

/** The most output tokens that fit, and the limit that stands in the way of more. */
export interface LargestFit {
  maxTokens: number;
  limit: "money" | "tokens";
}

/**
 * How many output tokens, `wanted` at most, the worst case of a request can have and still fit into `left`; negative
 * when its input alone does not. `worstCase` is linear in the output tokens.
 */
function largestFit(worstCase: (maxTokens: number) => Amount, wanted: number, left: Amount): LargestFit {
  const least = worstCase(0);
  const most = worstCase(wanted);
  const outputsFor = (kind: "tokens" | "money"): number => {
    if (most[kind] <= left[kind]) return wanted;
    if (least[kind] > left[kind] || most[kind] <= least[kind]) return -1;
    const found = Math.floor((wanted * (left[kind] - least[kind])) / (most[kind] - least[kind]));
    // Rounding of fractions of a cent may be off by one.
    return worstCase(found)[kind] <= left[kind] ? found : found - 1;
  };
  const money = outputsFor("money");
  const tokens = outputsFor("tokens");
  return money < tokens ? { maxTokens: money, limit: "money" } : { maxTokens: tokens, limit: "tokens" };
}

/** BUDGET_REACHED in words, with `data.limit`, and `data.usage` and `data.money` when a call was made. */
export function budgetReached(limit: BudgetLimit, budget: Budget, cost: object = {}): MagisError {
  const names: Record<BudgetLimit, string> = {
    money: `${budget.money.toFixed(2)} US dollars`,
    tokens: figure(budget.tokens, "token"),
    minutes: `${figure(budget.minutes, "minute")} of work`,
  };
  return new MagisError("BUDGET_REACHED", `The run has reached its budget of ${names[limit]}.`, { limit, ...cost });
}

/** What one or more attempts at a call have used. */
export interface CallCost {
  usage: TokenUsage;
  /** US dollars */
  money: number;
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
