import { LONGEST_BODY } from "../text/bounded.ts";

const NOTE = "\n\n_The rest was cut: GitHub accepts no longer text._\n";

/**
 * `text`, or its beginning with a visible note when it is too long for GitHub. Closes an open code fence and open
 * `<details>` before the note, and keeps HTML comments at the very end, where marks are.
 * Lengths are in UTF-16 units: never fewer than the code points, and at most three bytes each, so the result fits
 * whichever measure the host applies (65,536 characters or 262,144 bytes).
 */
export function fitBody(text: string, longest = LONGEST_BODY): string {
  if (text.length <= longest) return text;
  const markers = text.slice(markersStart(text, longest / 4));
  const ending = NOTE + markers;
  let room = longest - ending.length;
  for (;;) {
    const kept = cutAt(text, Math.max(0, room));
    const closers = closersOf(kept);
    const excess = kept.length + closers.length + ending.length - longest;
    if (excess <= 0 || kept === "") return kept + closers + ending;
    room = kept.length - excess;
  }
}

/** Where the HTML comments at the very end begin, if they fit into `longest`. */
function markersStart(text: string, longest: number): number {
  let start = text.length;
  for (;;) {
    const before = text.slice(0, start).trimEnd();
    const open = before.endsWith("-->") ? before.lastIndexOf("<!--") : -1;
    if (open < 0 || text.length - open > longest) return start;
    start = open;
  }
}

/** Cuts after a line if one ends near, and never within a surrogate pair. */
function cutAt(text: string, length: number): string {
  const line = text.lastIndexOf("\n", length - 1);
  if (line > length - 1000 && line > 0) return text.slice(0, line);
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** Closes the blocks that are open at the end of `markdown`. */
function closersOf(markdown: string): string {
  let fence: string | undefined;
  let details = 0;
  for (const line of markdown.split("\n")) {
    const run = /^\s*(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(line);
    if (fence !== undefined) {
      if (run?.[1]?.startsWith(fence) && run[2]?.trim() === "") fence = undefined;
    } else if (run?.[1] && !(run[1].startsWith("`") && run[2]?.includes("`"))) {
      fence = run[1];
    } else {
      details += (line.match(/<details\b/gi)?.length ?? 0) - (line.match(/<\/details>/gi)?.length ?? 0);
    }
  }
  const openComment = fence === undefined && markdown.lastIndexOf("<!--") > markdown.lastIndexOf("-->");
  return [
    fence === undefined ? "" : `\n${fence}`,
    openComment ? "\n-->" : "",
    "\n\n</details>".repeat(Math.max(0, details)),
  ].join("");
}

/** GitHub's limit for titles of pull requests. */
const MAX_TITLE_LENGTH = 256;

/** `title` on one line, cut with an ellipsis to GitHub's limit. */
export function fitTitle(title: string): string {
  const points = [...title.replace(/\s+/g, " ").trim()];
  return points.length <= MAX_TITLE_LENGTH ? points.join("") : `${points.slice(0, MAX_TITLE_LENGTH - 1).join("")}…`;
}
