import { markers } from "../model/marks.ts";
import { MAX_THREADS, openComments, type QaComment, type TaskOutcome } from "../model/work.ts";
import { codeSpan, cutText, plain, prose } from "../text/compose-markdown.ts";

/** The words of the QA Engineers' review. */
export const reviewText = {
  /**
   * The review's body: what became of every task, the comments that belong to no file of the change (`homeless`), and those
   * beyond the number of threads that a review may have (`further`).
   */
  body(
    marker: string,
    outcomes: readonly TaskOutcome[],
    { homeless, further }: { readonly homeless: readonly QaComment[]; readonly further: readonly QaComment[] },
  ): string {
    const reviewed = outcomes.filter(({ attempts }) => attempts.some(({ rejected }) => rejected === undefined));
    const verdicts = new Set(reviewed.map(lastVerdict));
    // Where the change was reviewed as a whole, one verdict is for all.
    const common = reviewed.length > 1 && verdicts.size === 1 ? [...verdicts].join("") : undefined;
    const lines = reviewed.map((outcome) => lineOf(outcome, common === undefined));
    const each =
      further.length === 0
        ? "Each of their comments is a thread"
        : `${MAX_THREADS} of their comments, open ones first, are threads`;
    return [
      marker,
      `The QA Engineers' review of this change. ${each}; the ones that a later round put right are resolved.`,
      common && plain(common),
      cutText(lines.join("\n"), MAX_LIST),
      homeless.length > 0 && `About files that are not part of the change:\n\n${list(homeless)}`,
      further.length > 0 &&
        `${further.length} further ${further.length === 1 ? "comment" : "comments"} without a thread, ${openComments(further).length} of them open:\n\n${list(further)}`,
    ]
      .filter((part) => part)
      .join("\n\n");
  },

  /** One comment, with the role that made it and the round; a weakening is the bot's own word to the maintainer. */
  comment(comment: QaComment, outcome: TaskOutcome): string {
    if (comment.weakens) return weakeningText(comment, comment.weakens);
    const who = `**${plain(outcome.qaEngineer.title)}** (QA Engineer, round ${comment.round})`;
    return `${markers.comment(comment.id)}\n${who}\n\n${prose(comment.body)}`;
  },

  /** The Developer's answer in a thread that a later round put right. */
  reply(comment: QaComment, developer: string): string {
    const said = comment.reply ? prose(comment.reply) : "Put right in a later round.";
    return `${markers.reply(comment.id)}\n**${plain(developer)}** (Developer)\n\n${said}\n\nThe QA Engineer found this settled.`;
  },
} as const;

/** Characters for each list of a review, which GitHub keeps below 65,536 as a whole. */
const MAX_LIST = 20_000;

const MAX_COMMENT = 1_000;

/** Comments in a line each, as many as there is room for, and how many there was none for. */
function list(comments: readonly QaComment[]): string {
  const lines: string[] = [];
  let room = MAX_LIST;
  for (const { path, line, body, status } of comments) {
    const place = codeSpan(line === undefined ? path : `${path}:${line}`);
    const shown = `- ${place}${status === "settled" ? " (put right)" : ""}: ${plain(cutText(body, MAX_COMMENT))}`;
    room -= shown.length + 1;
    if (room < 0) break;
    lines.push(shown);
  }
  const left = comments.length - lines.length;
  return [...lines, ...(left > 0 ? [`- ${left} more, which the run's record keeps`] : [])].join("\n");
}

function weakeningText({ id, body }: QaComment, weakens: NonNullable<QaComment["weakens"]>): string {
  const why =
    weakens === "asked"
      ? "A maintainer asked for it in the review; it is shown here so that nobody overlooks it."
      : "It went back to the Developer once for that reason, and stayed. Please decide whether it may be so.";
  const end = "I do not resolve this thread: that is for a person.";
  return `${markers.weakening(id)}\n**For the maintainer: tests and checks**\n\n${prose(body)} ${why} ${end}`;
}

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
