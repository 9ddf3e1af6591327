import { markers } from "../data/marks.ts";
import { MAX_THREADS, openComments, type QaComment, type TaskOutcome } from "../data/work.ts";
import { codeSpan, cutText, paragraphs, plain, prose } from "../text/compose-markdown.ts";
import { beginning, counted } from "../text/counted.ts";

/** The texts of the QA Engineers' review. */
export const reviewText = {
  /** The review's body: how many comments are open, and the `further` ones above the limit of threads. */
  body(marker: string, outcomes: readonly TaskOutcome[], further: readonly QaComment[]): string {
    const open = openComments(outcomes.flatMap(({ comments }) => comments)).length;
    return paragraphs(
      marker,
      open === 0
        ? "The comments of this review are settled."
        : `${beginning(counted(open, "comment"))} of this review ${open === 1 ? "is" : "are"} open.`,
      further.length > 0 &&
        `A review has at most ${MAX_THREADS} threads; ${counted(further.length, "more comment")} ${further.length === 1 ? "has" : "have"} none:\n\n${list(further)}`,
    );
  },

  /**
   * One comment with its role; `elsewhere`: its file is not in the change, so it is named. An edit of tests or checks is
   * reported by the bot itself, to the maintainer.
   */
  comment(comment: QaComment, outcome: TaskOutcome, elsewhere = false): string {
    if (comment.shown) return shownText(comment);
    const place = elsewhere ? `About ${placeOf(comment)}, which this change does not touch:\n\n` : "";
    return `${markers.comment(comment.id)}\n**${plain(outcome.qaEngineer.title || "QA Engineer")}**\n\n${place}${prose(comment.body)}`;
  },

  /** The answer in a thread settled before publication: the Developer's, or the QA Engineer's own. */
  reply(comment: QaComment, developer: string, qaEngineer: string): string {
    const mark = markers.reply(comment.id);
    if (comment.mended)
      return `${mark}\n**${plain(qaEngineer || "QA Engineer")}**\n\nI have changed this myself. Nobody has reviewed that edit.`;
    const said = comment.reply ? prose(comment.reply) : "This was changed in a later round.";
    return `${mark}\n**${plain(developer)}**\n\n${said}\n\nThe QA Engineer agrees that this is settled.`;
  },
} as const;

/** Characters of the list in a review, whose limit on GitHub is 65,536. */
const MAX_LIST = 20_000;

const MAX_COMMENT = 1_000;

const placeOf = ({ path, line }: QaComment) => codeSpan(line === undefined ? path : `${path}:${line}`);

/** One line per comment, as many as fit, and the number of the others. */
function list(comments: readonly QaComment[]): string {
  const lines: string[] = [];
  let room = MAX_LIST;
  for (const comment of comments) {
    const { body, status } = comment;
    const shown = `- ${placeOf(comment)}${status === "settled" ? " (settled)" : ""}: ${plain(cutText(body, MAX_COMMENT))}`;
    room -= shown.length + 1;
    if (room < 0) break;
    lines.push(shown);
  }
  const left = comments.length - lines.length;
  return [...lines, ...(left > 0 ? [`- ${left} more, which the run's record keeps`] : [])].join("\n");
}

function shownText({ id, body }: QaComment): string {
  return `${markers.shown(id)}\n**For the maintainer: tests and checks**\n\n${prose(body)} Tests and checks judge this change, so please see whether they still do after this edit. I leave this thread for you to resolve.`;
}
