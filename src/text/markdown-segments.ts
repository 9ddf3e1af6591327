import type { MarkdownScan, MarkdownSegment } from "./markdown-scan.ts";
import { takeFence } from "./take-fence.ts";
import { takeInline } from "./take-inline.ts";

const BLANK = /^[ \t]*\n?$/;
const BLOCK_START = /^[\s>*+\-\d.)]*</;
const HTML_START = /^[\s>*+\-\d.)]*<[a-z/]/i;
/** HTML that goes on over blank lines (CommonMark 4.6, kinds 1 and 3 to 5). */
const LASTING_HTML = /<(?:script|pre|style|textarea|\?|!\[|![a-z])/i;
/** A fence that is not at the margin: who ends it depends on lists and quotes around it. */
const INNER_FENCE = /^[\s>*+\-\d.)]+(?:`{3}|~{3})/;
/** Images, links and their definitions: what looks like a code span may be their text or title. */
const LINK = /!\[|\]\(|\]:/;

/**
 * Splits Markdown into text, code (fences at the margin and one-line code spans) and HTML comments; joined they give
 * the source with \n line ends. Code is told only where GitHub is certain to see code too: whoever hides a comment
 * behind what merely looks like code gets it called a comment. Time is linear in the length.
 */
export function markdownSegments(source: string): MarkdownSegment[] {
  const text = source.replace(/\r\n?/g, "\n");
  const scan: MarkdownScan = {
    text,
    at: 0,
    segments: [],
    trusted: true,
    html: false,
    block: false,
    spans: true,
    inLine: false,
  };
  while (scan.at < text.length) {
    if (takeFence(scan)) continue;
    const newline = text.indexOf("\n", scan.at);
    const line = text.slice(scan.at, newline < 0 ? text.length : newline + 1);
    noteLine(scan, line);
    const end = takeInline(scan, line);
    scan.inLine = end > scan.at + line.length;
    scan.at = end;
  }
  return scan.segments;
}

/** Keeps account of what makes code uncertain: open HTML, and backticks of an earlier line of the paragraph. */
function noteLine(scan: MarkdownScan, line: string): void {
  if (!scan.inLine && BLANK.test(line)) {
    scan.html = false;
    scan.spans = true;
  }
  if (LINK.test(line)) scan.spans = false;
  scan.block = BLOCK_START.test(line);
  if (HTML_START.test(line)) scan.html = true;
  if (LASTING_HTML.test(line) || INNER_FENCE.test(line)) scan.trusted = false;
}
