import { z } from "zod";
import type { ShownFile } from "../../code/edits/numbered.ts";
import type { IssueSnapshot } from "../../data/discussion.ts";
import type { Candidate, RoleDescription, Speech, Task } from "../../data/plan.ts";
import type { LineEdit, QaComment } from "../../data/work.ts";
import {
  createManager,
  orElse,
  RoleShape,
  type TaskInput,
  TaskShape,
  type TeamView,
  text,
  unjudged,
} from "../../models/agents.ts";
import type { Check, PromptRunner } from "../../models/prompt-runner.ts";

export type TaskDefinition = z.infer<typeof TaskDefinitionShape>;

export type MeetingSummary = z.infer<typeof MeetingSummaryShape>;

/** P3 */
const RelevanceShape = z.object({
  files: z.array(z.object({ path: z.string(), reason: z.string(), relevant: z.boolean() })),
});

/** P4 */
const TaskDefinitionShape = z.object({
  needed: z.boolean().describe("whether this file must change"),
  reason: z.string().describe("why, or why not"),
  action: orElse(z.enum(["modify", "delete"]), "modify"),
  title: orElse(z.string(), ""),
  description: orElse(z.string(), ""),
  newFiles: orElse(z.array(z.object({ path: text, title: text, description: text })), []),
});

/** The end of the kick-off meeting */
const MeetingSummaryShape = z.object({
  summary: text,
  revised: orElse(z.array(z.object({ id: z.string(), description: text })), []),
  dropped: orElse(z.array(z.string()), []),
  added: orElse(z.array(TaskShape), []),
});

/** P9 */
const LocationShape = z.object({
  intervals: orElse(z.array(z.object({ start: z.int(), end: z.int(), change: z.string() })), []),
  summary: z.string(),
  replies: orElse(z.array(z.object({ comment: z.string(), reply: z.string() })), []),
});

/** P11: comment and decision */
const ReviewShape = z.object({
  comments: orElse(z.array(z.object({ line: orElse(z.int(), null), body: text })), []),
  settled: orElse(z.array(z.string()), []),
  verdict: z.string(),
  approved: z.boolean(),
});

export interface SummarisedFile {
  path: string;
  summary: string;
  reasons: readonly string[];
}

export type Judgement = z.infer<typeof RelevanceShape>["files"][number];

const isEmpty = (text: string) =>
  text.trim() === "" ? "The answer is empty. Answer with the text that was asked for." : undefined;

export type PaperCustodian = ReturnType<typeof createPaperCustodian>;

/** The Repository Custodian (3.1): summarises files and their changes, and judges which of them matter. */
export function createPaperCustodian(prompts: PromptRunner) {
  return {
    /** P1: a commit message for the change from the remembered version to this one */
    async summariseChange(path: string, summary: string, diff: string): Promise<string> {
      return (await prompts.write("p01-summarise-change", { path, summary, diff }, isEmpty)).trim();
    },

    /** P2: a summary shorter than the file */
    async summariseFile(path: string, content: string): Promise<string> {
      return (await prompts.write("p02-summarise-file", { path, content }, isEmpty)).trim();
    },

    /** P3: whether each file is relevant to the issue; the answer has exactly these files */
    async judgeRelevance(issue: IssueSnapshot, files: readonly SummarisedFile[]): Promise<readonly Judgement[]> {
      const shown = files.map((file) => ({ ...file, reasons: file.reasons.join("; ") }));
      const answer = await prompts.ask(
        "p03-judge-relevance",
        { issue, files: shown },
        RelevanceShape,
        ({ files: judged }) => unjudged(files, judged),
      );
      return files.map((file) => answer.files.find((one) => one.path === file.path) as Judgement);
    },
  };
}

export type PaperManager = ReturnType<typeof createPaperManager>;

