import { markers } from "../data/marks.ts";
import { counted } from "../text/counted.ts";

/** Days between the question about a draft and its end. */
export const DAYS_TO_ANSWER = 7;

/** Posted once on a draft of the bot on which nobody has said anything for that many days. */
export function staleQuestion(pullRequest: number, days: number): string {
  const quiet = counted(days, "day");
  return `${markers.stale(pullRequest)}\nNobody has said anything here for ${quiet}. Is this draft still wanted? Any comment keeps it open; without one, I will close it in ${counted(DAYS_TO_ANSWER, "day")} and delete its branch.`;
}

/** Posted once on the issue when the bot closes its draft. */
export function staleClosedNote(pullRequest: number): string {
  return `${markers.staleClosed(pullRequest)}\nI am closing my draft #${pullRequest} and deleting its branch: nobody has answered there. Comment \`/magis resolve\` here if you want me to start again.`;
}
