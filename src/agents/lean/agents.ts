import { z } from "zod";
import type { IssueSnapshot } from "../../data/discussion.ts";
import type { PlanningView, RoleDescription, Task } from "../../data/plan.ts";
import type { QaComment } from "../../data/work.ts";
import {
  MissingText,
  orElse,
  orElseRead,
  PlaceText,
  RoleText,
  type TaskInput,
  TaskShape,
  TitleText,
  text,
  unjudged,
} from "../../models/agents.ts";
import type { AnswerByTool, AnswerTool } from "../../models/conversation.ts";
import type { Check, PromptRunner } from "../../models/prompt-runner.ts";
import { LOOKUP_ROOM, type Toolset } from "../../models/toolset.ts";
import type { FaultOf, FileView, LinesToChooseFrom, QaView, ViewedFile } from "./view/view.ts";

export type WorkPlan = z.infer<typeof WorkPlanShape>;

const EditShape = z.object({
  start: z.int(),
  end: z.int(),
  anchor: orElseRead(z.string(), ""),
  text: z.string(),
});

// Every strong call sends these: what is one line to read is a text, and what says nothing may be left out.

/** Said once, at the first tool that has edits: what all strong calls send is paid once. */
const HOW_TO_EDIT =
  "In order, without overlap. Each replaces the lines `start` to `end`, numbered as shown, by `text`: whole lines with their indentation, no more old ones than needed; an empty text deletes. `end` = `start` - 1 inserts before `start`: 1 in a new file, one more than its lines to append. `anchor` is line `start` as it is now, without its number; empty if it is not shown or there is none. For a blank line at its end, `text` ends with two line breaks.";

/** P4, P5 and P7 together, and short changes themselves */
const WorkPlanShape = z.object({
  fails: z.boolean().optional(),
  at: PlaceText.optional().transform((place) => ({ path: place?.path ?? "", line: place?.start ?? 0 })),
  questions: orElse(z.array(text), []),
  reason: text,
  tasks: orElse(
    z.array(
      TaskShape.extend({
        title: text,
        description: orElse(z.string(), ""),
        places: orElse(z.array(PlaceText), []).transform((places) => places.filter(({ start }) => start > 0)),
        developer: orElse(RoleText, { title: "Developer", description: "" }),
        edits: orElse(z.array(EditShape).describe(HOW_TO_EDIT), []),
      }),
    ),
    [],
  ),
  order: orElse(z.string(), ""),
  agreed: orElse(z.string(), ""),
  notes: orElse(z.array(text), []),
  title: orElse(z.string(), "").pipe(TitleText),
});

/** P8, P9 and P10 together */
const FileChangeShape = z.object({
  edits: orElse(z.array(EditShape), []),
  summary: orElseRead(z.string(), ""),
  replies: orElse(z.array(z.object({ comment: z.string(), reply: z.string() })), []),
  qaEngineer: orElse(RoleText, { title: "QA Engineer", description: "" }),
});

/** P11 for the change as a whole */
const WorkReviewShape = z.object({
  comments: orElse(
    z.array(
      z.object({
        path: text,
        line: orElse(z.int(), null),
        body: text,
        edits: orElse(z.array(EditShape), []),
      }),
    ),
    [],
  ),
  missing: orElse(z.array(MissingText), []),
  settled: orElse(z.array(z.string()), []),
  unfollowed: orElse(z.array(text), []),
  verdict: orElseRead(z.string(), ""),
  approved: z.boolean(),
});

const PLAN: AnswerTool<WorkPlan> = { name: "plan", description: "Manager's answer", shape: WorkPlanShape };

const CHANGE: AnswerTool<ChangeOfFile> = { name: "change", description: "Developer's answer", shape: FileChangeShape };

const REVIEW: AnswerTool<WorkReview> = { name: "review", description: "QA's answer", shape: WorkReviewShape };

const answerBy = <T>(by: AnswerTool<T>, toolset: Toolset | undefined): AnswerByTool<T> => ({
  by,
  among: [PLAN, CHANGE, REVIEW],
  toolset,
});

/** What a prompt tells of the look-ups before its answer. */
const lookupsOf = (toolset: Toolset | undefined) => ({
  turns: toolset?.turns ?? 0,
  room: toolset?.room ?? LOOKUP_ROOM,
});

export type ChangeOfFile = z.infer<typeof FileChangeShape>;

export type WorkReview = z.infer<typeof WorkReviewShape>;

/** The repository-level change as the QA Engineers review it. */
export interface WorkUnderReview extends QaView {
  issue: IssueSnapshot;
  /** what the Manager was shown; null where nobody planned from a view */
  view: PlanningView | null;
  /** the cause, as the Manager found it */
  reason: string;
  agreed: string;
  /** tasks of the plan that a commit of their own does */
  apart: readonly Task[];
  /** what the Manager leaves to the maintainer, a line each; "" for none */
  notes: string;
  changes: readonly {
    task: Task;
    qaEngineer: RoleDescription;
    /** in the Developer's words */
    summary: string;
    /** the changed places of the task's file, as `numberedDiff` gives them; "" when nothing was changed */
    diff: string;
  }[];
  round: number;
  lastRound: number;
  /** comments of earlier rounds that are still open */
  earlier: readonly QaComment[];
}

