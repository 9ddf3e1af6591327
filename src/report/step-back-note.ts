import { markers } from "../model/markers.ts";
import { plain } from "../text/plain.ts";

/** Said once on the pull request when a person has committed to its branch. */
export function stepBackNote(pullRequest: number, author: string): string {
  return `${markers.steppedBack(pullRequest)}\n${plain(author)} has committed to this branch, so I leave it to you and change nothing here by myself. Comment \`/magis resolve\` to have me work on what is open.`;
}
