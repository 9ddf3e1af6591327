import type { Element, ElementContent, Root, RootContent } from "hast";
import { drawnCode, drawnFormulas } from "./drawn-code.ts";
import { stripInvisible } from "./invisible.ts";
import { LANGUAGES } from "./languages.ts";

/** Deeper quotes and lists are shown without their marks: each would stand before every line. */
const MAX_MARKED = 8;

type Content = RootContent | ElementContent;

const BLOCKS: ReadonlySet<string> = new Set(
  "blockquote dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

/** What a reader sees of a sanitised tree, as plain text in the manner of Markdown; code to the letter. */
export function visibleText(tree: Root): string {
  return blocksOf(tree.children, 0).join("\n\n");
}

function blocksOf(children: readonly Content[], depth: number): string[] {
  const blocks: string[] = [];
  let line = "";
  const endLine = () => {
    const text = tidy(line);
    if (text !== "") blocks.push(text);
    line = "";
  };
  for (const child of children) {
    if (!isBlock(child)) {
      line += inline(child);
      continue;
    }
    endLine();
    blocks.push(...blockOf(child, depth).filter((block) => block !== ""));
  }
  endLine();
  return blocks;
}

/** An inline element around blocks (`<a><p>`) is read as they are. */
const isBlock = (node: Content): node is Element =>
  node.type === "element" && (BLOCKS.has(node.tagName) || node.children.some(isBlock));

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const tidy = (text: string) => linesOf(text).join("\n");

function blockOf(element: Element, depth: number): string[] {
  const { tagName, children, properties } = element;
  const heading = /^h([1-6])$/.exec(tagName)?.[1];
  if (heading !== undefined) {
    const text = lineOf(children);
    return text === "" ? [] : [`${"#".repeat(Number(heading))} ${text}`];
  }
  switch (tagName) {
    case "hr":
      return ["---"];
    case "pre":
      return [preOf(element)];
    case "table":
      return tableOf(element);
    case "ul":
    case "ol":
      return listOf(element, depth);
    case "blockquote": {
      const blocks = blocksOf(children, depth + 1);
      return depth >= MAX_MARKED || blocks.length === 0 ? blocks : [indent(blocks.join("\n\n"), "> ", "> ")];
    }
    default: {
      const note = /^\d{1,5}$/.exec(String(properties.dataNote ?? ""))?.[0];
      const blocks = blocksOf(children, depth);
      return note === undefined ? blocks : [`[^${note}]: ${blocks.join("\n\n")}`];
    }
  }
}

function preOf({ properties, children }: Element): string {
  const text = stripInvisible(textOf(children)).replace(/\n$/, "");
  const named = String(properties.dataLang ?? "").toLowerCase();
  const language = LANGUAGES.has(named) ? named : "";
  const longest = Math.max(2, ...runsOf(text));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${drawnCode(text, language)}\n${fence}`;
}

/** Lengths of the runs of backticks, each once: there may be more than a call takes arguments. */
const runsOf = (text: string) => new Set([...text.matchAll(/`+/g)].map(([run]) => run.length));

function textOf(children: readonly Content[]): string {
  return children
    .map((child) =>
      child.type === "text"
        ? child.value
        : child.type !== "element"
          ? ""
          : child.tagName === "br"
            ? "\n"
            : textOf(child.children),
    )
    .join("");
}

function listOf({ tagName, properties, children }: Element, depth: number): string[] {
  let number = typeof properties.start === "number" ? properties.start : 1;
  let loose = false;
  const items: string[] = [];
  for (const child of children) {
    const blocks = blocksOf(child.type === "element" && child.tagName === "li" ? child.children : [child], depth + 1);
    if (child.type !== "element" && blocks.length === 0) continue;
    loose ||= child.type === "element" && child.children.some((one) => one.type === "element" && one.tagName === "p");
    const mark = tagName === "ul" ? "- " : `${number++}. `;
    const text = blocks.join(loose ? "\n\n" : "\n");
    items.push(depth >= MAX_MARKED ? text : indent(text, mark, " ".repeat(mark.length)));
  }
  return items.length === 0 ? [] : [items.join(loose ? "\n\n" : "\n")];
}

const indent = (text: string, first: string, others: string) =>
  text
    .split("\n")
    .map((line, at) => ((at === 0 ? first : others) + line).trimEnd())
    .join("\n");

function tableOf(table: Element): string[] {
  const rows: string[] = [];
  for (const row of rowsOf(table)) {
    const cells = row.children.filter((cell) => cell.type === "element").map(({ children }) => lineOf(children));
    if (cells.length === 0) continue;
    rows.push(`| ${cells.join(" | ")} |`);
    if (rows.length === 1) rows.push(`|${" --- |".repeat(cells.length)}`);
  }
  return rows.length === 0 ? [] : [rows.join("\n")];
}

const rowsOf = (element: Element): Element[] =>
  element.children.flatMap((child) =>
    child.type !== "element" ? [] : child.tagName === "tr" ? [child] : rowsOf(child),
  );

const lineOf = (children: readonly Content[]): string => blocksOf(children, MAX_MARKED).flatMap(linesOf).join(" ");

function inline(node: Content): string {
  if (node.type === "text") return stripInvisible(drawnFormulas(node.value));
  if (node.type !== "element") return "";
  const { tagName, children, properties } = node;
  switch (tagName) {
    case "br":
      return "\n";
    case "code":
      return codeOf(stripInvisible(textOf(children)));
    case "img":
      return "[image]";
    case "input":
      return properties.checked ? "[x]" : "[ ]";
    case "a":
      return linkOf(children.map(inline).join(""), String(properties.href ?? ""));
    default:
      return children.map(inline).join("");
  }
}

function codeOf(text: string): string {
  if (text === "") return "";
  const runs = runsOf(text);
  let length = 1;
  while (runs.has(length)) length += 1;
  const fence = "`".repeat(length);
  const space = /^`|`$/.test(text) ? " " : "";
  return fence + space + text + space + fence;
}

/** A browser's status line shows no more of an address. */
const MAX_ADDRESS = 200;

/** The address of a link is seen by who points at it: there must be something to point at. */
function linkOf(text: string, href: string): string {
  const words = text.replaceAll("[image]", "");
  const address = stripInvisible(href).replace(/\s/g, "");
  if (!/^https?:\/\//i.test(address) || !/[\p{L}\p{N}]/u.test(words) || text.trim() === address) return text;
  return `[${text}](${address.length > MAX_ADDRESS ? `${address.slice(0, MAX_ADDRESS)}…` : address})`;
}
