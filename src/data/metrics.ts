import type { RunWork } from "./run-request.ts";
import type { PhaseName, RunResult } from "./run-state.ts";
import type { TokenUsage } from "./spend.ts";

/** A finished run. */
export interface EndedRun {
  work: RunWork["kind"];
  result: RunResult;
}

/** A call of a model, paid for, with or without an answer. */
export interface MeteredCall {
  role: string;
  model: string;
  usage: TokenUsage;
  /** US dollars */
  money: number;
}

/** What the parts of the bot report as it happens. Never throws. */
export interface Metrics {
  runEnded(run: EndedRun): void;
  /** A pull request of the bot has ended. */
  pullEnded(state: "merged" | "closed" | "reverted"): void;
  phaseEnded(phase: PhaseName, seconds: number): void;
  modelCalled(call: MeteredCall): void;
  /** `event` is the sender's word: an adapter counts unknown ones together */
  webhookAnswered(event: string, status: number): void;
  /** `status` is 0 when no answer came; `remaining`: requests left to the installation in this hour */
  githubAnswered(status: number, left?: { installation: number; remaining: number }): void;
}

/** How many unfinished runs there are, by what they do. */
export interface RunCounts {
  queued: number;
  /** for room under a limit: of money, or of open pull requests */
  held: number;
  working: number;
  /** for checks, without a place in the queue */
  waiting: number;
}
