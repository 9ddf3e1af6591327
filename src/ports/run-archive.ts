import type { RepositoryId } from "../model/repository-id.ts";
import type { RunReport } from "./run-report.ts";

/** A run in one line. */
export interface RunSummary {
  readonly id: string;
  /** `owner/name` */
  readonly repository: string;
  readonly number?: number;
  readonly title: string;
  /** ISO 8601 */
  readonly requestedAt: string;
  /** `kind` of its result; absent as long as it has none */
  readonly end?: string;
  /** the pull request that it opened */
  readonly pullRequest?: number;
  /** US dollars */
  readonly money: number;
}

/** The runs that are kept, for people who want to know how they came about. It changes nothing. */
export interface RunArchive {
  /** Undefined when no run with that id is kept. A run that goes on with another has that one's calls and record. */
  report(runId: string): Promise<RunReport | undefined>;
  /** Of the run of an issue or pull request that was asked for last; names are the same in upper and lower case. */
  latestReport(repository: Pick<RepositoryId, "owner" | "name">, number: number): Promise<RunReport | undefined>;
  /** The runs that were asked for last, the latest first, `most` at most. */
  latest(most: number): Promise<readonly RunSummary[]>;
}
