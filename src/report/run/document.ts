/** A node of the document: text, or an HTML element. Texts are raw; each renderer makes them safe with `mapTexts`. */
export type Node = string | Element;

export interface Element {
  tag: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly Node[];
}

/** Running text, plain or with markup. Newlines stay. */
export type Words = string | readonly Node[];

/** A text's colour: a class on the page. */
export type Tone = "plain" | "good" | "warn" | "bad" | "quiet";

/** A word or two after a title. */
export interface Badge {
  text: string;
  tone: Tone;
}

/** The heading of a part of the document. */
export interface Heading {
  title: Words;
  badge?: Badge | undefined;
  /** a few words after the title */
  note?: string | undefined;
}

export interface Section {
  /** short and safe: used in addresses and by `--part` */
  id: string;
  title: Words;
  /** the title's colour */
  tone?: Tone | undefined;
  body: readonly Node[];
}

/** A run as plain data, built once and rendered as text or as a page. */
export interface RunDocument {
  title: Words;
  subtitle: string;
  sections: readonly Section[];
}

/** Makes an element; children may be nested in lists. */
export const h = (
  tag: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | readonly Node[])[]
): Element => ({ tag, attributes, children: children.flat() });

/** A copy of `value`, plain data, with every text changed. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const mapped = (one: unknown): unknown => {
    if (typeof one === "string") return change(one);
    if (Array.isArray(one)) return one.map(mapped);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, item]) => [name, mapped(item)]));
  };
  return mapped(value) as T;
}

/** Running text as nodes. */
export const nodesOf = (words: Words): readonly Node[] => (typeof words === "string" ? [words] : words);

/** Running text without markup. */
export const plainText = (words: Words): string =>
  nodesOf(words)
    .map((node) => (typeof node === "string" ? node : plainText(node.children)))
    .join("");

export const paragraph = (words: Words, tone: Tone = "plain"): Element => h("p", { class: tone }, words);

/** A name with its value. */
export type Fact = readonly [string, Words];

/** The facts that have a value; nothing when none has. */
export function factsOf(rows: readonly Fact[]): Element[] {
  const known = rows.filter(([, value]) => value.length > 0);
  if (known.length === 0) return [];
  return [h("dl", {}, ...known.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))))];
}

/** A part of the document with its heading. */
export const part = (heading: Heading, body: readonly Node[]): Element =>
  h("section", {}, h("h3", {}, headingNodes(heading)), body);

/** A part that can be collapsed. */
export const folded = (heading: Heading, body: readonly Node[], state: "open" | "closed" = "closed"): Element =>
  h("details", state === "open" ? { open: "" } : {}, h("summary", {}, headingNodes(heading)), body);

/** A person's or agent's words. */
export const quote = (who: Words, body: readonly Node[], badge?: Badge): Element =>
  h("figure", {}, h("figcaption", {}, headingNodes({ title: who, badge })), h("blockquote", {}, body));

function headingNodes({ title, badge, note = "" }: Heading): Node[] {
  const nodes = [h("span", { class: "title" }, title)];
  if (badge) nodes.push(h("span", { class: `badge ${badge.tone}` }, badge.text));
  if (note !== "") nodes.push(h("span", { class: "note quiet" }, note));
  return nodes;
}

/** A list with a title; nothing when it is empty. */
export const listOf = (title: string, items: readonly Words[]): Element[] =>
  items.length === 0 ? [] : [part({ title }, [h("ul", {}, ...items.map((words) => h("li", {}, paragraph(words))))])];

/** Content wider than the page scrolls in its own box, with the keyboard too. */
const BOX = { class: "box", tabindex: "0" };

export const code = (text: string): Element => h("pre", BOX, h("code", {}, text));

export const table = (...children: readonly Node[]): Element => h("div", BOX, h("table", {}, ...children));

/** A table of figures: the first cell of each row is a name. */
export const figuresTable = (head: readonly string[], rows: readonly (readonly string[])[]): Element =>
  table(h("thead", {}, figures("th", head)), h("tbody", {}, ...rows.map((cells) => figures("td", cells))));

/** A row of figures after a name. */
export const figures = (cell: "th" | "td", [name = "", ...numbers]: readonly string[]): Element =>
  h("tr", {}, h("th", { class: "name" }, name), ...numbers.map((text) => h(cell, { class: "figure" }, text)));

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * A unified diff with a class for each line. It counts the lines that each hunk announces: a removed line `-- x` looks
 * like a header, but is not one.
 */
export function diff(text: string): Element {
  let old = 0;
  let fresh = 0;
  const kindOf = (line: string): string => {
    const inHunk = old > 0 || fresh > 0;
    const hunk = inHunk ? null : HUNK.exec(line);
    if (hunk) {
      old = Number(hunk[1] ?? 1);
      fresh = Number(hunk[2] ?? 1);
      return "hunk";
    }
    if (line.startsWith("\\")) return "same";
    if (!inHunk) return "head";
    if (!line.startsWith("+")) old -= 1;
    if (!line.startsWith("-")) fresh -= 1;
    if (line.startsWith("+")) return "added";
    return line.startsWith("-") ? "removed" : "same";
  };
  const lines = text.replace(/\n$/, "").split("\n");
  const marked = lines.map((line) => h("span", { class: kindOf(line) }, line));
  return h("pre", { ...BOX, class: "box diff" }, h("code", {}, marked));
}

/** Joins the parts that are not empty. */
export const joined = (parts: readonly (string | undefined)[], by: string): string =>
  parts.filter((one) => one !== undefined && one !== "").join(by);

/** An address as a link. */
export const linkTo = (address: string): Words => (address === "" ? "" : [h("a", { href: address }, address)]);

/** A number with commas as thousands separators. */
export const formatCount = (number: number): string => Math.round(number).toLocaleString("en-US");

/** ISO 8601 to the minute, in UTC; any other text is returned unchanged. */
export function formatMoment(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