/** The Manager (3.1) when it plans in one call. */
export function createLeanManager(prompts: PromptRunner) {
  return {
    /** P4, P5 and P7 together: cause, tasks, Developers and order, after looking around with `toolset`. */
    planWork(issue: IssueSnapshot, view: PlanningView, check: Check<WorkPlan>, toolset?: Toolset): Promise<WorkPlan> {
      const inputs = { issue, view, ...lookupsOf(toolset) };
      return prompts.ask("p04-plan-work", inputs, answerBy(PLAN, toolset), check);
    },
  };
}

export type LeanDeveloper = ReturnType<typeof createLeanDeveloper>;

/** A Developer (3.1) who changes a file in one call. */
export function createLeanDeveloper(prompts: PromptRunner) {
  return {
    /** P8, P9 and P10 together: the edits, their summary, the QA Engineer. `check` says what is wrong with them. */
    changeFile(
      { issue, task, team, previous }: TaskInput,
      file: FileView,
      check: Check<ChangeOfFile>,
      toolset?: Toolset,
    ): Promise<ChangeOfFile> {
      const inputs = { issue, task, ...team, previous, ...file, ...lookupsOf(toolset) };
      return prompts.ask("p09-change-file", inputs, answerBy(CHANGE, toolset), check);
    },
  };
}

export type LeanQaEngineer = ReturnType<typeof createLeanQaEngineer>;

/** The QA Engineers (3.1) when they review the change as a whole. */
export function createLeanQaEngineer(prompts: PromptRunner) {
  return {
    /** P11 for the change as a whole; `check` says what is wrong with the review. */
    reviewWork(work: WorkUnderReview, check: Check<WorkReview>, toolset?: Toolset): Promise<WorkReview> {
      const inputs = { ...work, ...lookupsOf(toolset) };
      return prompts.ask("p11-review-work", inputs, answerBy(REVIEW, toolset), check);
    },
  };
}

export type Shortlist = z.infer<typeof ShortlistShape>;

/** P1 to P3 together */
const ShortlistShape = z.object({
  files: orElse(
    z.array(
      z.object({
        path: z.string(),
        verdict: z.enum(["change", "read", "no"]),
        reason: orElseRead(z.string(), ""),
        names: orElse(z.array(z.string()), []),
        summary: orElse(z.string(), ""),
      }),
    ),
    [],
  ),
  more: orElse(
    z.array(
      z.object({
        path: z.string(),
        verdict: z.enum(["change", "read"]),
        reason: orElse(z.string(), ""),
        names: orElse(z.array(z.string()), []),
      }),
    ),
    [],
  ),
});

/** The lines of the found files that the Manager plans from */
const ChosenLinesShape = z.object({ lines: z.array(z.string()) });

const SHORTLIST: AnswerTool<Shortlist> = {
  name: "shortlist",
  description: "Custodian's answer",
  shape: ShortlistShape,
};

const LINES: AnswerTool<z.infer<typeof ChosenLinesShape>> = {
  name: "lines",
  description: "Custodian's answer",
  shape: ChosenLinesShape,
};

/** How the Custodian may look further, and what is wrong with a path or place that it names. */
interface Further {
  toolset: Toolset | undefined;
  faultOf: FaultOf;
}

/** The Repository Custodian (3.1) when it judges all files in one call. */
export function createLeanCustodian(prompts: PromptRunner) {
  return {
    /**
     * P1 to P3 together, and beyond the paper: each file's verdict, the missing summaries, and files that the search
     * missed, named from `map` or found with `toolset`. Files that the answer leaves out do not matter to the issue.
     */
    shortlist(
      issue: IssueSnapshot,
      files: readonly ViewedFile[],
      { map, toolset, faultOf }: Further & { map: string },
    ): Promise<Shortlist> {
      const faults = reportOnce(faultOf);
      const check: Check<Shortlist> = ({ files: judged, more }) =>
        judged.length + more.length > 0 ? faults(more.map(({ path }) => path)) : unjudged(files, judged);
      const inputs = { issue, files, map, ...lookupsOf(toolset) };
      return prompts.ask("c02-locate-files", inputs, answerOf(SHORTLIST, toolset), check);
    },

    /** Beyond the paper: which of many lines the Manager has to see. */
    chooseLines(
      issue: IssueSnapshot,
      view: LinesToChooseFrom,
      { toolset, faultOf }: Further,
    ): Promise<{ lines: readonly string[] }> {
      const faults = reportOnce(faultOf);
      const check: Check<z.infer<typeof ChosenLinesShape>> = ({ lines }) =>
        lines.length > 0 ? faults(lines) : "Choose at least one place.";
      const inputs = { issue, ...view, ...lookupsOf(toolset) };
      return prompts.ask("c03-choose-lines", inputs, answerOf(LINES, toolset), check);
    },
  };
}

/** The Custodian's tools are its own: it shares no cache with the others. */
const answerOf = <T>(by: AnswerTool<T>, toolset: Toolset | undefined) =>
  toolset ? { by, among: [by], toolset } : by.shape;

/** Reports all faults of the named files or places, but only once: after that they are accepted. */
function reportOnce(faultOf: FaultOf): (named: readonly string[]) => string | undefined {
  let wasReported = false;
  return (named) => {
    const faults = wasReported ? [] : named.flatMap((one) => faultOf(one) ?? []);
    if (faults.length === 0) return undefined;
    wasReported = true;
    return `${faults.join("\n")}\nGive the whole answer again without them, with others in their place if there are any.`;
  };
}
