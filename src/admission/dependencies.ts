import type { SettingsFault } from "../config/repository/check-document.ts";
import type { Delivery, RepositoryId, RunRequest } from "../model/run-request.ts";
import type { Settings } from "../model/settings.ts";
import type { Budget } from "../model/spend.ts";
import type { CodeHost, CommitApi, HostIssue, OpenCodeHost } from "../ports/code-host.ts";
import type { Log } from "../ports/log.ts";
import type { RunStore } from "../ports/runs.ts";

/** What all deliveries of a process are dealt with. */
export interface AdmissionDependencies {
  readonly openCodeHost: OpenCodeHost;
  readonly store: Pick<RunStore, "latestRun" | "record">;
  readonly log: Log;
  /** what a run may use where a repository says nothing */
  readonly budget: Budget;
  /** US dollars that `continue` may add to a run in all; absent: twice what a run may use */
  readonly continueTotal?: number;
  /** the label and the bots that the operator has chosen, where a repository says nothing */
  readonly label: string;
  readonly allowedBots: readonly string[];
  readonly readSettings: SettingsReader;
  /** the runs of an issue or a pull request that work or wait for their turn, on any machine */
  unfinished(repository: RepositoryId, issue: number): Promise<readonly RunRequest[]>;
  /** how many runs of its repository work or wait before a run */
  ahead(run: string): Promise<number>;
  /** what asks for work on these issues and pull requests, came before `delivery` and is not yet admitted, on any machine */
  unadmitted(delivery: Delivery, numbers: readonly number[]): Promise<readonly Delivery[]>;
}

/** The part of the host that admission needs. */
export type AdmissionHost = Pick<
  CodeHost,
  | "login"
  | "permissionOf"
  | "readIssue"
  | "listComments"
  | "findOwnPullRequests"
  | "findOwnComment"
  | "createComment"
  | "react"
>;

export interface GuardContext {
  readonly delivery: Delivery;
  readonly host: AdmissionHost;
  /** logins of bots that may ask */
  readonly allowedBots: readonly string[];
  /** the issue as the host has it now, read once for all guards; undefined when it is gone */
  readonly readIssue: () => Promise<HostIssue | undefined>;
}

/** Why nothing is started, and what is answered on GitHub, if anything. */
export interface Refusal {
  /** a sentence for the log */
  readonly reason: string;
  /** a reaction `confused` on the comment that asked */
  readonly confused?: boolean;
  /** a comment, made once: `marker` is part of `body` */
  readonly comment?: { readonly marker: string; readonly body: string };
}

/** Errors of the host go through. */
export type Guard = (context: GuardContext) => Promise<Refusal | undefined>;

/** Reads what a repository has decided, from its default branch as it is now; or what is wrong with that. */
export type SettingsReader = (
  repository: RepositoryId,
  host: Pick<CommitApi, "readFile">,
) => Promise<{ readonly settings: Settings } | { readonly faults: readonly SettingsFault[] }>;
