import type { PromptRunner } from "../../llm/prompt-runner.ts";
import type { BudgetLimit } from "../../model/budget.ts";
import type { FileChange } from "../../model/file-change.ts";
import type { IssueSnapshot } from "../../model/issue-snapshot.ts";
import type { QaComment } from "../../model/qa-comment.ts";
import type { RoleDescription, Task } from "../../model/task.ts";
import type { TaskOutcome } from "../../model/task-outcome.ts";
import type { Log } from "../../ports/log.ts";
import type { Repository } from "../../ports/repository.ts";
import type { SourceParser } from "../../ports/source-parser.ts";
import type { PathPolicy } from "../change/create-path-policy.ts";
import type { MadePlan } from "../strategy/make-plan.ts";
import type { RunSettings } from "./run-tools.ts";
import type { Tracker } from "./tracker.ts";

/** What the Developers and QA Engineers made of the plan. */
export interface Work {
  readonly outcomes: readonly TaskOutcome[];
  /** the repository-level change against the base commit */
  readonly changes: readonly FileChange[];
  /** the same as a patch for `git apply` */
  readonly patch: string;
  /** tasks that the last review found to be missing from the plan */
  readonly added?: readonly Task[];
  /** the limit that ended the work early, and the tasks it left undone */
  readonly stopped?: { readonly limit: BudgetLimit; readonly unfinished: readonly string[] };
}

/** What a task takes over from an earlier run: its QA Engineer, and comments that its change is to settle. */
export interface Inheritance {
  readonly qaRole?: RoleDescription | undefined;
  readonly earlier?: readonly QaComment[] | undefined;
}

/** What the coding phase works with. */
export interface CodeInput {
  readonly issue: IssueSnapshot;
  readonly plan: MadePlan;
  readonly repository: Repository;
  readonly prompts: PromptRunner;
  readonly parser: SourceParser;
  readonly policy: PathPolicy;
  readonly settings: Pick<RunSettings, "reviewRounds" | "profile" | "ablate">;
  readonly tracker: Pick<Tracker, "task" | "addTasks" | "detail">;
  readonly log: Log;
  /** what an earlier run left for tasks, by their ids */
  readonly inherited?: ReadonlyMap<string, Inheritance>;
  record(part: string, value: unknown): Promise<void>;
}
