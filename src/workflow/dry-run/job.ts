import type { SettingsSource } from "../../config/repository/read-settings.ts";
import type { ChangeDescription } from "../../llm/agents.ts";
import type { CommentsFrom, IssueSnapshot } from "../../model/discussion.ts";
import { MagisError } from "../../model/error.ts";
import type { MadePlan } from "../../model/plan.ts";
import type { RepositoryId } from "../../model/run-request.ts";
import type { RunResult } from "../../model/run-state.ts";
import type { Chosen, OperatorLimits } from "../../model/settings.ts";
import type { TaskOutcome } from "../../model/work.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { RepositorySource } from "../../ports/repository.ts";
import type { RunReport } from "../../ports/runs.ts";
import type { RunDependencies } from "../run/open-run.ts";
import type { LocalCheck } from "./check-work.ts";

/** One issue to be resolved on one commit, with nothing published. */
export interface LocalJob extends LocalIssue {
  readonly chosen?: Chosen;
  /** paths that are taken for the candidates in place of the locating phase; those that do not exist are passed over */
  readonly files?: readonly string[];
  /** paths, best first, that the Custodian judges in place of the product's own ranking */
  readonly ranked?: readonly string[] | undefined;
  /** reads a version that the evolution memory knows and the commit no longer holds; absent: none can be read */
  readonly readBlob?: CodeHost["readBlob"];
  /** how far it goes; by default to the pull request's words */
  readonly through?: "plan" | "code" | "description";
  /** what checks the change, given the command that the repository's file names; undefined: nothing is run */
  readonly check?: (own: string | undefined) => LocalCheck | undefined;
}

/** An issue and the commit to resolve it on. */
export interface LocalIssue {
  /** the run's id */
  readonly id: string;
  /** ISO 8601 */
  readonly requestedAt: string;
  /** under which the evolution memory knows the repository */
  readonly repository: RepositoryId;
  /** the repository as reports name it */
  readonly name: string;
  readonly source: Omit<RepositorySource, "signal">;
  /** `number: 0` where the issue has none */
  readonly issue: IssueSnapshot;
  /** the issue with the comments of those who are heard; absent: it has none but those that it shows */
  readonly issueFrom?: (from: CommentsFrom) => Promise<IssueSnapshot>;
  /** a file of another repository of the owner, for `_extends`; absent: there are none */
  readonly readOwnerFile?: SettingsSource["readOwnerFile"];
}

/** What all local runs of a process share. */
export interface LocalDependencies extends Omit<RunDependencies, "openCodeHost"> {
  /** what holds where the repository's `.github/magis.yml` says nothing, and the most that it may ask for */
  readonly limits: OperatorLimits;
}

/** What came of it. Parts that the run did not come to are absent. */
export interface LocalOutcome {
  readonly result: RunResult;
  /** of all that is finished, for `git apply`, byte by byte; empty when nothing was changed */
  readonly patch: Uint8Array;
  /** the same before a check sent anything back; absent: nothing was checked */
  readonly unchecked?: Uint8Array;
  readonly plan?: MadePlan;
  readonly description?: ChangeDescription;
  readonly outcomes: readonly TaskOutcome[];
  readonly report: RunReport;
}

/**
 * In place of the host of a repository that has none: it knows no blob beyond the clone, and refuses everything else
 * with HOST_REFUSED, so that nothing can be written by mistake.
 * @param cloneUrl where the repository is, as `OpenRepository` takes it
 * @param token what it needs to be read, if anything
 * @param readBlob finds blobs all the same
 */
export function absentHost(
  cloneUrl: string,
  token: () => Promise<string> = async () => "",
  readBlob: CodeHost["readBlob"] = async () => undefined,
): CodeHost {
  const known: Partial<CodeHost> = {
    login: "",
    cloneUrl,
    cloneToken: token,
    reserveWrites: async () => 0,
    readBlob,
  };
  return new Proxy(known as CodeHost, {
    get(own, key) {
      // A promise that gives the host asks whether it is one itself.
      if (Reflect.has(own, key) || key === "then") return Reflect.get(own, key);
      return async () => {
        throw new MagisError("HOST_REFUSED", "The repository has no code host here.", { verb: String(key) });
      };
    },
  });
}
