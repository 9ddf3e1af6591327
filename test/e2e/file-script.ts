import type { ScriptedAnswer } from "../scripted-model/scripted-answer.ts";
import type { ScriptedCall } from "../scripted-model/scripted-call.ts";

/** One replacement of the lines `start` to `end`; `end: start - 1` inserts. */
interface ScriptedEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One round of a Developer and its QA Engineer. */
export interface ScriptedRound {
  /** the answer to P9 and P10; without any the Developer finds nothing to change */
  readonly edits?: readonly ScriptedEdit[];
  /** the answer to P10 for a new file */
  readonly content?: string;
  /** the answer to P11: any comment sends the change back */
  readonly comments?: readonly { readonly line: number | null; readonly body: string }[];
  /** words from the earlier comments that P11 calls settled; when absent, all of them if there are no new comments */
  readonly settles?: readonly string[];
}

/** What the agents do with one file in issues that name it. */
export interface FileScript {
  readonly action?: "modify" | "delete";
  /** files that P4 creates along with it */
  readonly newFiles?: readonly string[];
  /** the last one repeats; when absent, P4 finds no task for the file */
  readonly rounds?: readonly ScriptedRound[];
}

/** A test's own answers by prompt id; undefined leaves the call to the script. */
export type Answers = Readonly<Record<string, (call: ScriptedCall) => ScriptedAnswer | undefined>>;

/** The plan, from a function that gives a task's id by its path. */
export type ScriptedPlan = (id: (path: string) => string) => string;
