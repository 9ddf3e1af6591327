import type { Element, ElementContent, Root, RootContent } from "hast";

/** Deeper quotes and lists are shown without their marks, which would all precede every line. */
const MAX_MARKED = 8;

type Content = RootContent | ElementContent;

const BLOCKS: ReadonlySet<string> = new Set(
  "blockquote dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

/** A signature in an address: whoever has it reads the file. */
const SIGNATURE = /([?&](?:jwt|X-Amz-Signature)=)[\w.-]+/gi;

/**
 * What a reader sees of a sanitised tree, as plain text in Markdown style; code is unchanged. `underlined` says whether
 * a word in bold was written with underscores, as in `__init__`.
 */
export function visibleText(tree: Root, underlined: (word: string) => boolean = () => false): string {
  const blocks = withoutUnanswered(blocksOf(tree.children, { depth: 0, underlined }));
  return blocks.join("\n\n").replace(SIGNATURE, "$1…");
}

/** Leaves out what nobody answered in an issue form: GitHub writes `### Label` and `_No response_`. */
function withoutUnanswered(blocks: readonly string[]): readonly string[] {
  const isUnanswered = (at: number) => blocks[at]?.startsWith("### ") && blocks[at + 1] === "*No response*";
  return blocks.filter((_, at) => !isUnanswered(at) && !isUnanswered(at - 1));
}

interface Place {
  /** in quotes and lists */
  depth: number;
  underlined: (word: string) => boolean;
}

const deeper = (place: Place): Place => ({ ...place, depth: place.depth + 1 });

function blocksOf(children: readonly Content[], place: Place): string[] {
  const blocks: string[] = [];
  let line = "";
  const endLine = () => {
    const text = tidy(line);
    if (text !== "") blocks.push(text);
    line = "";
  };
  for (const child of children) {
    if (!isBlock(child)) {
      line += inline(child, place);
      continue;
    }
    endLine();
    blocks.push(...blockOf(child, place).filter((block) => block !== ""));
  }
  endLine();
  return blocks;
}

/** Also true of an inline element around blocks (`<a><p>`). */
const isBlock = (node: Content): node is Element =>
  node.type === "element" && (BLOCKS.has(node.tagName) || node.children.some(isBlock));

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const tidy = (text: string) => linesOf(text).join("\n");

function blockOf(element: Element, place: Place): string[] {
  const { tagName, children, properties } = element;
  const heading = /^h([1-6])$/.exec(tagName)?.[1];
  if (heading !== undefined) {
    const text = lineOf(children, place);
    return text === "" ? [] : [`${"#".repeat(Number(heading))} ${text}`];
  }
  if (isDrawn(element)) return [DRAWING];
  if (hasClass(element, "js-suggested-changes-blob")) return [fenced(suggestedLines(element).join("\n"), "suggestion")];
  switch (tagName) {
    case "hr":
      return ["---"];
    case "pre":
      return [preOf(element, "")];
    case "table":
      return tableOf(element, place);
    case "ul":
    case "ol":
      return listOf(element, place);
    case "blockquote": {
      const blocks = blocksOf(children, deeper(place));
      return place.depth >= MAX_MARKED || blocks.length === 0 ? blocks : [indent(blocks.join("\n\n"), "> ", "> ")];
    }
    default: {
      const [, language] = /(?:^| )highlight-(?:source|text)-([\w+#.-]{1,40})(?: |$)/.exec(classesOf(properties)) ?? [];
      const [only] = children.filter((child) => child.type === "element");
      return language !== undefined && only?.tagName === "pre" ? [preOf(only, language)] : blocksOf(children, place);
    }
  }
}

const classesOf = ({ className }: Element["properties"]) => (Array.isArray(className) ? className.join(" ") : "");

const hasClass = ({ properties }: Element, name: string) => classesOf(properties).split(" ").includes(name);

/** Languages that GitHub draws. Their sources have comments and the like that nobody sees, so none is shown. */
const DRAWN: readonly unknown[] = ["mermaid", "geojson", "topojson", "stl", "math"];

const DRAWING = "[drawing]";

const isDrawn = (element: Element) =>
  (element.tagName === "pre" && DRAWN.includes(element.properties.lang)) ||
  hasClass(element, "js-render-needs-enrichment");

/** The new lines of a suggestion, which GitHub shows as a table of old and new ones. */
function suggestedLines(element: Element): string[] {
  if (hasClass(element, "blob-code-addition")) return [stripInvisible(textOf(element.children)).replace(/\n$/, "")];
  return element.children.flatMap((child) => (child.type === "element" ? suggestedLines(child) : []));
}

/** A fence's language comes from GitHub's class: other words behind a fence are not shown. */
const preOf = ({ children }: Element, language: string) =>
  fenced(stripInvisible(textOf(children)).replace(/\n$/, ""), language);

function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...runsOf(text));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The distinct lengths of runs of backticks: all runs may be too many arguments for one call. */
const runsOf = (text: string) => new Set([...text.matchAll(/`+/g)].map(([run]) => run.length));

/** The text of nodes alone, as it stands there. */
export function textOf(children: readonly Content[]): string {
  return children.map(textOfOne).join("");
}

function textOfOne(node: Content): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return "";
  return node.tagName === "br" ? "\n" : textOf(node.children);
}

function listOf({ tagName, properties, children }: Element, place: Place): string[] {
  let number = typeof properties.start === "number" ? properties.start : 1;
  let loose = false;
  const items: string[] = [];
  for (const child of children) {
    const blocks = blocksOf(
      child.type === "element" && child.tagName === "li" ? child.children : [child],
      deeper(place),
    );
    if (child.type !== "element" && blocks.length === 0) continue;
    loose ||= child.type === "element" && child.children.some((one) => one.type === "element" && one.tagName === "p");
    const mark = tagName === "ul" ? "- " : `${number++}. `;
    const text = blocks.join(loose ? "\n\n" : "\n");
    items.push(place.depth >= MAX_MARKED ? text : indent(text, mark, " ".repeat(mark.length)));
  }
  return items.length === 0 ? [] : [items.join(loose ? "\n\n" : "\n")];
}

const indent = (text: string, first: string, others: string) =>
  text
    .split("\n")
    .map((line, at) => ((at === 0 ? first : others) + line).trimEnd())
    .join("\n");

function tableOf(table: Element, place: Place): string[] {
  const rows: string[] = [];
  for (const row of rowsOf(table)) {
    const cells = row.children.filter((cell) => cell.type === "element").map(({ children }) => lineOf(children, place));
    if (cells.length === 0) continue;
    rows.push(`| ${cells.join(" | ")} |`);
    if (rows.length === 1) rows.push(`|${" --- |".repeat(cells.length)}`);
  }
  return rows.length === 0 ? [] : [rows.join("\n")];
}

const rowsOf = (element: Element): Element[] =>
  element.children.flatMap((child) => {
    if (child.type !== "element") return [];
    return child.tagName === "tr" ? [child] : rowsOf(child);
  });

const lineOf = (children: readonly Content[], place: Place): string =>
  blocksOf(children, { ...place, depth: MAX_MARKED })
    .flatMap(linesOf)
    .join(" ");

function inline(node: Content, place: Place): string {
  if (node.type === "text") return stripInvisible(node.value);
  if (node.type !== "element") return "";
  const { tagName, children, properties } = node;
  const within = () => children.map((child) => inline(child, place)).join("");
  switch (tagName) {
    case "br":
      return "\n";
    case "code":
      return codeOf(stripInvisible(textOf(children)));
    case "img":
      return "[image]";
    case "math-renderer":
      return "[formula]";
    case "input":
      return properties.checked ? "[x]" : "[ ]";
    case "a":
      return linkOf(node, within());
    case "b":
    case "strong": {
      const word = within();
      return marked(word, place.underlined(word) ? "__" : "**");
    }
    case "i":
    case "em":
      return marked(within(), "*");
    case "s":
    case "strike":
    case "del":
      return marked(within(), "~~");
    default:
      return within();
  }
}

const marked = (text: string, mark: string) => (text.trim() === "" ? text : `${mark}${text}${mark}`);

function codeOf(text: string): string {
  if (text === "") return "";
  const runs = runsOf(text);
  let length = 1;
  while (runs.has(length)) length += 1;
  const fence = "`".repeat(length);
  const space = /^`|`$/.test(text) ? " " : "";
  return fence + space + text + space + fence;
}

/** A browser's status bar shows no more of an address. */
const MAX_ADDRESS = 200;

/** Links that GitHub makes of `@ana`, `#5` and a commit's id: their text says it all. */
const OF_GITHUB = /(?:^| )(?:user-mention|team-mention|issue-link|commit-link)(?: |$)/;

/** A reader sees a link's address by pointing at it, so the link must have visible text. */
function linkOf({ properties }: Element, text: string): string {
  if (properties.dataFootnoteRef !== undefined) return `[^${text}]`;
  const classes = classesOf(properties);
  if (classes.includes("data-footnote-backref")) return "";
  const words = text.replaceAll("[image]", "");
  const address = stripInvisible(String(properties.href ?? "")).replace(/\s/g, "");
  if (OF_GITHUB.test(classes) || !/^https?:\/\//i.test(address) || !/[\p{L}\p{N}]/u.test(words)) return text;
  if (text.trim() === address) return text;
  return `[${text}](${address.length > MAX_ADDRESS ? `${address.slice(0, MAX_ADDRESS)}…` : address})`;
}

/** Ranges of code points that are invisible or change the order of the text. */
const RANGES = [
  "\\p{Default_Ignorable_Code_Point}", // soft hyphen, joiners, fillers, zero width, variation selectors, tags
  "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f", // controls but tab and newline
  "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff0-\\ufffb", // bidirectional, annotations
  "\\u2800\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}", // empty Braille, notes, tags
];

const INVISIBLE = new RegExp(`[${RANGES.join("")}]`, "gu");

/** Text with nothing to take out: most texts, and quick to test. */
const PLAIN = /^[\t\n -~]*$/;

/**
 * Takes out invisible characters: controls, zero-width and bidirectional ones, soft hyphens, fillers, variation
 * selectors and tag characters. Line separators and \r become newlines, lone surrogates U+FFFD.
 */
export function stripInvisible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(LINE_END, "\n").replace(INVISIBLE, "").replace(LONE, "\ufffd");
}

const LONE = /[\ud800-\udfff]/gu;

/** Joiners and variants of letters and emoji, and the space by which the bot breaks orders. */
const NEEDED = "\\p{Join_Control}\\p{Variation_Selector}\\u034f\\u200b";

/** The flags that are written with tags, such as Scotland's, and the mark that begins a file, in its patch. */
const NEEDED_THERE = "\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{1,6}\\u{e007f}|^[ +-]\\ufeff";

const MISLEADING = new RegExp(`(${NEEDED_THERE})|(?![${NEEDED}])[${RANGES.join("")}]`, "gmu");

/**
 * Takes out the invisible characters by which a line reads otherwise than it is written, and leaves those that scripts
 * and emoji need. Ends of lines become newlines, lone surrogates, which GitHub refuses, U+FFFD.
 */
export function stripMisleading(text: string): string {
  return PLAIN.test(text) ? text : text.replace(LINE_END, "\n").replace(MISLEADING, "$1").replace(LONE, "\ufffd");
}

/** What any reader takes for the end of a line. */
export const LINE_END = /\r\n?|[\n\u2028\u2029\u0085]/g;
