import { breakSkipWords } from "../../text/break-skip-words.ts";
import { stripInvisible } from "../../text/strip-invisible.ts";

const MAX_LENGTH = 72;
const TYPED = /^(build|chore|ci|docs|feat|fix|perf|refactor|style|test)(\([\w./ -]{1,30}\))?(!?):\s*/i;
/**
 * A commit's title of a model's summary: one line of at most 72 characters in the form `fix: …`, its own type kept when
 * it has one. Mentions ping nobody, no issue is closed by it, and no check is skipped.
 */
export function commitTitle(summary: string): string {
  const plain = stripInvisible(summary)
    .replace(/https?:\/\/\S+/gi, "")
    .replace(/@(?=\S)/g, "")
    .replace(/(\w)#+(?=\d)/g, "$1 ")
    .replace(/#+(?=\d)/g, "")
    .replace(/\bGH-(?=\d)/gi, "GH ")
    .replace(/\s+/g, " ");
  const line = breakSkipWords(plain)
    .replace(/^[\s#>*-]+/, "")
    .trim();
  const typed = TYPED.exec(line);
  const type = typed === null ? "fix: " : `${typed[1]?.toLowerCase()}${typed[2] ?? ""}${typed[3]}: `;
  const subject = subjectOf(line.slice(typed?.[0].length ?? 0)) || "resolve the issue";
  return cut(type + subject);
}

function subjectOf(text: string): string {
  const bare = text.replace(/^fix(?:e[sd])?\s+/i, "").replace(/[\s.]{1,20}$/, "");
  return /^[A-Z][a-z]*(?![\w.(])/.test(bare) ? bare.slice(0, 1).toLowerCase() + bare.slice(1) : bare;
}

/** Cuts between words where it can; a backtick that lost its other half goes too. */
function cut(title: string): string {
  if (title.length <= MAX_LENGTH) return title;
  const room = title.slice(0, MAX_LENGTH - 1);
  const space = room.lastIndexOf(" ");
  let short = (space > MAX_LENGTH / 2 ? room.slice(0, space) : room).replace(/[\ud800-\udbff]$/, "");
  const tick = short.lastIndexOf("`");
  if (short.split("`").length % 2 === 0) short = short.slice(0, tick) + short.slice(tick + 1);
  return `${short.replace(/[ ,;:.-]{1,10}$/, "")}…`;
}
