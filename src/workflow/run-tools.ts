import type { TokenCache } from "../domain/ranking/token-cache.ts";
import type { RoleSpend } from "../domain/report/pull-request-body.ts";
import type { RepositoryId } from "../domain/run/repository-id.ts";
import type { CodeHost } from "../ports/code-host/code-host.ts";
import type { EvolutionMemory } from "../ports/evolution-memory.ts";
import type { Log } from "../ports/log.ts";
import type { Repository } from "../ports/repository.ts";
import type { PromptRunner } from "../prompts/prompt-runner.ts";
import type { Tracker } from "./tracker.ts";

export type Ablation = "map" | "memory";

/** What the maintainers of the bot decide about every run. */
export interface RunSettings {
  /** `k` of the paper: how many files the Custodian looks at */
  readonly candidates: number;
  /** `n_max` of the paper: rounds of review */
  readonly reviewRounds: number;
  readonly draft: boolean;
  /** `paper` keeps to the paper's form where ours is shorter: one P3 call a file, no map */
  readonly profile: "lean" | "paper";
  /** parts that are left out, to see what they are worth */
  readonly ablate: readonly Ablation[];
}

/** What one run works with. Made anew when a run is taken up again; nothing in it is kept. */
export interface RunTools {
  readonly repositoryId: RepositoryId;
  readonly settings: RunSettings;
  readonly host: CodeHost;
  readonly memory: EvolutionMemory;
  readonly tokenCache: TokenCache;
  readonly tracker: Tracker;
  readonly log: Log;
  /** The parts of the record that are kept so far, those of the run that this one goes on with included. */
  kept(): Promise<Readonly<Record<string, unknown>>>;
  /** Keeps a part of the run's record, for whoever wants to know how it came about. */
  record(part: string, value: unknown): Promise<void>;
  openPrompts(signal: AbortSignal): PromptRunner;
  /** The commit in memory; cloned once a process. */
  openRepository(commit: string, signal: AbortSignal): Promise<Repository>;
  /** What the calls of each role have cost so far. */
  spendByRole(): Promise<readonly RoleSpend[]>;
  /** Lets go of the clone. */
  close(): void;
}
