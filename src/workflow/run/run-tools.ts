import type { BudgetKeeper } from "../../llm/metering/budget-keeper.ts";
import type { PromptRunner } from "../../llm/prompt-runner.ts";
import type { KeepPart, RunRecord } from "../../model/run-record.ts";
import type { RepositoryId } from "../../model/run-request.ts";
import type { RunState } from "../../model/run-state.ts";
import type { RunSettings } from "../../model/settings.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { EvolutionMemory } from "../../ports/evolution-memory.ts";
import type { Log } from "../../ports/log.ts";
import type { Repository } from "../../ports/repository.ts";
import type { SourceParser } from "../../ports/source-parser.ts";
import type { Verifier } from "../../ports/verifier.ts";
import type { RoleSpend } from "../../report/pull-request-body.ts";
import type { TokenCache } from "../../search/token-cache.ts";
import type { PathPolicy } from "../change/path-policy.ts";
import type { Tracker } from "./tracker.ts";

/** A run that this one goes on from: the one that opened the pull request. Nothing is left when it was deleted. */
export interface EarlierRun {
  record(): Promise<RunRecord>;
  state(): Promise<RunState | undefined>;
  saveState(state: RunState): Promise<void>;
}

/** What one run works with. Made anew when a run is taken up again; nothing in it is kept. */
export interface RunTools {
  readonly repositoryId: RepositoryId;
  readonly settings: RunSettings;
  /** the files that the repository keeps from the bot */
  readonly policy: PathPolicy;
  readonly host: CodeHost;
  readonly memory: EvolutionMemory;
  readonly tokenCache: TokenCache;
  readonly parser: SourceParser;
  readonly tracker: Tracker;
  /** the time of work that counts against the run's minutes */
  readonly clock: Pick<BudgetKeeper, "standStill" | "goOn">;
  readonly log: Log;
  /** tries changes; absent where nobody waits for an answer */
  readonly verifier?: Verifier;
  /** The parts of the record that are kept so far, those of the run that this one goes on with included. */
  kept(): Promise<RunRecord>;
  /** Keeps a part of the run's record, for whoever wants to know how it came about. */
  readonly record: KeepPart;
  /** What is kept of an earlier run on this repository; of any other run nothing is told. */
  earlierRun(runId: string): EarlierRun;
  /** `reds`: red checks of ours that came before; with each the strong model's effort rises. */
  openPrompts(signal: AbortSignal, reds?: number): PromptRunner;
  /** The commit in memory; cloned once a process. */
  openRepository(commit: string, signal: AbortSignal): Promise<Repository>;
  /** What the calls of each role have cost so far. */
  spendByRole(): Promise<readonly RoleSpend[]>;
  /** Lets go of the clone. */
  close(): void;
}
