import type { TeamView } from "../../../llm/team-view.ts";
import type { IssueSnapshot } from "../../../model/issue-snapshot.ts";
import type { Task } from "../../../model/task.ts";
import type { Repository } from "../../../ports/repository.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import type { Developer, PreviousRound } from "./developer.ts";

/** What one attempt of the Developer starts from. */
export interface AttemptInput {
  readonly issue: IssueSnapshot;
  readonly task: Task;
  readonly team: TeamView;
  readonly repository: Pick<Repository, "entries" | "readBlob">;
  readonly developer: Developer;
  readonly parser: SourceParser;
  /** the file before the task */
  readonly before: Uint8Array | undefined;
  readonly previous: PreviousRound | null;
}

/**
 * One attempt of the Developer. `after: undefined` deletes the file; `unchanged` is the Developer's word on why nothing
 * has to change; `rejected` says why the attempt cannot be shown to QA, in words the Developer can act on.
 */
export type AttemptResult =
  | { readonly after: Uint8Array | undefined; readonly summary: string; readonly replies: ReadonlyMap<string, string> }
  | { readonly unchanged: string; readonly replies: ReadonlyMap<string, string> }
  | { readonly rejected: string };
