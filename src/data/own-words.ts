import { readList } from "./own-files.ts";

/**
 * The lines of a comment that its author wrote: without quotes, and without what a mail client or GitHub's own mails put
 * below an answer. In doubt a line counts as somebody else's, except within fenced code. Line ends become `\n`.
 */
export function ownWords(body: string): string {
  const lines = body.split(/\r\n|\r|\n/);
  const fenced = fencedLines(lines);
  const end = lines.findIndex((_, at) => !fenced[at] && beginsForeignRest(lines, at));
  const kept = end < 0 ? lines : lines.slice(0, end);
  const quoted = quotedLines(kept, fenced);
  return kept
    .filter((_, at) => !quoted[at])
    .join("\n")
    .trimEnd();
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Which lines are of fenced code, with its fences. */
export function fencedLines(lines: readonly string[]): readonly boolean[] {
  let open: string | undefined;
  return lines.map((line) => {
    const mark = FENCE.exec(line)?.[1];
    const closes = open !== undefined && mark?.startsWith(open) && line.trim() === mark;
    const isFenced = open !== undefined || mark !== undefined;
    if (closes) open = undefined;
    else if (open === undefined) open = mark;
    return isFenced;
  });
}

/** `>`, also with a writer's initials before it, and as an entity or a wide character. */
const QUOTE = /^\s{0,3}(?:[A-Z]{1,3})?(?:>|&gt;|＞)/;

const HTML_QUOTE = /<(\/?)blockquote\b/gi;

/** Which lines are quotes, or introduce one. */
function quotedLines(lines: readonly string[], fenced: readonly boolean[]): readonly boolean[] {
  let depth = 0;
  const quoted: boolean[] = lines.map((line, at) => {
    const wasIn = depth > 0;
    for (const [, closing] of line.matchAll(HTML_QUOTE)) depth = Math.max(0, depth + (closing ? -1 : 1));
    return wasIn || depth > 0 || /<blockquote\b/i.test(line) || (!fenced[at] && QUOTE.test(line));
  });
  const isBlank = (at: number) => (lines[at] ?? "").trim() === "";
  for (let at = 0; at < lines.length; at++) {
    // A long line that the mail client has wrapped goes on without its mark.
    if (!quoted[at] && !isBlank(at) && quoted[at - 1] && quoted[at + 1]) quoted[at] = true;
    if (!quoted[at] || quoted[at - 1]) continue;
    let last = at - 1;
    while (last >= 0 && isBlank(last)) last--;
    const from = introductionTo(lines, last);
    if (from !== undefined) quoted.fill(true, from, at);
  }
  return quoted;
}

/** "On 3 May, Ana wrote:" is at most this long when it is wrapped. */
const MAX_INTRODUCTION = 3;

/** The first of the lines up to `last` that say who wrote the quote below them and when, in any language. */
function introductionTo(lines: readonly string[], last: number): number | undefined {
  if (!/[:：]\s*$/.test(lines[last] ?? "")) return undefined;
  for (let from = last; from >= 0 && from > last - MAX_INTRODUCTION && (lines[from] ?? "").trim() !== ""; from--)
    if (/\d/.test(lines[from] ?? "") && /[@<,]|\d[:./-]\d/.test(lines.slice(from, last + 1).join(" "))) return from;
  return undefined;
}

/** Where everything below is a signature, a footer or an older mail. */
function beginsForeignRest(lines: readonly string[], at: number): boolean {
  const line = (lines[at] ?? "").trim();
  if (at === 0 || line === "") return false;
  return (
    /^(?:--|—|–|_{10,})$/.test(line) ||
    /^-{3,} ?\p{L}[^-]{0,80}-{3,}$/u.test(line) ||
    readList("mail-footers").some((words) => line.toLowerCase().startsWith(words.replace("…", ""))) ||
    isAttribution(lines, at) ||
    isHeader(lines, at)
  );
}

/** Lines, by the fewest, that introduce an older mail whose own lines have no marks: who wrote it, and when. */
function isAttribution(lines: readonly string[], at: number): boolean {
  for (let count = 1; count <= MAX_INTRODUCTION; count++) {
    const part = lines.slice(at, at + count);
    if (part.some((line) => line.trim() === "" || line.length > MAX_ATTRIBUTION)) return false;
    const text = part.join(" ").trim();
    if (/[:：]$/.test(text)) return introduces(text) && !(count > 1 && isAttribution(lines, at + 1));
  }
  return false;
}

const introduces = (text: string): boolean =>
  /\d/.test(text) &&
  (readList("mail-wrote").some((word) => text.toLowerCase().includes(word)) || /<\s*[^\s<>@]+@[^\s<>]+>/.test(text));

const MAX_ATTRIBUTION = 300;

const HEADER = /^[*_]{0,2}\p{L}[\p{L} -]{1,20}[*_]{0,2}\s?[:：][*_]{0,2}\s?\S/u;

/** The head of an older mail: `From:`, `Sent:`, `To:`, `Subject:` in any language, one of them with an address. */
function isHeader(lines: readonly string[], at: number): boolean {
  const block = lines.slice(at, at + 4).map((line) => line.trim());
  const heads = block.findIndex((line) => !HEADER.test(line));
  const count = heads < 0 ? block.length : heads;
  const first = block.slice(0, count).join("\n");
  return count >= 3 && /\S@\S/.test(first) && /\d{4}|\d[:.]\d\d/.test(first);
}