/** The Manager (3.1): breaks the issue into tasks, leads the meeting, writes the plan. */
export function createPaperManager(prompts: PromptRunner) {
  return {
    ...createManager(prompts),

    /** P4: the file-level task of one candidate, or none. `content` is numbered. */
    defineTask(
      issue: IssueSnapshot,
      { path, content }: { path: string; content: string },
      candidates: readonly Candidate[],
    ): Promise<TaskDefinition> {
      const inputs = { issue, path, content, candidates };
      return prompts.ask("p04-define-task", inputs, TaskDefinitionShape, ({ needed, title, description }) =>
        needed && (title.trim() === "" || description.trim() === "")
          ? "A task that is needed must have a title and a description."
          : undefined,
      );
    },

    openMeeting(issue: IssueSnapshot, team: TeamView): Promise<string> {
      return prompts.write("m01-open-meeting", { issue, ...team });
    },

    closeMeeting(issue: IssueSnapshot, team: TeamView, record: readonly Speech[]): Promise<MeetingSummary> {
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

    /** P7: the work plan as code, from the meeting's record (empty without a meeting); `check` parses it */
    writePlan(tasks: readonly Task[], record: readonly Speech[], check: Check<string>): Promise<string> {
      return prompts.write("p07-write-plan", { tasks, record }, check);
    },
  };
}

export type Location = z.infer<typeof LocationShape>;

export type LocatedInterval = Location["intervals"][number];

export type PaperDeveloper = ReturnType<typeof createPaperDeveloper>;

/** A Developer (3.1), designed for one task: speaks in the meeting, locates lines, writes their replacement. */
export function createPaperDeveloper(prompts: PromptRunner) {
  const values = ({ issue, task, team, previous }: TaskInput) => ({ issue, task, ...team, previous });
  return {
    speak(
      issue: IssueSnapshot,
      task: Task,
      file: ShownFile,
      team: TeamView,
      record: readonly Speech[],
    ): Promise<string> {
      return prompts.write("m02-speak-in-meeting", { issue, task, ...file, ...team, record });
    },

    /** P6: from the meeting's whole record */
    adjustRole(issue: IssueSnapshot, task: Task, record: readonly Speech[]): Promise<RoleDescription> {
      return prompts.ask("p06-adjust-role", { issue, task, record }, RoleShape);
    },

    /** P8 */
    describeQaEngineer(issue: IssueSnapshot, task: Task, file: ShownFile): Promise<RoleDescription> {
      return prompts.ask("p08-describe-qa-engineer", { issue, task, ...file }, RoleShape);
    },

    /** P9: intervals of lines to replace; `check` says what is wrong with them */
    locateLines(work: TaskInput, file: ShownFile, lineCount: number, check: Check<Location>): Promise<Location> {
      return prompts.ask("p09-locate-lines", { ...values(work), ...file, lineCount }, LocationShape, check);
    },

    /** P10: new text for one interval; `written` are the earlier ones */
    writeCode(
      work: TaskInput,
      file: ShownFile,
      part: {
        interval: LocatedInterval;
        oldPart: string;
        intervals: readonly LocatedInterval[];
        written: readonly LineEdit[];
      },
    ): Promise<string> {
      return prompts.write("p10-write-code", { ...values(work), ...file, ...part });
    },

    /** P10 for a file that does not exist yet */
    writeNewFile(work: TaskInput, neighbours: readonly { path: string; content: string }[]): Promise<string> {
      return prompts.write("p10-write-new-file", { ...values(work), neighbours }, (text) =>
        text.trim() === "" ? "The answer is empty. Answer with the content of the new file." : undefined,
      );
    },
  };
}

export type Review = z.infer<typeof ReviewShape>;

export interface ChangeUnderReview {
  issue: IssueSnapshot;
  task: Task;
  team: TeamView;
  qaEngineer: RoleDescription;
  round: number;
  lastRound: number;
  /** unified diff of the task's file */
  diff: string;
  /** the changed places of the new file, numbered; "" for a deleted file */
  excerpt: string;
  /** lines of the new file */
  lineCount: number;
  /** comments of earlier rounds that are still open */
  earlier: readonly QaComment[];
}

export type PaperQaEngineer = ReturnType<typeof createPaperQaEngineer>;

/** The QA Engineer (3.1) paired with one Developer. */
export function createPaperQaEngineer(prompts: PromptRunner) {
  return {
    /** P11: comments, which earlier ones are settled, and the decision */
    review({ lineCount, team, ...change }: ChangeUnderReview): Promise<Review> {
      return prompts.ask(
        "p11-review-change",
        { ...change, ...team },
        ReviewShape,
        ({ approved, comments, settled }) => {
          const open = change.earlier.filter(({ id }) => !settled.includes(id));
          if (!approved && comments.length === 0 && open.length === 0) {
            return "A change that is not approved needs at least one comment that says what must be put right.";
          }
          // A deleted file has no lines: ignore the line, the comment is about the file.
          const outside = comments.find(({ line }) => lineCount > 0 && line !== null && (line < 1 || line > lineCount));
          return outside ? `Line ${outside.line} is not in the file, which has ${lineCount} lines.` : undefined;
        },
      );
    },
  };
}
