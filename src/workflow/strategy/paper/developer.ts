import type { z } from "zod";
import { FileChangeShape, LocationShape, RoleShape } from "../../../llm/answers.ts";
import type { Check, PromptRunner } from "../../../llm/prompt-runner.ts";
import type { TeamView } from "../../../llm/team-view.ts";
import type { Toolset } from "../../../llm/tool.ts";
import type { IssueSnapshot } from "../../../model/issue-snapshot.ts";
import type { LineInterval } from "../../../model/line-edit.ts";
import type { QaComment } from "../../../model/qa-comment.ts";
import type { RoleDescription, Speech, Task } from "../../../model/task.ts";

export type Location = z.infer<typeof LocationShape>;
export type ChangeOfFile = z.infer<typeof FileChangeShape>;
export type LocatedInterval = Location["intervals"][number];

/** A file as prompts show it: numbered lines. */
export interface ShownFile {
  readonly path: string;
  readonly content: string;
}

/** A file as a Developer sees it who changes it in one go: of a long one the parts that matter. */
export interface FileView extends ShownFile {
  readonly lineCount: number;
  readonly whole: boolean;
  /** numbered parts of other files */
  readonly places: readonly ShownFile[];
}

/** What a further round is told about the one before. */
export interface PreviousRound {
  readonly diff: string;
  readonly comments: readonly Pick<QaComment, "id" | "line" | "body">[];
  /** why it never reached the QA Engineer, or "" */
  readonly reason: string;
}

export interface TaskInput {
  readonly issue: IssueSnapshot;
  readonly task: Task;
  readonly team: TeamView;
  readonly previous: PreviousRound | null;
}

/** A Developer (3.1), designed for one task: speaks in the meeting, locates lines, writes their replacement. */
export interface Developer {
  speak(issue: IssueSnapshot, task: Task, file: ShownFile, team: TeamView, record: readonly Speech[]): Promise<string>;
  /** P6 */
  adjustRole(issue: IssueSnapshot, task: Task, agreed: string): Promise<RoleDescription>;
  /** P8 */
  describeQaEngineer(issue: IssueSnapshot, task: Task, file: ShownFile): Promise<RoleDescription>;
  /** P8, P9 and P10 together: the edits, their summary, the QA Engineer. `check` says what is wrong with them. */
  changeFile(work: TaskInput, file: FileView, check: Check<ChangeOfFile>, toolset?: Toolset): Promise<ChangeOfFile>;
  /** P9: intervals of lines to replace; `check` says what is wrong with them */
  locateLines(work: TaskInput, file: ShownFile, lineCount: number, check: Check<Location>): Promise<Location>;
  /** P10: new text for one interval; `written` are the ones before it */
  writeCode(
    work: TaskInput,
    file: ShownFile,
    part: {
      interval: LocatedInterval;
      oldPart: string;
      intervals: readonly LocatedInterval[];
      written: readonly (LineInterval & { text: string })[];
    },
  ): Promise<string>;
  /** P10 for a file that does not exist yet */
  writeNewFile(work: TaskInput, neighbours: readonly { path: string; content: string }[]): Promise<string>;
}

export function createDeveloper(prompts: PromptRunner): Developer {
  const values = ({ issue, task, team, previous }: TaskInput) => ({ issue, task, ...team, previous });
  return {
    speak(issue, task, file, team, record) {
      return prompts.write("m02-speak-in-meeting", { issue, task, ...file, ...team, record });
    },
    adjustRole(issue, task, agreed) {
      return prompts.ask("p06-adjust-role", { issue, task, agreed }, RoleShape);
    },
    describeQaEngineer(issue, task, file) {
      return prompts.ask("p08-describe-qa-engineer", { issue, task, ...file }, RoleShape);
    },
    changeFile(work, file, check, toolset) {
      const inputs = { ...values(work), ...file, turns: toolset?.turns ?? 0 };
      return prompts.ask("p09-change-file", inputs, FileChangeShape, check, toolset);
    },
    locateLines(work, file, lineCount, check) {
      return prompts.ask("p09-locate-lines", { ...values(work), ...file, lineCount }, LocationShape, check);
    },
    writeCode(work, file, part) {
      return prompts.write("p10-write-code", { ...values(work), ...file, ...part });
    },
    writeNewFile(work, neighbours) {
      return prompts.write("p10-write-new-file", { ...values(work), neighbours }, (text) =>
        text.trim() === "" ? "The answer is empty. Answer with the content of the new file." : undefined,
      );
    },
  };
}
