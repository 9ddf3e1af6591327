import type { CommentsFrom, IssueSnapshot } from "../../data/discussion.ts";
import { MagisError } from "../../data/error.ts";
import type { MadePlan } from "../../data/plan.ts";
import type { RepositoryId } from "../../data/run-request.ts";
import type { RunResult } from "../../data/run-state.ts";
import type { Chosen, OperatorLimits, RepositorySettings } from "../../data/settings.ts";
import type { TaskOutcome } from "../../data/work.ts";
import type { RepositorySource } from "../../git/repository.ts";
import type { CodeHost, OwnerReads } from "../../github/code-host.ts";
import type { ChangeDescription } from "../../models/agents.ts";
import type { RunDependencies } from "../../run/open-run.ts";
import type { RunReport } from "../../run/runs.ts";
import type { LocalCheck } from "./check-work.ts";

/** One issue to resolve on one commit, without publishing anything. */
export interface LocalJob extends LocalIssue {
  chosen?: Chosen;
  /** the repository's settings, if they are known; absent: its file on the commit says */
  settings?: RepositorySettings | undefined;
  /** the change will be published: the repository's policy on AI is obeyed; `anyway`: a person has said to go on */
  publishing?: { anyway: boolean };
  /** candidates by path, in place of the locating phase; paths that do not exist are skipped */
  files?: readonly string[];
  /** paths, best first, for the Custodian to judge in place of the product's own ranking */
  ranked?: readonly string[] | undefined;
  /** reads a version that the evolution memory knows but the commit no longer has; absent: none can be read */
  readBlob?: CodeHost["readBlob"];
  /** the last phase; by default the pull request's words */
  through?: "plan" | "code" | "description";
  /** makes the check, from the command in the repository's file; undefined: no check */
  check?: (own: string | undefined) => LocalCheck | undefined;
}

/** An issue and the commit to resolve it on. */
export interface LocalIssue {
  /** the run's id */
  id: string;
  /** ISO 8601 */
  requestedAt: string;
  /** the repository's key in the evolution memory */
  repository: RepositoryId;
  /** the repository's name in reports */
  name: string;
  source: Omit<RepositorySource, "signal">;
  /** `number: 0` if the issue has none */
  issue: IssueSnapshot;
  /** the issue with the comments of people that the settings admit; absent: `issue` has all its comments */
  issueFrom?: (from: CommentsFrom) => Promise<IssueSnapshot>;
  /** reads other repositories of the owner, for `_extends` and the owner's policy on AI; absent: there are none */
  ownerReads?: OwnerReads;
}

/** What all local runs of a process share. */
export interface LocalDependencies extends Omit<RunDependencies, "openCodeHost"> {
  /** the defaults for the repository's `.github/magis.yml`, and the most that it may ask for */
  limits: OperatorLimits;
}

/** The outcome. Parts that the run did not reach are absent. */
export interface LocalOutcome {
  result: RunResult;
  /** everything finished, for `git apply`, byte for byte; empty if nothing changed */
  patch: Uint8Array;
  /** the patch before a check sent anything back; absent: nothing was checked */
  unchecked?: Uint8Array;
  plan?: MadePlan;
  description?: ChangeDescription;
  outcomes: readonly TaskOutcome[];
  report: RunReport;
}

/** Other repositories of the owner where none can be read. */
export const NO_REPOSITORIES: OwnerReads = { readFile: async () => undefined, listFolder: async () => [] };

/**
 * Stands in for the host of a job's repository: it reads what the job says how to read, and refuses everything else
 * with HOST_REFUSED, so that nothing can be written by mistake.
 */
export function absentHost({ source, readBlob, ownerReads = NO_REPOSITORIES }: LocalJob): CodeHost {
  const known: Partial<CodeHost> = {
    login: "",
    cloneUrl: source.url,
    cloneToken: source.token ?? (async () => ""),
    readBlob: readBlob ?? (async () => undefined),
    readFile: (...asked) => ownerReads.readFile(...asked),
    listFolder: (...asked) => ownerReads.listFolder(...asked),
  };
  return new Proxy(known as CodeHost, {
    get(own, key) {
      // Resolving a promise with the host reads `then`.
      if (Reflect.has(own, key) || key === "then") return Reflect.get(own, key);
      return async () => {
        throw new MagisError("HOST_REFUSED", "The repository has no code host here.", { verb: String(key) });
      };
    },
  });
}
