import type { CostEstimate } from "./spend.ts";

/** The plan, or, when it has no tasks, the reason why nothing needs to change. */
export interface MadePlan extends Plan {
  /** the meeting's summary: what the Developers agreed on; "" for a team of one */
  readonly agreed: string;
  readonly reason: string;
  /** how many files need a change but may not be changed */
  readonly refused: number;
  /** what the author has to answer first; then there are no tasks */
  readonly questions?: readonly string[];
  /** there are no tasks, although something may have to change: `reason` says why */
  readonly unsolved?: boolean;
  readonly description?: PlannedDescription;
  /** where the example goes wrong, in the file before the change */
  readonly at?: FaultLine;
  readonly policy?: AiPolicy;
}

/** What a repository's documents ask of a change that AI wrote. */
export interface AiPolicy {
  readonly asks: (typeof AI_POLICIES)[number];
  /** the sentence that says so, and where it stands; untrusted */
  readonly quote: string;
  readonly path: string;
  /** 1-based */
  readonly line: number;
  /** the trailer that commits are to carry */
  readonly trailer?: "Assisted-by" | "Generated-by";
  /** an HTML comment that the pull request is to hold */
  readonly marker?: string;
}

/** A comment that nobody sees, holds plain words only, and is none of our own marks. */
export const POLICY_MARKER = /^<!-- ?(?!magis:)\w[\w .:,-]{0,80} ?-->$/;

/** Nothing made by AI; no bots as authors; a person answers for it; it is said. */
export const AI_POLICIES = ["forbidden", "no-bots", "supervised", "disclose"] as const;

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
  /** what the Developer has to see: parts of a long file, and parts of other files */
  readonly places?: readonly Place[];
  /** the Manager's own short change, when it has seen every line; it is checked like a Developer's */
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
  /** ids of the feedback that the description quotes (`th1`, `re2`); each needs an answer (P9's `replies`) */
  readonly threads?: readonly string[];
}

/** The order of tasks, as parsed from the plan's code (P7). */
export type PlanNode =
  | { readonly run: string }
  | { readonly sequence: readonly PlanNode[] }
  | { readonly concurrently: readonly PlanNode[] };

/** Deeper than any plan that we write. */
const MAX_DEPTH = 100;

/** Whether a stored value is an order of tasks, at every level. */
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
  /** the order as code: the Manager's, or all at once when it wrote none */
  readonly source: string;
  /** why the tasks run one after the other instead, if they do */
  readonly fallback?: string;
  /** the kick-off meeting; empty for a team of one */
  readonly meeting: readonly Speech[];
  /** for the maintainer: similar problems outside the issue */
  readonly notes?: readonly string[];
}

/** A file that the Custodian judged relevant (Algorithm 1), without its content. */
export interface Candidate {
  readonly path: string;
  /** git blob id at the run's commit */
  readonly blob: string;
  readonly score: number;
  /** why it was found, in words */
  readonly reasons: readonly string[];
  readonly summary: string;
  /** the declarations that matter most, as named by the Custodian */
  readonly names?: readonly string[];
  /** `read`: the file is context and need not change; absent: it may have to change */
  readonly use?: "read";
}

/** Types of conventional commits. */
export const COMMIT_TYPES = ["fix", "feat", "docs", "refactor", "perf", "test", "build", "chore"] as const;

export type CommitType = (typeof COMMIT_TYPES)[number];

/** The Manager's words for commit and pull request, if it found them while planning. */
export interface PlannedDescription {
  readonly type: CommitType;
  /** the text between type and colon: `(parser)`, `(parser)!`, `!` */
  readonly scope?: string;
  /** the commit's subject without its type */
  readonly title: string;
  /** what was wrong or missing, and why */
  readonly problem: string;
}

/** A plan that waits for a person's approval. */
export interface ProposedPlan {
  readonly tasks: readonly Pick<Task, "id" | "path" | "action" | "title" | "description">[];
  readonly order: PlanNode;
  readonly meeting: readonly Speech[];
  readonly estimate: CostEstimate;
  /** the commit (40 hex digits) and branch that it was made for */
  readonly base: { readonly branch: string; readonly commit: string };
}
