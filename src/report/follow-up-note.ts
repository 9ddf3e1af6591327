import { formatMoney } from "../model/format-spend.ts";
import { markers } from "../model/markers.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { RunResult } from "../model/run-result.ts";
import type { RunState } from "../model/run-state.ts";
import { plain } from "../text/plain.ts";

const WHAT = { resolve: "The work", revise: "The work on your review", repair: "The repair of the checks" } as const;
const AGAIN =
  "What was answered stays answered. To have the rest worked on, comment `/magis retry`, or say something more here.";

/**
 * The one comment on the pull request about a run that follows up on it and ended otherwise than it should, in a
 * sentence; nothing while it works and when it ended well: its commit and its answers speak for it then.
 */
export function followUpNote({ id, work }: RunRequest, { result, batch, spend }: RunState): string | undefined {
  if (work.kind === "revise" && work.asked && result?.kind === "nothing-to-change" && result.reason === "answered") {
    return `${markers.run(id)}\nNothing on this pull request waits for an answer of mine.`;
  }
  const why = result && sentence(result);
  if (!why) return undefined;
  const marks = [markers.run(id), ...(batch && batch.length > 0 ? [markers.unanswered(batch)] : [])];
  // The checks of a commit are dealt with once, however that ended.
  if (work.kind === "repair") marks.push(markers.checks, markers.checked(work.head));
  return `${marks.join("\n")}\n${WHAT[work.kind]} ${why} ${AGAIN}\n\n<sub>Cost: ${formatMoney(spend.money)}.</sub>`;
}

function sentence(result: RunResult): string | undefined {
  switch (result.kind) {
    case "failed":
      return `had to stop: ${plain(result.message)} (The log has the details: \`${result.code}\`.)`;
    case "budget-reached":
      return "stopped at its budget before everything was done.";
    case "cancelled":
      return `was cancelled by ${plain(result.by)}.`;
    case "gave-up":
      return `could not be done: ${plain(result.reason)}`;
    default:
      return undefined;
  }
}
