import type { PromptRunner } from "../../llm/prompt-runner.ts";
import type { IssueSnapshot } from "../../model/issue-snapshot.ts";
import type { RepositoryId } from "../../model/repository-id.ts";
import type { CommitApi } from "../../ports/commit-api.ts";
import type { EvolutionMemory } from "../../ports/evolution-memory.ts";
import type { Repository } from "../../ports/repository.ts";
import type { SourceParser } from "../../ports/source-parser.ts";
import type { TokenCache } from "../../search/token-cache.ts";
import type { PathPolicy } from "../change/create-path-policy.ts";
import type { RunSettings } from "./run-tools.ts";
import type { Tracker } from "./tracker.ts";

/** What the locating phase works with. */
export interface LocateInput {
  readonly issue: IssueSnapshot;
  readonly repositoryId: RepositoryId;
  readonly repository: Repository;
  readonly prompts: PromptRunner;
  readonly memory: EvolutionMemory;
  readonly host: Pick<CommitApi, "readBlob">;
  readonly tokenCache: TokenCache;
  readonly parser: SourceParser;
  readonly settings: Pick<RunSettings, "candidates" | "profile" | "ablate">;
  readonly policy: Pick<PathPolicy, "ignored">;
  readonly tracker: Pick<Tracker, "detail">;
  record(part: string, value: unknown): Promise<void>;
}

/** A file of the pool that Algorithm 1 works on, and why it is in it. */
export interface PooledFile {
  readonly path: string;
  readonly blob: string;
  readonly score: number;
  readonly reasons: readonly string[];
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
