import type { MarkdownScan } from "./markdown-scan.ts";

const CLOSE = "-->";
const BLANK_LINE = /\n[ \t]*\n/;

/**
 * The end of the HTML comment at `at`, in a line that begins at `lineStart`; undefined when GitHub shows the "<!--" as
 * text, because it is in a paragraph and never closed. A comment that opens a block hides the rest when never closed.
 */
export function commentEnd(scan: MarkdownScan, lineStart: number, at: number): number | undefined {
  const close = scan.open ? -1 : scan.text.indexOf(CLOSE, at + "<!".length);
  if (close < 0) {
    scan.open = true;
    return scan.html || scan.block ? scan.text.length : undefined;
  }
  const end = close + CLOSE.length;
  const comment = scan.text.slice(at, end);
  if (!comment.includes("\n")) return end;
  // A blank line ends a block of HTML, so its comment stays open in the page: the close is shown as text.
  if (scan.html && BLANK_LINE.test(comment)) return scan.text.length;
  if (at !== lineStart || scan.inLine || scan.html) scan.trusted = false;
  return end;
}
