import type { z } from "zod";
import type { Candidate } from "../model/candidate.ts";
import type { Utterance } from "../model/feedback.ts";
import type { IssueSnapshot } from "../model/issue-snapshot.ts";
import type { RoleDescription, Speech, Task } from "../model/task.ts";
import {
  ChangeDescriptionShape,
  CommentAssignmentShape,
  FilledTemplateShape,
  MeetingSummaryShape,
  RepairShape,
  RoleShape,
  TaskDefinitionShape,
  WorkPlanShape,
} from "./answers.ts";
import type { Check, PromptRunner } from "./prompt-runner.ts";
import type { TeamView } from "./team-view.ts";
import type { Toolset } from "./tool.ts";

export type TaskDefinition = z.infer<typeof TaskDefinitionShape>;
export type MeetingSummary = z.infer<typeof MeetingSummaryShape>;
export type CommentAssignment = z.infer<typeof CommentAssignmentShape>;
export type WorkPlan = z.infer<typeof WorkPlanShape>;
export type RepairPlan = z.infer<typeof RepairShape>;
export type ChangeDescription = z.infer<typeof ChangeDescriptionShape>;

/** A task as it is before a Developer has been designed for it. */
export type Assignment = Omit<Task, "developer">;

/** What the Manager sees of the repository when it plans the whole work in one go. */
export interface PlanningView {
  /** `content` is numbered; `size` in lines; of a file that is not `whole`, parts */
  readonly files: readonly { path: string; content: string; size: number; whole: boolean }[];
  readonly others: readonly { path: string; summary: string }[];
  /** tests that seem to belong to them, with names that they declare */
  readonly tests: readonly { path: string; names: string; sample: string }[];
  /** the beginning of the repository's changelog, numbered; null when there is none */
  readonly changelog: { path: string; content: string } | null;
}

/** The pull request as the Manager sees it when people speak on it. */
export interface PullRequestView {
  /** title and description */
  readonly words: string;
  /** the changed files at the head, numbered */
  readonly files: readonly { path: string; content: string }[];
  /** other files of the repository */
  readonly paths: readonly string[];
  /** what was said and answered before, oldest first */
  readonly conversation: readonly Utterance[];
}

/** The Manager (3.1): breaks the issue into tasks, designs the team, leads the meeting, writes the plan. */
export interface Manager {
  /** P4: the file-level task of one candidate, or none. `content` is numbered. */
  defineTask(
    issue: IssueSnapshot,
    file: { path: string; content: string },
    others: readonly Candidate[],
  ): Promise<TaskDefinition>;
  /** P4, P5 and P7 together: cause, tasks, Developers and order, after looking around with `toolset`. */
  planWork(issue: IssueSnapshot, view: PlanningView, check: Check<WorkPlan>, toolset?: Toolset): Promise<WorkPlan>;
  /** P5: the Developer who suits the task */
  describeDeveloper(issue: IssueSnapshot, task: Assignment): Promise<RoleDescription>;
  openMeeting(issue: IssueSnapshot, team: TeamView): Promise<string>;
  closeMeeting(issue: IssueSnapshot, team: TeamView, record: readonly Speech[]): Promise<MeetingSummary>;
  /** P7: the work plan as code; `check` parses it */
  writePlan(team: TeamView, check: Check<string>): Promise<string>;
  /**
   * Beyond the paper: the tasks that repair failing checks, which `issue` tells of, or why no change can. `others` are
   * paths of files that are not shown; `earlier` what was tried before.
   */
  planRepair(
    issue: IssueSnapshot,
    material: {
      files: readonly { path: string; content: string }[];
      others: readonly string[];
      earlier: readonly string[];
    },
    check: Check<RepairPlan>,
  ): Promise<RepairPlan>;
  /** The repository's template, filled in for a change whose words are there; `changes` are its paths. */
  fillTemplate(
    number: number,
    words: { title: string; problem: string; solution: string },
    changes: readonly string[],
    template: string,
  ): Promise<string>;
  /** The words of the pull request. `template` is the repository's own, or "". */
  describeChange(
    issue: IssueSnapshot,
    changes: readonly { summary: string; diff: string }[],
    template: string,
  ): Promise<ChangeDescription>;
  /** What is said and done about comments on the pull request; every one is answered for, and no other. */
  assignComments(
    issue: IssueSnapshot,
    pullRequest: PullRequestView,
    comments: readonly { id: string; author: string; body: string }[],
    check: Check<CommentAssignment>,
  ): Promise<CommentAssignment>;
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
    planWork(issue, view, check, toolset) {
      return prompts.ask(
        "p04-plan-work",
        { issue, ...view, turns: toolset?.turns ?? 0 },
        WorkPlanShape,
        check,
        toolset,
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
    planRepair(issue, material, check) {
      return prompts.ask("k01-plan-repair", { issue, ...material }, RepairShape, check);
    },
    async fillTemplate(number, words, changes, template) {
      const inputs = { number, words, changes, template };
      return (await prompts.ask("d02-fill-template", inputs, FilledTemplateShape)).template;
    },
    describeChange(issue, changes, template) {
      return prompts.ask("d01-describe-change", { issue, changes, template }, ChangeDescriptionShape);
    },
    assignComments(issue, pullRequest, comments, check) {
      const ids = comments.map(({ id }) => id);
      const inputs = { issue, ...pullRequest, comments };
      return prompts.ask("r01-assign-comments", inputs, CommentAssignmentShape, (answer) => {
        const silent = ids.filter((id) => !answer.replies.some(({ comment }) => comment === id));
        if (silent.length > 0) return `These comments have no reply: ${silent.join(", ")}.`;
        const named = [
          ...answer.replies.map(({ comment }) => comment),
          ...answer.tasks.flatMap((task) => task.comments),
        ];
        const unknown = named.filter((id) => !ids.includes(id));
        if (unknown.length > 0) return `There are no comments ${unknown.join(", ")}; they are ${ids.join(", ")}.`;
        return check(answer);
      });
    },
  };
}
