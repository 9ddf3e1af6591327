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
  /** P9 and P10; none: the Developer finds nothing to change */
  readonly edits?: readonly ScriptedEdit[];
  /** P10 for a new file */
  readonly content?: string;
  /** P11: each sends the change back */
  readonly comments?: readonly { readonly line: number | null; readonly body: string }[];
  /** P11: words of the earlier comments that this round puts right; all of them when there are no new comments and this is absent */
  readonly settles?: readonly string[];
}

/** What shall become of one file in the issues that name it. */
export interface FileScript {
  readonly action?: "modify" | "delete";
  /** files to create, proposed in P4 */
  readonly newFiles?: readonly string[];
  /** the last one stands for all further ones; absent: P4 finds no task for the file */
  readonly rounds?: readonly ScriptedRound[];
}

/** A scripted answer of a test's own to some calls of one prompt; undefined leaves the call to the script. */
export type Answers = Readonly<Record<string, (call: ScriptedCall) => ScriptedAnswer | undefined>>;

/** P7: the plan for tasks whose ids `id` gives by path. */
export type ScriptedPlan = (id: (path: string) => string) => string;
