const BLOCK_NAMES = [
  "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt",
  "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link",
  "main menu menuitem nav noframes ol optgroup option p param section source summary table tbody td tfoot th thead",
  "title tr track ul",
]
  .join(" ")
  .replaceAll(" ", "|");

const SPACE = "[ \\t\\v\\f\\r\\n]";
const VALUE = "(?:[^ \\t\\r\\n\\v\\f\"'=<>`]+|'[^']*'|\"[^\"]*\")";
const ATTRIBUTE = `${SPACE}+[a-zA-Z_:][\\w.:-]*(?:${SPACE}*=${SPACE}*${VALUE})?`;
const TAG = `<(?:[a-zA-Z][a-zA-Z0-9-]*(?:${ATTRIBUTE})*${SPACE}*/?|/[a-zA-Z][a-zA-Z0-9-]*${SPACE}*)>`;

/** How each kind of HTML block (CommonMark 4.6) begins. */
const STARTS: readonly RegExp[] = [
  new RegExp(`^<(?:script|pre|style)(?:${SPACE}|>)`, "i"),
  /^<!--/,
  /^<\?/,
  /^<![A-Z]/,
  /^<!\[CDATA\[/,
  new RegExp(`^</?(?:${BLOCK_NAMES})(?:${SPACE}|/?>)`, "i"),
  new RegExp(`^${TAG}[\\t\\n\\f ]*$`),
];

/** How the first five kinds end, on their last line; a blank line ends the others. */
const ENDS: readonly RegExp[] = [/<\/(?:script|pre|style)>/i, /-->/, /\?>/, />/, /\]\]>/];

/** The kind of HTML block that a line begins, 1 to 7, or 0 for none. The last kind cannot interrupt a paragraph. */
export function htmlKind(rest: string, inParagraph: boolean): number {
  if (!rest.startsWith("<")) return 0;
  const kind = STARTS.findIndex((start) => start.test(rest)) + 1;
  return kind === STARTS.length && inParagraph ? 0 : kind;
}

/** Whether this line is the last of an HTML block of this kind. */
export const endsHtml = (kind: number, rest: string): boolean => ENDS[kind - 1]?.test(rest) ?? false;

/** Whether a blank line ends an HTML block of this kind. */
export const endsWithBlank = (kind: number): boolean => kind > ENDS.length;

const INLINE_TAG = new RegExp(TAG, "y");

const DECLARATION = new RegExp(`<![A-Z]+${SPACE}+`, "y");

const CDATA = "<![CDATA[";

/** Where instructions and CDATA sections can end, found once: a text may hold thousands of their openings. */
export type RawEnds = Map<string, { readonly places: readonly number[]; next: number }>;

/** The end of the raw HTML that begins with the "<" at `at`, or -1. With the same `ends`, `at` must only grow. */
export function rawHtmlEnd(text: string, at: number, ends: RawEnds): number {
  if (text.startsWith("<!--", at)) return commentEnd(text, at);
  if (text.startsWith("<?", at)) return endBehind(text, INSTRUCTION, at + 2, ends);
  if (text.startsWith(CDATA, at)) return endBehind(text, SECTION, at + CDATA.length, ends);
  DECLARATION.lastIndex = at;
  if (DECLARATION.test(text)) return text.indexOf(">", DECLARATION.lastIndex) + 1 || -1;
  INLINE_TAG.lastIndex = at;
  return INLINE_TAG.test(text) ? INLINE_TAG.lastIndex : -1;
}

/** An inline comment may not begin with ">" or "->", nor hold "--". */
function commentEnd(text: string, at: number): number {
  const from = at + "<!--".length;
  if (text.startsWith("-->", from)) return from + "-->".length;
  if (text.startsWith(">", from) || text.startsWith("->", from)) return -1;
  const dashes = text.indexOf("--", from);
  return dashes > from && text[dashes + 2] === ">" ? dashes + "-->".length : -1;
}

/**
 * An ending of a run of marks and ">". Longer runs are read `step` marks at a time, and `last` must be left over.
 */
interface RunEnd {
  readonly mark: string;
  readonly step: number;
  readonly last: number;
}

const INSTRUCTION: RunEnd = { mark: "?", step: 2, last: 1 };

const SECTION: RunEnd = { mark: "]", step: 3, last: 2 };

function endBehind(text: string, { mark, step, last }: RunEnd, from: number, ends: RawEnds): number {
  const closes = (run: number) => run % step === last;
  let own = 0;
  while (text[from + own] === mark) own += 1;
  if (text[from + own] === ">" && closes(own)) return from + own + 1;
  const found = ends.get(mark) ?? { places: placesOf(text, mark, closes), next: 0 };
  ends.set(mark, found);
  while (found.next < found.places.length && (found.places[found.next] as number) <= from + own + 1) found.next += 1;
  return found.places[found.next] ?? -1;
}

/** The position after each ">" that a run of marks closes with. */
function placesOf(text: string, mark: string, closes: (run: number) => boolean): readonly number[] {
  return [...text.matchAll(new RegExp(`\\${mark}+>`, "g"))]
    .filter(([run]) => closes(run.length - 1))
    .map(({ 0: run, index }) => index + run.length);
}
