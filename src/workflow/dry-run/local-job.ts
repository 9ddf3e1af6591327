import type { SettingsSource } from "../../config/repository/read-settings.ts";
import type { ChangeDescription } from "../../llm/manager.ts";
import type { IssueSnapshot } from "../../model/issue-snapshot.ts";
import type { RepositoryId } from "../../model/repository-id.ts";
import type { RepositorySettings } from "../../model/repository-settings.ts";
import type { RunResult } from "../../model/run-result.ts";
import type { OperatorLimits } from "../../model/settings.ts";
import type { TaskOutcome } from "../../model/task-outcome.ts";
import type { RepositorySource } from "../../ports/repository.ts";
import type { RunReport } from "../../ports/run-report.ts";
import type { RunDependencies } from "../run/open-run-tools.ts";
import type { RunSettings } from "../run/run-tools.ts";
import type { MadePlan } from "../strategy/make-plan.ts";

/** What was decided for one run by whoever asked for it: it holds over the repository's own file. */
export interface Chosen
  extends Partial<Pick<RepositorySettings, "candidates" | "reviewRounds" | "effort">>,
    Partial<Pick<RunSettings, "profile" | "ablate">> {
  readonly models?: Partial<RepositorySettings["models"]>;
  readonly budget?: Partial<RepositorySettings["budget"]>;
}

/** One issue to be resolved on one commit, with nothing published. */
export interface LocalJob {
  /** the run's id */
  readonly id: string;
  /** under which the evolution memory knows the repository */
  readonly repository: RepositoryId;
  /** the repository as reports name it */
  readonly name: string;
  /** `number: 0` where the issue has none */
  readonly issue: IssueSnapshot;
  readonly source: Omit<RepositorySource, "signal">;
  /** ISO 8601 */
  readonly requestedAt: string;
  readonly chosen?: Chosen;
  /** paths that are taken for the candidates in place of the locating phase; those that do not exist are passed over */
  readonly files?: readonly string[];
  /** how far it goes; `words`, the default: to the pull request's words */
  readonly through?: "plan" | "code" | "words";
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
  readonly plan?: MadePlan;
  readonly words?: ChangeDescription;
  readonly outcomes: readonly TaskOutcome[];
  readonly report: RunReport;
}
