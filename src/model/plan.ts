import type { CostEstimate } from "./spend.ts";

/** The plan, and, when it has no task, why nothing needs to change. */
export interface MadePlan extends Plan {
  /** the meeting's summary: what the Developers agreed on; "" for a team of one */
  readonly agreed: string;
  readonly reason: string;
  /** how many files would have had to change but may not */
  readonly refused: number;
  /** what its author has to say before anything can be done; then there are no tasks */
  readonly questions?: readonly string[];
  /** there are no tasks, and yet something may have to change: `reason` says why nothing was planned */
  readonly unsolved?: boolean;
  readonly description?: PlannedDescription;
  /** the line at which the example goes wrong, in the file before the change */
  readonly at?: FaultLine;
}

/** A 1-based line of a file. */
export interface FaultLine {
  readonly path: string;
  readonly line: number;
}

/** A Developer or QA Engineer, described by the Manager (P5) or the Developer (P8) for one task. */
export interface RoleDescription {
  /** e.g. "HTTP header parsing developer" */
  readonly title: string;
  /** skills and duties, a few sentences */
  readonly description: string;
}

export const TASK_ACTIONS = ["modify", "create", "delete"] as const;

export type TaskAction = (typeof TASK_ACTIONS)[number];

/** Lines of a file, 1-based, both inclusive. */
export interface Place {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A file-level task (P4): what must happen to one file so that the issue is resolved. */
export interface Task {
  /** `t1`, `t2`, … in the order of the candidates */
  readonly id: string;
  readonly path: string;
  readonly action: TaskAction;
  /** one line */
  readonly title: string;
  readonly description: string;
  /** the Developer designed for it (P5, adjusted by P6) */
  readonly developer: RoleDescription;
  /** what its Developer has to see: parts of its own file when that is long, and of others */
  readonly places?: readonly Place[];
  /** the change itself, where it is short and the Manager has seen all of it; it is checked like a Developer's */
  readonly draft?: {
    readonly edits: readonly {
      readonly start: number;
      readonly end: number;
      readonly anchor: string;
      readonly text: string;
    }[];
    /** what it does, in a sentence */
    readonly summary: string;
  };
  /** ids of the people's comments that the description quotes (`th1`, `re2`); each is to be answered (P9's `replies`) */
  readonly threads?: readonly string[];
}

/** The order of tasks, as parsed from the plan's code (P7). */
export type PlanNode =
  | { readonly run: string }
  | { readonly sequence: readonly PlanNode[] }
  | { readonly concurrently: readonly PlanNode[] };

/** No plan that we write is nested deeper. */
const MAX_DEPTH = 100;

/** Whether a kept value is an order of tasks, all the way down. */
export function isPlanNode(value: unknown, depth = 0): value is PlanNode {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
  const { run, sequence, concurrently } = value as Partial<Record<"run" | "sequence" | "concurrently", unknown>>;
  if (typeof run === "string") return true;
  const branches = sequence ?? concurrently;
  return Array.isArray(branches) && branches.every((branch) => isPlanNode(branch, depth + 1));
}

/** One speech of the kick-off meeting. */
export interface Speech {
  readonly speaker: string;
  readonly text: string;
}

/** The Manager's work plan (Algorithm 2). */
export interface Plan {
  readonly tasks: readonly Task[];
  readonly order: PlanNode;
  /** the order as code: the Manager's, or where it wrote none, all at once */
  readonly source: string;
  /** why the program's own order (one task after the other) was taken instead, if it was */
  readonly fallback?: string;
  /** the kick-off meeting's record; empty for a team of one */
  readonly meeting: readonly Speech[];
  /** for the maintainer: what is like the issue and no part of it */
  readonly notes?: readonly string[];
}

/** A file that the Custodian holds to be relevant (Algorithm 1), without its content. */
export interface Candidate {
  readonly path: string;
  /** git blob id at the run's commit */
  readonly blob: string;
  readonly score: number;
  /** why it was found, in words */
  readonly reasons: readonly string[];
  readonly summary: string;
  /** declarations in it that matter most, as the Custodian names them */
  readonly names?: readonly string[];
  /** `read`: others should know it, but it need not change itself; absent: it may have to change */
  readonly use?: "read";
}

/** Types of conventional commits. */
export const COMMIT_TYPES = ["fix", "feat", "docs", "refactor", "perf", "test", "build", "chore"] as const;

export type CommitType = (typeof COMMIT_TYPES)[number];

/** What the Manager says in commit and pull request, where it has found it while planning. */
export interface PlannedDescription {
  readonly type: CommitType;
  /** what stands between its type and the colon: `(parser)`, `(parser)!`, `!` */
  readonly scope?: string;
  /** the commit's subject without its type */
  readonly title: string;
  /** what was wrong or missing, and why */
  readonly problem: string;
}

/** A plan as it is put before a person who is to approve it. */
export interface ProposedPlan {
  readonly tasks: readonly Pick<Task, "id" | "path" | "action" | "title" | "description">[];
  readonly order: PlanNode;
  readonly meeting: readonly Speech[];
  readonly estimate: CostEstimate;
  /** the commit that it was made for, 40 hex digits, and its branch */
  readonly base: { readonly branch: string; readonly commit: string };
}
