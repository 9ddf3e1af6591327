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
  openCodeHost: OpenCodeHost;
  store: RunStore;
  queue: RunQueue;
  /** absent where nothing is kept */
  notes?: MaintainerNotes;
  log: Log;
  /** absent where no audit log is kept */
  audit?: Audit | undefined;
  readSettings: SettingsReader;
}

/** The operator's values; a repository's own take their place. */
export interface AdmissionRules {
  /** of a run */
  budget: Budget;
  label: string;
  allowedBots: readonly string[];
  /** labels and issue types of what people do themselves */
  skipLabels: readonly string[];
  /** absent until the repository's settings are read */
  proof?: Settings["proof"];
}

/** The part of the rules that guards ask about. */
export interface GuardRules extends Partial<AdmissionRules> {
  allowedBots: readonly string[];
  /** the app's pull request that does not rule out another: a person has taken it over */
  takenOver?: number | undefined;
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
  delivery: Delivery;
  host: CodeHost;
  rules: GuardRules;
  /** the issue as the host has it now, read once for all guards; undefined when it is gone */
  readIssue: () => Promise<HostIssue | undefined>;
}

/** Why nothing starts, and the answer on GitHub, if any. */
export interface Refusal {
  /** a sentence for the log */
  reason: string;
  /** a reaction `confused` on the comment that asked */
  confused?: boolean;
  /** a comment, made once: `marker` is part of `body` */
  comment?: { marker: string; body: string };
}

/** Throws what the host throws. */
export type Guard = (context: GuardContext) => Promise<Refusal | undefined>;

/** Reads a repository's settings from its default branch; or what is wrong with them. */
export type SettingsReader = (
  repository: RepositoryId,
  host: CodeHost,
) => Promise<{ settings: Settings } | { faults: readonly SettingsFault[] }>;
