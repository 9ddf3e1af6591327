import { figure } from "../text/counted.ts";
import { isMagisError } from "./error.ts";

/** Tokens of one or more calls, as the model's provider counts them. Thinking is part of `output`. */
export interface TokenUsage {
  input: number;
  cacheWrite: number;
  cacheRead: number;
  output: number;
}

/** What a run has used so far. Failed calls count too. */
export interface Spend {
  calls: number;
  tokens: number;
  /** US dollars */
  money: number;
  /** milliseconds of work, from the first phase's start, summed over restarts */
  elapsed: number;
}

export const NO_SPEND: Spend = { calls: 0, tokens: 0, money: 0, elapsed: 0 };

/** The limits of one run, shared by all its agents. */
export interface Budget {
  /** US dollars */
  money: number;
  /** input, cached and output tokens together */
  tokens: number;
  /** minutes of work */
  minutes: number;
}

export const BUDGET_LIMITS = ["money", "tokens", "minutes"] as const;

export type BudgetLimit = (typeof BUDGET_LIMITS)[number];

/** The limit that made the budget refuse a call; undefined for any other error. */
export function limitReached(error: unknown): BudgetLimit | undefined {
  return isMagisError(error, "BUDGET_REACHED") ? ((error.data.limit as BudgetLimit | undefined) ?? "money") : undefined;
}

/** What carrying out a plan may still cost. */
export interface CostEstimate {
  /** US dollars if every task is approved at its first review (`least`), or uses every round (`most`) */
  least: number;
  most: number;
  /** mean cost of a call of the strong tier so far, in US dollars */
  perCall: number;
  /** calls for one task, from and to */
  calls: readonly [number, number];
  tasks: number;
}

/** How many calls a profile makes: per task once and per round, for the team per round and at the end. */
export interface CallForm {
  once: number;
  aRound: number;
  team: number;
  atEnd: number;
}

/**
 * The cost of `tasks` tasks with up to `rounds` rounds of review: the calls of Algorithm 3 for one place to change,
 * without tool use, at the mean cost of the calls in `spend`, which the run has made with the same tier.
 */
export function estimateCost(
  spend: Pick<Spend, "calls" | "money">,
  { tasks, rounds, form }: { tasks: number; rounds: number; form: CallForm },
): CostEstimate {
  const perCall = spend.calls === 0 ? 0 : spend.money / spend.calls;
  const { once, aRound, team, atEnd } = form;
  const most = Math.max(1, rounds);
  const calls = [once + aRound, once + aRound * most] as const;
  const cost = (each: number, reviews: number) => perCall * (each * tasks + team * reviews + atEnd);
  return { least: cost(calls[0], 1), most: cost(calls[1], most), perCall, calls, tasks };
}

/** When a call began (milliseconds since the epoch, if known) and how long it took, in milliseconds. */
interface TimedCall {
  began?: number;
  elapsed: number;
}

/** Starts are kept in whole milliseconds and ends are computed, so consecutive calls may seem to overlap. */
const SLACK_MS = 2;

/**
 * The longest chain of consecutive calls: calls that overlap in time do not follow each other. `calls`: the most calls
 * in a chain. `elapsed`: the most milliseconds in a chain, without pauses, perhaps of another chain. A call with an
 * unknown start counts as if nothing ran beside it.
 */
export function criticalPath(calls: readonly TimedCall[]): { calls: number; elapsed: number } {
  const known = calls.flatMap(({ began, elapsed }) => (began === undefined ? [] : [{ began, elapsed }]));
  const unknown = calls.filter(({ began }) => began === undefined);
  known.sort((a, b) => a.began + a.elapsed - (b.began + b.elapsed) || a.began - b.began);
  /** for each call, the best chains that end with it */
  const chains: { calls: number; elapsed: number }[] = [];
  for (const [at, call] of known.entries()) {
    let [most, longest] = [0, 0];
    for (let before = 0; before < at; before++) {
      const [earlier, chain] = [known[before], chains[before]];
      if (earlier === undefined || chain === undefined || !follows(earlier, call)) continue;
      most = Math.max(most, chain.calls);
      longest = Math.max(longest, chain.elapsed);
    }
    chains.push({ calls: most + 1, elapsed: longest + call.elapsed });
  }
  return {
    calls: unknown.length + chains.reduce((most, chain) => Math.max(most, chain.calls), 0),
    elapsed:
      unknown.reduce((sum, { elapsed }) => sum + elapsed, 0) +
      chains.reduce((longest, chain) => Math.max(longest, chain.elapsed), 0),
  };
}

function follows(one: Required<TimedCall>, other: Required<TimedCall>): boolean {
  const slack = Math.min(SLACK_MS, one.elapsed / 2, other.elapsed / 2);
  return other.began >= one.began + one.elapsed - slack;
}

/** `23 calls, 84,210 tokens, $0.41, 2 min 10 s` */
export function formatSpend({ calls, tokens, money, elapsed }: Spend): string {
  return `${figure(calls, "call")}, ${figure(Math.round(tokens), "token")}, ${formatMoney(money)}, ${formatTime(elapsed)}`;
}

/** Dollars and cents; fractions of a cent are shown while the sum is small. */
export function formatMoney(money: number): string {
  return `$${money > 0 && money < 0.1 ? money.toFixed(4) : money.toFixed(2)}`;
}

/** `under 1 s`, `45 s`, `2 min 10 s`, `1 h 57 min` */
export function formatTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  if (minutes > 0) return `${minutes} min ${seconds % 60} s`;
  return milliseconds > 0 && seconds === 0 ? "under 1 s" : `${seconds} s`;
}
