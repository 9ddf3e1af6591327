import type { PromptRunner } from "../../llm/prompt-runner.ts";
import type { IssueSnapshot } from "../../model/discussion.ts";
import type { AiPolicy, Candidate, MadePlan } from "../../model/plan.ts";
import type { KeepPart } from "../../model/run-record.ts";
import type { RepositoryId } from "../../model/run-request.ts";
import type { RunSettings } from "../../model/settings.ts";
import type { CallForm } from "../../model/spend.ts";
import type { Inheritance, Work } from "../../model/work.ts";
import type { CommitApi } from "../../ports/code-host.ts";
import type { EvolutionMemory } from "../../ports/evolution-memory.ts";
import type { Log } from "../../ports/log.ts";
import type { Repository } from "../../ports/repository.ts";
import type { SourceParser } from "../../ports/source-parser.ts";
import type { TokenCache } from "../../search/token-cache.ts";
import type { PathGuard } from "../change/path-guard.ts";
import type { PathPolicy } from "../change/path-policy.ts";
import type { PhaseTracker, TaskTracker } from "./tracker.ts";

/** What every phase with agents works with. */
interface PhaseInput {
  readonly issue: IssueSnapshot;
  readonly repository: Repository;
  readonly prompts: PromptRunner;
  readonly parser: SourceParser;
  readonly record: KeepPart;
}

/** What the locating phase works with. */
export interface LocateInput extends PhaseInput {
  readonly repositoryId: RepositoryId;
  readonly memory: EvolutionMemory;
  readonly host: Pick<CommitApi, "readBlob">;
  readonly tokenCache: TokenCache;
  readonly settings: Pick<RunSettings, "candidates" | "profile" | "ablate">;
  /** paths, best first, in place of the product's own ranking: Algorithm 1 to the letter */
  readonly ranked?: readonly string[] | undefined;
  readonly policy: Pick<PathPolicy, "ignored">;
  readonly tracker: PhaseTracker;
}

/** What the planning phase works with. */
export interface PlanInput extends PhaseInput {
  readonly candidates: readonly Candidate[];
  /** what the repository asks of changes that AI wrote: the plan keeps it for the runs that follow */
  readonly aiPolicy?: AiPolicy | undefined;
  readonly settings: Pick<RunSettings, "profile" | "ablate">;
  readonly policy: PathPolicy;
  readonly tracker: PhaseTracker & TaskTracker;
}

/** What the coding phase works with. */
export interface CodeInput extends PhaseInput {
  readonly plan: MadePlan;
  readonly settings: Pick<RunSettings, "reviewRounds" | "profile" | "ablate">;
  readonly policy: PathPolicy;
  readonly tracker: PhaseTracker & TaskTracker;
  readonly log: Log;
  /** what an earlier run left for tasks, by their ids */
  readonly inherited?: ReadonlyMap<string, Inheritance>;
}

/** A file of the pool that Algorithm 1 works on, and why it is in it. */
export interface PooledFile {
  readonly path: string;
  readonly blob: string;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** What the Custodian judges. */
export interface Pool {
  readonly pool: readonly PooledFile[];
  /** the repository around the best-ranked files, for what the search has missed; "" for none */
  readonly map: string;
  /** a file that was searched, by its path */
  known(path: string): { readonly path: string; readonly blob: string } | undefined;
  /** why a file is not among those that were searched, as far as its content says */
  whyNot?(path: string): string | undefined;
}

/** How a summary came about, for the run's record. */
export type SummarySource = "remembered" | "updated (P1)" | "written (P2)" | "named from the map";

/** A file of the pool with the Custodian's judgement. */
export interface JudgedFile extends PooledFile {
  readonly summary: string;
  readonly source: SummarySource;
  readonly relevant: boolean;
  readonly reason: string;
  readonly names?: readonly string[];
  /** it need not change itself, but others should know it */
  readonly use?: "read";
}

/** A profile: one way to do what the paper's agents do between a ranked pool of files and a finished change. */
export interface Strategy {
  /** the calls it makes, for estimates */
  readonly form: CallForm;
  /** Algorithm 1: the Custodian's judgement of every file of the pool, and of files that it adds */
  shortlist(input: LocateInput, pool: Pool): Promise<readonly JudgedFile[]>;
  /** Algorithm 2: tasks, the Developers who suit them, and their order; `guard` says why a file may not be touched */
  plan(input: PlanInput, guard: PathGuard): Promise<MadePlan>;
  /** Coding (3.2.2): carries out the plan; a task without a usable answer fails alone */
  code(input: CodeInput): Promise<Work>;
}
