import type { z } from "zod";
import type { IssueSnapshot } from "../domain/issue/issue-snapshot.ts";
import type { Candidate } from "../domain/plan/candidate.ts";
import type { RoleDescription, Speech, Task } from "../domain/plan/task.ts";
import type { Check, PromptRunner } from "../prompts/prompt-runner.ts";
import { ChangeDescriptionShape, MeetingSummaryShape, RoleShape, TaskDefinitionShape } from "./answers.ts";
import type { TeamView } from "./team-view.ts";

export type TaskDefinition = z.infer<typeof TaskDefinitionShape>;
export type MeetingSummary = z.infer<typeof MeetingSummaryShape>;
export type ChangeDescription = z.infer<typeof ChangeDescriptionShape>;

/** A task as it is before a Developer has been designed for it. */
export type Assignment = Omit<Task, "developer">;

/** The Manager (3.1): breaks the issue into tasks, designs the team, leads the meeting, writes the plan. */
export interface Manager {
  /** P4: the file-level task of one candidate, or none. `content` is numbered. */
  defineTask(
    issue: IssueSnapshot,
    file: { path: string; content: string },
    others: readonly Candidate[],
  ): Promise<TaskDefinition>;
  /** P5: the Developer who suits the task */
  describeDeveloper(issue: IssueSnapshot, task: Assignment): Promise<RoleDescription>;
  openMeeting(issue: IssueSnapshot, team: TeamView): Promise<string>;
  closeMeeting(issue: IssueSnapshot, team: TeamView, record: readonly Speech[]): Promise<MeetingSummary>;
  /** P7: the work plan as code; `check` parses it */
  writePlan(team: TeamView, check: Check<string>): Promise<string>;
  /** The words of the pull request. `template` is the repository's own, or "". */
  describeChange(
    issue: IssueSnapshot,
    changes: readonly { summary: string; diff: string }[],
    template: string,
  ): Promise<ChangeDescription>;
}

export function createManager(prompts: PromptRunner): Manager {
  return {
    defineTask(issue, { path, content }, others) {
      const inputs = { issue, path, content, candidates: others };
      return prompts.ask("p04-define-task", inputs, TaskDefinitionShape, ({ needed, title, description }) =>
        needed && (title.trim() === "" || description.trim() === "")
          ? "A task that is needed must have a title and a description."
          : undefined,
      );
    },
    describeDeveloper(issue, task) {
      return prompts.ask("p05-describe-developer", { issue, task }, RoleShape);
    },
    openMeeting(issue, team) {
      return prompts.write("m01-open-meeting", { issue, ...team });
    },
    closeMeeting(issue, team, record) {
      const ids = new Set(team.tasks.map((task) => task.id));
      return prompts.ask(
        "m03-close-meeting",
        { issue, ...team, record },
        MeetingSummaryShape,
        ({ revised, dropped }) => {
          const unknown = [...revised.map((one) => one.id), ...dropped].filter((id) => !ids.has(id));
          return unknown.length > 0
            ? `There are no tasks ${unknown.join(", ")}; the tasks are ${[...ids].join(", ")}.`
            : undefined;
        },
      );
    },
    writePlan(team, check) {
      return prompts.write("p07-write-plan", { ...team }, check);
    },
    describeChange(issue, changes, template) {
      return prompts.ask("d01-describe-change", { issue, changes, template }, ChangeDescriptionShape);
    },
  };
}
