import type { PathPolicy } from "../change/path-policy.ts";
import type { SourceParser } from "../code/source-parser.ts";
import type { Log } from "../data/log.ts";
import type { KeepPart, RunRecord } from "../data/run-record.ts";
import type { RunRequest } from "../data/run-request.ts";
import type { RunState } from "../data/run-state.ts";
import type { RunSettings } from "../data/settings.ts";
import type { Repository } from "../git/repository.ts";
import type { CodeHost } from "../github/code-host.ts";
import type { Uploads } from "../models/language-model.ts";
import type { BudgetKeeper } from "../models/metering/budget-keeper.ts";
import type { PromptRunner } from "../models/prompt-runner.ts";
import type { RoleSpend } from "../report/pull-request-body.ts";
import type { TokenCache } from "../search/token-cache.ts";
import type { EvolutionMemory } from "./evolution-memory.ts";
import type { Tracker } from "./tracker.ts";
import type { Verifier } from "./verifier.ts";

/**
 * One run at work, handed down whole: a part that needs something new finds it here or adds a field. `openRun` makes it,
 * anew whenever the run is taken up again; nothing in it is kept. Data that a step makes goes from step to step instead.
 */
export interface RunContext {
  /** what was asked for, by whom, and about which issue or pull request */
  request: RunRequest;
  /** the repository's settings over the operator's */
  settings: RunSettings;
  /** which files the bot leaves alone */
  policy: PathPolicy;

  /** the repository on its host; nothing is written once the step is aborted */
  host: CodeHost;
  /** aborts once the app can no longer see the repository */
  lost: AbortSignal;
  /** Gives the commit in memory; cloned once per process. */
  openRepository(commit: string, signal: AbortSignal): Promise<Repository>;
  /** Gives another commit that the host has, with its tree and no files. The caller closes it. */
  openTree(commit: string, signal: AbortSignal): Promise<Repository>;
  parser: SourceParser;
  /** tries changes in the repository's checks; absent: nothing is proved */
  verifier?: Verifier | undefined;

  /** Lets agents ask. `reds`: how many of our commits failed their checks; each raises the strong model's effort. */
  openPrompts(signal: AbortSignal, reds?: number): PromptRunner;
  /** the models' names, the strong one's first; none where they are not known */
  models: readonly string[];
  /** absent: models see no attachments */
  uploads?: Uploads | undefined;
  /** summaries of files, from earlier runs on the repository */
  memory: EvolutionMemory;
  /** token counts of files, likewise */
  tokenCache: TokenCache;

  /** tells people how far the run is */
  tracker: Tracker;
  /** what the run has spent and may still spend: money, tokens, minutes of work */
  spending: BudgetKeeper;
  /** What the calls of each role have cost so far. */
  spendByRole(): Promise<readonly RoleSpend[]>;
  /** US dollars that all runs on these issues and pull requests have cost, this one included. */
  spentOn(numbers: readonly number[]): Promise<number>;

  /** Keeps a part of the run's record, which says how its result came about. */
  record: KeepPart;
  /** The parts of the record kept so far, including those of the run that this one goes on with. */
  kept(): Promise<RunRecord>;
  /** What is kept of an earlier run on this repository; nothing of runs on any other. */
  earlierRun(runId: string): EarlierRun;
  log: Log;
  /** Lets go of the clone. */
  close(): void;
}

/** A run within one of its phases. */
export interface PhaseContext extends RunContext {
  /** the phase's base commit, in memory */
  repository: Repository;
  /** asks the agents' models */
  prompts: PromptRunner;
  /** aborts when the phase must end */
  signal: AbortSignal;
}

/** The run that this one continues: it opened the pull request. Empty once its record was deleted. */
export interface EarlierRun {
  record(): Promise<RunRecord>;
  state(): Promise<RunState | undefined>;
  /** Changes what is kept of its state, if anything is. */
  correct(change: Partial<RunState>): Promise<void>;
}
