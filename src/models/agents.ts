import { z } from "zod";
import type { IssueSnapshot, Utterance } from "../data/discussion.ts";
import {
  COMMIT_TYPES,
  type CommitType,
  type Place,
  type PlannedDescription,
  type RoleDescription,
  TASK_ACTIONS,
  type Task,
} from "../data/plan.ts";
import type { QaComment } from "../data/work.ts";
import type { Check, PromptRunner } from "./prompt-runner.ts";

export type CommentAssignment = z.infer<typeof CommentAssignmentShape>;

export type RepairPlan = z.infer<typeof RepairShape>;

export type ChangeDescription = z.infer<typeof ChangeDescriptionShape> & Pick<PlannedDescription, "scope">;

/** A task without a Developer yet. */
export type Assignment = Omit<Task, "developer">;

/** The pull request as the Manager sees it when people comment on it. */
export interface PullRequestView {
  /** title and description */
  description: string;
  /** the changed files at the head, numbered */
  files: readonly { path: string; content: string }[];
  /** other files of the repository */
  paths: readonly string[];
  /** the earlier comments and answers, oldest first */
  conversation: readonly Utterance[];
}

/** A passage of a repository's documents that may be about contributions made with AI. */
export interface Passage {
  number: number;
  path: string;
  /** 1-based */
  line: number;
  text: string;
}

/** What a passage asks of a change that AI wrote. */
export type PolicyVerdict = z.infer<typeof PolicyShape>;

/** Beyond the paper: the Custodian reads what the repository asks of contributions made with AI. */
export function judgePolicy(
  prompts: PromptRunner,
  passages: readonly Passage[],
  check: Check<PolicyVerdict>,
): Promise<PolicyVerdict> {
  return prompts.ask("c01-judge-policy", { passages }, PolicyShape, check);
}

export type Manager = ReturnType<typeof createManager>;

