import { markers } from "../model/marks.ts";
import { openComments, type QaComment, type TaskOutcome } from "../model/work.ts";
import { codeSpan, plain, prose } from "../text/compose-markdown.ts";

/** The words of the QA Engineers' review. */
export const reviewText = {
  /** The review's body: what became of every task, and the comments that belong to no file of the change. */
  body(marker: string, outcomes: readonly TaskOutcome[], homeless: readonly QaComment[]): string {
    const reviewed = outcomes.filter(({ attempts }) => attempts.some(({ rejected }) => rejected === undefined));
    const verdicts = new Set(reviewed.map(lastVerdict));
    // Where the change was reviewed as a whole, one verdict is for all.
    const common = reviewed.length > 1 && verdicts.size === 1 ? [...verdicts].join("") : undefined;
    const lines = reviewed.map((outcome) => lineOf(outcome, common === undefined));
    const rest = homeless.map((comment) => `- ${codeSpan(comment.path)}: ${plain(comment.body)}`);
    return [
      marker,
      "The QA Engineers' review of this change. Each of their comments is a thread; the ones that a later round put right are resolved.",
      common && plain(common),
      lines.join("\n"),
      rest.length > 0 && `About files that are not part of the change:\n\n${rest.join("\n")}`,
    ]
      .filter((part) => part)
      .join("\n\n");
  },

  /** One comment, with the role that made it and the round. */
  comment(comment: QaComment, outcome: TaskOutcome): string {
    const who = `**${plain(outcome.qaEngineer.title)}** (QA Engineer, round ${comment.round})`;
    return `${markers.comment(comment.id)}\n${who}\n\n${prose(comment.body)}`;
  },

  /** The Developer's answer in a thread that a later round put right. */
  reply(comment: QaComment, developer: string): string {
    const said = comment.reply ? prose(comment.reply) : "Put right in a later round.";
    return `${markers.reply(comment.id)}\n**${plain(developer)}** (Developer)\n\n${said}\n\nThe QA Engineer found this settled.`;
  },
} as const;

function lastVerdict({ attempts }: TaskOutcome): string {
  return attempts.findLast(({ rejected }) => rejected === undefined)?.verdict ?? "";
}

function lineOf(outcome: TaskOutcome, withVerdict: boolean): string {
  const { path, qaEngineer, attempts, comments } = outcome;
  const reviewed = attempts.filter(({ rejected }) => rejected === undefined);
  const last = reviewed.at(-1);
  const open = openComments(comments).length;
  const when = last?.round === 1 ? "at once" : `in round ${last?.round}`;
  const decision = last?.approved
    ? `approved ${when}`
    : `${open} ${open === 1 ? "comment" : "comments"} open after ${reviewed.length} ${reviewed.length === 1 ? "round" : "rounds"}`;
  const verdict = withVerdict ? ` ${plain(last?.verdict ?? "")}` : "";
  return `- ${codeSpan(path)}, ${plain(qaEngineer.title)}: **${decision}**.${verdict}`;
}
