import type { Element, ElementContent, Root, RootContent } from "hast";
import { drawnCode, drawnFormulas } from "./drawn-code.ts";

/** Deeper quotes and lists are shown without their marks, which would all precede every line. */
const MAX_MARKED = 8;

type Content = RootContent | ElementContent;

const BLOCKS: ReadonlySet<string> = new Set(
  "blockquote dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

/** What a reader sees of a sanitised tree, as plain text in Markdown style; code is unchanged. */
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

/** Also true of an inline element around blocks (`<a><p>`). */
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

/** The distinct lengths of runs of backticks: all runs may be too many arguments for one call. */
const runsOf = (text: string) => new Set([...text.matchAll(/`+/g)].map(([run]) => run.length));

function textOf(children: readonly Content[]): string {
  return children.map(textOfOne).join("");
}

function textOfOne(node: Content): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return "";
  return node.tagName === "br" ? "\n" : textOf(node.children);
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
  element.children.flatMap((child) => {
    if (child.type !== "element") return [];
    return child.tagName === "tr" ? [child] : rowsOf(child);
  });

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

/** A browser's status bar shows no more of an address. */
const MAX_ADDRESS = 200;

/** A reader sees a link's address by pointing at it, so the link must have visible text. */
function linkOf(text: string, href: string): string {
  const words = text.replaceAll("[image]", "");
  const address = stripInvisible(href).replace(/\s/g, "");
  if (!/^https?:\/\//i.test(address) || !/[\p{L}\p{N}]/u.test(words) || text.trim() === address) return text;
  return `[${text}](${address.length > MAX_ADDRESS ? `${address.slice(0, MAX_ADDRESS)}…` : address})`;
}

/**
 * Languages that people write after a code fence. GitHub does not show that word: an unknown one could be a hidden
 * message.
 */
const LANGUAGES: ReadonlySet<string> = new Set(
  `ada asm astro awk bash bat batch c c# c++ cc clj clojure cmake cmd coffee coffeescript console cpp cs csharp css csv
cuda cxx d dart diff docker dockerfile dotenv elixir elm env erl erlang ex exs f# f90 fish fortran fsharp gawk geojson
glsl go golang gql gradle graphql groovy h haml haskell hbs hcl hpp hs html http ini ipynb java javascript js json
json5 jsonc jsonl jsp jsx julia jl kotlin kt kts latex less lisp log lua m make makefile markdown math matlab md mdx
mermaid mjs ml mm nasm nginx nim nix objc objective-c ocaml pascal patch perl php pl plaintext plsql postgresql
powershell prisma proto protobuf ps1 puppet pwsh py python python3 r rake rb react rego rest rs rst ruby rust sass
scala scheme scss sh shell shell-session solidity sql stl suggestion svelte svg swift tcl terraform tex text tf toml topojson
ts tsv tsx twig txt typescript v vb vbnet verilog vhdl vim vue wasm wat xhtml xml yaml yml zig zsh`.split(/\s/),
);

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
  if (PLAIN.test(text)) return text;
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(INVISIBLE, "")
    .replace(/[\ud800-\udfff]/gu, "\ufffd");
}
