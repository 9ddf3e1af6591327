const BLANK = /^[ \t]*\n?$/;

const BLOCK_START = /^[\s>*+\-\d.)]*</;

const HTML_START = /^[\s>*+\-\d.)]*<[a-z/]/i;

/** HTML that continues over blank lines (CommonMark 4.6, kinds 1 and 3 to 5). */
const LASTING_HTML = /<(?:script|pre|style|textarea|\?|!\[|![a-z])/i;

/** An indented fence: where it ends depends on the lists and quotes around it. */
const INNER_FENCE = /^[\s>*+\-\d.)]+(?:`{3}|~{3})/;

/** Images, links and their definitions: an apparent code span may be their text or title. */
const LINK = /!\[|\]\(|\]:/;

/**
 * Splits Markdown into text, code (fences at the margin and one-line code spans) and HTML comments; joined, they give
 * the source with \n line ends. Only what GitHub certainly reads as code is called code, so that nobody can hide a
 * comment in what merely looks like it. Takes linear time.
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

/** Tracks what makes code uncertain: open HTML, and backticks on an earlier line of the paragraph. */
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

export interface MarkdownSegment {
  readonly kind: "text" | "code" | "comment";
  readonly text: string;
}

/** Where a scan of Markdown stands. */
export interface MarkdownScan {
  readonly text: string;
  readonly segments: MarkdownSegment[];
  /** the next character to read */
  at: number;
  /** code can still be recognised with certainty */
  trusted: boolean;
  /** maybe inside an HTML block, which a blank line ends */
  html: boolean;
  /** the line begins with a tag or a comment, perhaps after marks of lists and quotes */
  block: boolean;
  /** so far in the paragraph, a backtick can only open a code span */
  spans: boolean;
  /** `at` follows a comment that began on an earlier line */
  inLine: boolean;
  /** no "-->" is left in the text */
  open?: boolean;
}

const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*\n?$/;

/** Takes a fenced code block that opens here, at the margin; false unless there certainly is one. */
function takeFence(scan: MarkdownScan): boolean {
  if (!scan.trusted || scan.html || scan.inLine) return false;
  const opening = /(`{3,})[^`\n]*(?:\n|$)|(~{3,})[^\n]*(?:\n|$)/y;
  opening.lastIndex = scan.at;
  const found = opening.exec(scan.text);
  if (found === null) return false;
  const mark = found[1] ?? found[2] ?? "";
  const end = endOfFence(scan.text, opening.lastIndex, mark);
  pushSegment(scan, "code", scan.at, end);
  scan.at = end;
  scan.spans = true;
  return true;
}

function endOfFence(text: string, from: number, mark: string): number {
  for (let at = from; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    const closing = CLOSING.exec(text.slice(at, end))?.[1];
    if (closing?.[0] === mark[0] && closing !== undefined && closing.length >= mark.length) return end;
    at = end;
  }
  return text.length;
}

/**
 * Splits one line (or its rest, after a comment) into text, code spans and comments. Gives the place to continue at:
 * the line's end, or the end of a comment that reaches further.
 */
function takeInline(scan: MarkdownScan, line: string): number {
  const token = /`+|<!--|<(?=[a-z/!?])|\\`/gi;
  const start = scan.at;
  let from = start;
  for (let found = token.exec(line); found !== null; found = token.exec(line)) {
    const at = start + found.index;
    const span = found[0].startsWith("`") ? spanEnd(scan, line, found.index, found[0].length) : undefined;
    const spanStop = span === undefined ? undefined : start + span;
    const end = found[0] === "<!--" ? commentEnd(scan, start, at) : spanStop;
    if (span === undefined) scan.spans = false;
    if (end === undefined) continue;
    pushSegment(scan, "text", from, at);
    pushSegment(scan, span === undefined ? "comment" : "code", at, end);
    if (end > start + line.length) return end;
    from = end;
    token.lastIndex = end - start;
  }
  pushSegment(scan, "text", from, start + line.length);
  return start + line.length;
}

/** The end, on the same line, of the code span that a run of backticks opens; undefined if uncertain. */
function spanEnd(scan: MarkdownScan, line: string, index: number, length: number): number | undefined {
  if (!scan.trusted || !scan.spans || scan.html) return undefined;
  const run = /`+/g;
  run.lastIndex = index + length;
  for (let found = run.exec(line); found !== null; found = run.exec(line)) {
    if (found[0].length !== length) continue;
    const cell = line.slice(index, run.lastIndex).includes("|");
    return cell ? undefined : run.lastIndex;
  }
  return undefined;
}

/** Adds the text between two places as a segment; joins text to text before it. */
function pushSegment(scan: MarkdownScan, kind: MarkdownSegment["kind"], from: number, to: number): void {
  if (to <= from) return;
  const text = scan.text.slice(from, to);
  const last = scan.segments.at(-1);
  if (kind !== "text" || last?.kind !== "text") scan.segments.push({ kind, text });
  else scan.segments[scan.segments.length - 1] = { kind, text: last.text + text };
}

const CLOSE = "-->";

const BLANK_LINE = /\n[ \t]*\n/;

/**
 * The end of the HTML comment at `at`, in a line that begins at `lineStart`; undefined if GitHub shows the "<!--" as
 * text, because it is in a paragraph and never closed. An unclosed comment that opens a block hides the rest.
 */
function commentEnd(scan: MarkdownScan, lineStart: number, at: number): number | undefined {
  const close = scan.open ? -1 : scan.text.indexOf(CLOSE, at + "<!".length);
  if (close < 0) {
    scan.open = true;
    return scan.html || scan.block ? scan.text.length : undefined;
  }
  const end = close + CLOSE.length;
  const comment = scan.text.slice(at, end);
  if (!comment.includes("\n")) return end;
  // A blank line ends an HTML block, so the comment stays open in the page, and "-->" is shown as text.
  if (scan.html && BLANK_LINE.test(comment)) return scan.text.length;
  if (at !== lineStart || scan.inLine || scan.html) scan.trusted = false;
  return end;
}
