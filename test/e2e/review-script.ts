import type { Script } from "../scripted-model/scripted-answer.ts";
import type { ScriptedCall } from "../scripted-model/scripted-call.ts";
import { type Answers, pathOf, type ScriptedRound, scriptFor } from "./script-for.ts";

export const REVIEW_FILES = {
  "docs/a.txt": "a1\na2\na3\na4\na5\n",
  "docs/b.txt": "b1\nb2\nb3\nb4\nb5\n",
  "docs/other.txt": "o1\no2\n",
};

/** A Developer's revision: new text by line number, and a reply to each thread. */
interface ScriptedRevision {
  readonly edits?: Readonly<Record<number, string>>;
  readonly reply: string;
}

/** The revision for a task that quotes `when`, in the file at `path` if given. */
export interface QuotedRevision extends ScriptedRevision {
  readonly when: string;
  readonly path?: string;
}

interface ReviewOptions {
  /** the first match counts */
  readonly revisions: readonly QuotedRevision[];
  /** the answer to r01 */
  readonly comments?: Answers[string];
  /** QA's comments on a.txt in the run that opens the pull request */
  readonly qaComments?: ScriptedRound["comments"];
}

/**
 * A model that makes line 2 of both files of `docs` upper case, and revises them as `revisions` says; QA approves each
 * revision at once and settles its own comments.
 */
export function reviewScript({ revisions, comments, qaComments = [] }: ReviewOptions): Script {
  const task = (call: ScriptedCall) => call.text.split("the Developer of task").at(-1) ?? "";
  const revisionOf = (call: ScriptedCall): ScriptedRevision | undefined =>
    isRevision(call)
      ? revisions.find(({ when, path }) => task(call).includes(when) && (path ?? pathOf(call)) === pathOf(call))
      : undefined;
  const opened = (text: string, said: ScriptedRound["comments"] = []) => {
    const edits = [{ start: 2, end: 2, text }];
    // Comments stay open: later rounds settle none.
    const later = said.length > 0 ? [{ edits, settles: ["no comment"] }] : [];
    return { rounds: [{ edits, comments: said }, ...later] };
  };
  return scriptFor({
    files: { "docs/a.txt": opened("A2", qaComments), "docs/b.txt": opened("B2") },
    answers: {
      "p09-change-file": (call) => {
        const revision = revisionOf(call);
        if (!revision) return undefined;
        const edits = Object.entries(revision.edits ?? {}).map(([line, text]) => ({
          start: Number(line),
          end: Number(line),
          anchor: "",
          text,
        }));
        const ids = / for each of (.+?), one to three/.exec(call.text)?.[1]?.split(", ") ?? [];
        const replies = ids.map((id) => ({ comment: id, reply: revision.reply }));
        const qaEngineer = "Another QA Engineer: Takes care.";
        return { json: { edits, summary: `Changed ${pathOf(call)} for the review.`, replies, qaEngineer } };
      },
      "p11-review-work": (call) => {
        if (!isRevision(call)) return undefined;
        const settled = [...call.text.matchAll(/^- (th\d+) \(/gm)].map(([, id = ""]) => id);
        return {
          json: { comments: [], missing: [], settled, unfollowed: [], verdict: "As the review asks.", approved: true },
        };
      },
      "r01-assign-comments": (call) => comments?.(call),
    },
  });
}

const isRevision = ({ text }: ScriptedCall) => text.includes("Maintainers have reviewed the pull request.");