/** The Manager's work in every profile (3.1): designs Developers, and speaks for the team on the pull request. */
export function createManager(prompts: PromptRunner) {
  return {
    /** P5: designs the Developer for a task */
    describeDeveloper(issue: IssueSnapshot, task: Assignment): Promise<RoleDescription> {
      return prompts.ask("p05-describe-developer", { issue, task }, RoleShape);
    },

    /**
     * Beyond the paper: plans the repair of the failing checks that `issue` describes, or says why no change can repair
     * them. `others`: paths of files that are not shown; `earlier`: what was tried before.
     */
    planRepair(
      issue: IssueSnapshot,
      material: {
        files: readonly { path: string; content: string }[];
        others: readonly string[];
        earlier: readonly string[];
      },
      check: Check<RepairPlan>,
    ): Promise<RepairPlan> {
      return prompts.ask("k01-plan-repair", { issue, ...material }, RepairShape, check);
    },

    /** Describes the pull request. `template` is the repository's own, or "". */
    describeChange(
      issue: IssueSnapshot,
      changes: readonly { summary: string; diff: string }[],
      template: string,
    ): Promise<ChangeDescription> {
      return prompts.ask("d01-describe-change", { issue, changes, template }, ChangeDescriptionShape);
    },

    /** Answers comments on the pull request and makes tasks of them; each comment gets exactly one answer. */
    assignComments(
      issue: IssueSnapshot,
      pullRequest: PullRequestView,
      comments: readonly { id: string; author: string; body: string }[],
      check: Check<CommentAssignment>,
    ): Promise<CommentAssignment> {
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

const CommitTypeShape = z.enum(COMMIT_TYPES);

// The shapes of structured answers. Providers drop limits from the schema; they are checked when the answer is read.

export const text = z.string().trim().min(1);

/** A field that an answer may leave out, with its default. */
export const orElse = <T extends z.ZodType, E extends z.output<T> | null>(shape: T, value: E) =>
  shape
    .optional()
    .transform((given): z.output<T> | Extract<E, null> => given ?? (value as z.output<T> | Extract<E, null>));

/**
 * A field that the schema requires of the model, although answers without it are usable: reading an answer fills in the
 * default.
 */
export const orElseRead = <T extends z.ZodType>(shape: T, value: z.input<T>) =>
  z.preprocess((given) => given ?? value, shape);

/** `src/a.ts:12-30`, `src/a.ts:12`; line 0 for a path alone */
export const PlaceText = z.preprocess(asText, z.string()).transform((written): Place => {
  const [, path = written, start = "0", end = start] =
    /^(.+?):(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?$/s.exec(written.trim()) ?? [];
  return { path: path.trim(), start: Number(start), end: Number(end) };
});

/** `HTTP developer: keep to the older servers`, or the title alone */
export const RoleText = z.preprocess(asText, z.string()).transform((written): RoleDescription => {
  const [, title = "", description = ""] = /^([^:]{0,80}):(.*)$/s.exec(written) ?? [null, written.slice(0, 80), ""];
  return { title: title.trim() || "Engineer", description: description.trim() };
});

/** `docs/use.md: mention the option`; `docs/use.md: delete` deletes the file */
export const MissingText = z.preprocess(asText, text).transform((written): MissingFile => {
  const [, path = written, words = ""] = /^(.+?):\s(.*)$/s.exec(written) ?? [];
  return { path: path.replaceAll("`", "").trim(), words: words.trim() || "It has to change, too." };
});

const MAX_TITLE = 100;

/**
 * A task's title: the first sentence of its description; a long one is cut between words and never within a code span.
 */
export function titleOf(words: string): string {
  const [sentence = ""] = words.trimEnd().split(/[.;](?:\s|$)|\n/, 1);
  const title =
    sentence.length > MAX_TITLE ? `${sentence.slice(0, MAX_TITLE).replace(/(?<!\s)\s+\S*$/, "")}…` : sentence;
  return title.split("`").length % 2 === 0 ? title.replaceAll("`", "") : title;
}

/** A file that a change lacks, and what has to change in it. */
export interface MissingFile {
  path: string;
  words: string;
}

const TITLED_TYPE = new RegExp(`^(${COMMIT_TYPES.join("|")})(\\([^()]*\\))?(!?):\\s*`, "i");

/** A commit's type and its subject. */
interface CommitTitle extends Pick<PlannedDescription, "scope" | "title"> {
  type: CommitType;
}

/** `fix(parser): keep the limit`: the type defaults to `fix`; the scope keeps its brackets and mark as written */
export const TitleText = z.string().transform((written): CommitTitle => {
  const [said = "", type = "fix", scope = "", breaking = ""] = TITLED_TYPE.exec(written.trim()) ?? [];
  const area = scope + breaking;
  return {
    type: CommitTypeShape.parse(type.toLowerCase()),
    title: written.trim().slice(said.length),
    scope: area === "" ? undefined : area,
  };
});

/** Joins a role, missing file or place that the model gave as an object instead of a text. */
function asText(given: unknown): unknown {
  if (typeof given !== "object" || given === null) return given;
  const {
    path,
    line,
    start = line,
    end = start,
    action,
    title,
    description,
  } = given as Readonly<Record<string, unknown>>;
  if (path === undefined) return `${title}: ${description}`;
  if (title === undefined) return `${path}:${start}-${end}`;
  return `${path}: ${action === "delete" ? action : `${title}. ${description}`}`;
}

/** P5, P6, P8 */
export const RoleShape = z.object({ title: text, description: text });

export const TaskShape = z.object({
  path: text,
  action: z.enum(TASK_ACTIONS),
  title: text.describe("one line"),
  description: text,
});

/** The answers to comments on the pull request, and the tasks made of them */
export const CommentAssignmentShape = z.object({
  replies: z.array(z.object({ comment: z.string(), reply: text })),
  tasks: orElse(z.array(TaskShape.extend({ comments: z.array(z.string()) })), []),
});

export const RepairShape = z.object({
  repairable: z.boolean(),
  reason: text,
  title: orElse(z.string(), ""),
  tasks: orElse(z.array(TaskShape), []),
});

const PolicyShape = z.object({
  answer: z.enum(["forbidden", "no-bots", "supervised", "disclose", "none"]),
  passage: orElse(z.number(), 0),
  quote: orElse(z.string(), ""),
  form: orElse(z.enum(["trailer", "marker", "text", ""]), ""),
  mark: orElse(z.string(), ""),
});

export const ChangeDescriptionShape = z.object({
  type: CommitTypeShape,
  title: text,
  problem: text,
  solution: text,
  template: orElse(z.string(), ""),
});

/** What each member of the team sees of the others: values of the `team` partial. */
export interface TeamView {
  tasks: readonly Task[];
  /** the meeting's summary, or "" */
  agreed: string;
  /** diffs of the finished tasks */
  finished: readonly string[];
}

/** What a further round learns about the previous one. */
export interface PreviousRound {
  diff: string;
  comments: readonly Pick<QaComment, "id" | "line" | "body">[];
  /** why it never reached the QA Engineer, or "" */
  reason: string;
}

/** What a Developer is given. */
export interface TaskInput {
  issue: IssueSnapshot;
  task: Task;
  team: TeamView;
  previous: PreviousRound | null;
}

/** The reply to a Custodian that did not judge all files; undefined when it did. */
export function unjudged(files: readonly { path: string }[], judged: readonly { path: string }[]): string | undefined {
  const missing = files.filter((file) => !judged.some((one) => one.path === file.path));
  if (missing.length === 0) return undefined;
  return `These files were not judged: ${missing.map((file) => file.path).join(", ")}. Judge every file, by its path as given.`;
}
