/** A Developer or QA Engineer, described by the Manager (P5) or the Developer (P8) for one task. */
export interface RoleDescription {
  /** e.g. "HTTP header parsing developer" */
  readonly title: string;
  /** skills and duties, a few sentences */
  readonly description: string;
}

export type TaskAction = "modify" | "create" | "delete";

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

/** One speech of the kick-off meeting. */
export interface Speech {
  readonly speaker: string;
  readonly text: string;
}

/** The Manager's work plan (Algorithm 2). */
export interface Plan {
  readonly tasks: readonly Task[];
  readonly order: PlanNode;
  /** the plan as the Manager wrote it, as code */
  readonly source: string;
  /** why the program's own order (one task after the other) was taken instead, if it was */
  readonly fallback?: string;
  /** the kick-off meeting's record; empty for a team of one */
  readonly meeting: readonly Speech[];
}
