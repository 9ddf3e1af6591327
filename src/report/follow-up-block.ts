import type { FollowUp } from "../model/follow-up.ts";
import { formatMoney } from "../model/format-spend.ts";
import { markers } from "../model/markers.ts";
import { plain } from "../text/plain.ts";

/** Lines shown at most; the earlier ones are summed up. */
const MAX_LINES = 20;

/** What was done on the pull request after it had been opened, and what is open now: a table and a sentence,
 * between the marks by which it is found and replaced. */
export function followUpBlock(followUps: readonly FollowUp[]): string {
  const open = followUps.at(-1)?.open ?? 0;
  const shown = followUps.slice(-MAX_LINES);
  const hidden = followUps.slice(0, -MAX_LINES);
  const rows = shown.map(
    ({ what, outcome, money }) => `| ${plain(what)} | ${plain(outcome)} | ${formatMoney(money)} |`,
  );
  const total = formatMoney(sumOf(followUps));
  const earlier = hidden.length > 0 && `| ${hidden.length} earlier | | ${formatMoney(sumOf(hidden))} |`;
  const lines = ["| what | what came of it | cost |", "| --- | --- | ---: |", earlier, ...rows].filter((line) => line);
  const threads = open === 1 ? "One review thread is" : `${open === 0 ? "No" : open} review threads are`;
  const { begin, end } = markers.followUps;
  return `${begin}\n## After it was opened\n\n${lines.join("\n")}\n\n${threads} unresolved. All of this cost ${total}.\n${end}`;
}

const sumOf = (followUps: readonly FollowUp[]) => followUps.reduce((sum, { money }) => sum + money, 0);
