import { pathOf, scriptedChange } from "../scripted-model/default-answers.ts";
import type { Call, Script } from "../scripted-model/script.ts";
import { type Answers, createScript } from "../scripted-model/script.ts";

export const REVIEW_FILES = {
  "docs/a.txt": "a1\na2\na3\na4\na5\n",
  "docs/b.txt": "b1\nb2\nb3\nb4\nb5\n",
  "docs/other.txt": "o1\no2\n",
};

/** A Developer's revision: new text by line number, and a reply to each thread. */
interface ScriptedRevision {
  edits?: Readonly<Record<number, string>>;
  reply: string;
}

/** The revision for a task that quotes `when`, in the file at `path` if given. */
export interface QuotedRevision extends ScriptedRevision {
  when: string;
  path?: string;
}

interface ReviewOptions {
  /** the first match counts */
  revisions: readonly QuotedRevision[];
  /** the answers to other prompts */
  answers?: Answers;
}

/**
 * A model that makes line 2 of both files of `docs` upper case, and revises them as `revisions` says; QA approves each
 * revision at once and settles its own comments.
 */
export function reviewScript({ revisions, answers }: ReviewOptions): Script {
  const task = (call: Call) => call.text.split("the Developer of task").at(-1) ?? "";
  const revisionOf = (call: Call): ScriptedRevision | undefined =>
    isRevision(call)
      ? revisions.find(({ when, path }) => task(call).includes(when) && (path ?? pathOf(call)) === pathOf(call))
      : undefined;
  const opened = (text: string) => ({ rounds: [{ edits: [{ start: 2, end: 2, text }] }] });
  return createScript({
    files: { "docs/a.txt": opened("A2"), "docs/b.txt": opened("B2") },
    answers: {
      "p09-change-file": (call) => {
        const revision = revisionOf(call);
        if (!revision) return undefined;
        const edits = Object.entries(revision.edits ?? {}).map(([line, text]) => ({
          start: Number(line),
          end: Number(line),
          text,
        }));
        const ids = / for each of (.+?), one to three/.exec(call.text)?.[1]?.split(", ") ?? [];
        const replies = ids.map((id) => ({ comment: id, reply: revision.reply }));
        return scriptedChange(edits, { summary: `Changed ${pathOf(call)} for the review.`, replies });
      },
      "p11-review-work": (call) => {
        if (!isRevision(call)) return undefined;
        const settled = [...call.text.matchAll(/^- (th\d+) \(/gm)].map(([, id = ""]) => id);
        return { settled, verdict: "As the review asks.", approved: true };
      },
      ...answers,
    },
  });
}

const isRevision = ({ text }: Call) => text.includes("Maintainers have reviewed the pull request.");
