import type { Audit } from "../../data/audit.ts";
import type { Log } from "../../data/log.ts";
import type { Delivery, RepositoryId, RunRequest } from "../../data/run-request.ts";
import type { Queued } from "../../data/run-state.ts";
import type { Settings } from "../../data/settings.ts";
import type { Budget } from "../../data/spend.ts";
import type { CodeHost, HostIssue, OpenCodeHost } from "../../github/code-host.ts";
import type { MaintainerNotes } from "../../report/notes.ts";
import type { RunStore } from "../../run/runs.ts";
import type { SettingsFault } from "../../settings/repository/check-document.ts";

/** Shared by all deliveries of a process. */
export interface AdmissionDependencies extends AdmissionRules {
  readonly openCodeHost: OpenCodeHost;
  readonly store: RunStore;
  readonly queue: RunQueue;
  /** absent where nothing is kept */
  readonly notes?: MaintainerNotes;
  readonly log: Log;
  /** absent where no audit log is kept */
  readonly audit?: Audit | undefined;
  readonly readSettings: SettingsReader;
}

/** The operator's values; a repository's own take their place. */
export interface AdmissionRules {
  /** of a run */
  readonly budget: Budget;
  readonly label: string;
  readonly allowedBots: readonly string[];
  /** labels and issue types of what people do themselves */
  readonly skipLabels: readonly string[];
  /** absent until the repository's settings are read */
  readonly proof?: Settings["proof"];
}

/** The part of the rules that guards ask about. */
export interface GuardRules extends Partial<AdmissionRules> {
  readonly allowedBots: readonly string[];
  /** the app's pull request that does not rule out another: a person has taken it over */
  readonly takenOver?: number | undefined;
}

/** What the engine knows of runs and requests. */
export interface RunQueue {
  /** working and queued runs of an issue or pull request, on any machine */
  unfinished(repository: RepositoryId, issue: number): Promise<readonly RunRequest[]>;
  /** what a run that has not begun waits for */
  place(run: string): Promise<Queued>;
  /** requests on these issues and pull requests, older than `delivery` and not admitted yet, on any machine */
  unadmitted(delivery: Delivery, numbers: readonly number[]): Promise<readonly Delivery[]>;
}

export interface GuardContext {
  readonly delivery: Delivery;
  readonly host: CodeHost;
  readonly rules: GuardRules;
  /** the issue as the host has it now, read once for all guards; undefined when it is gone */
  readonly readIssue: () => Promise<HostIssue | undefined>;
}

/** Why nothing starts, and the answer on GitHub, if any. */
export interface Refusal {
  /** a sentence for the log */
  readonly reason: string;
  /** a reaction `confused` on the comment that asked */
  readonly confused?: boolean;
  /** a comment, made once: `marker` is part of `body` */
  readonly comment?: { readonly marker: string; readonly body: string };
}

/** Throws what the host throws. */
export type Guard = (context: GuardContext) => Promise<Refusal | undefined>;

/** Reads a repository's settings from its default branch; or what is wrong with them. */
export type SettingsReader = (
  repository: RepositoryId,
  host: CodeHost,
) => Promise<{ readonly settings: Settings } | { readonly faults: readonly SettingsFault[] }>;
