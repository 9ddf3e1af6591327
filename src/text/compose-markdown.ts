import { markdownSegments } from "./markdown.ts";
import { neutraliseMentions, showHeadings } from "./neutralise.ts";

/** Code within a line that the text cannot end, for paths and ids: in table cells too, and never a mark of the bot. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, " ").replaceAll("<!--", "<\u200b!--").replaceAll("|", "\\|");
  const fence = "`".repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length)) + 1);
  const space = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** A fenced block that the text cannot end. */
export function codeBlock(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

/** A section that a reader opens: `title` is one line, `content` Markdown. "" when there is no content. */
export function fold(title: string, content: string): string {
  return content.trim() === "" ? "" : `<details><summary>${title}</summary>\n\n${content.trim()}\n\n</details>`;
}

/** A word that makes what follows stand within a line, as it will where it is put. */
const WORD = "x ";

/**
 * A model's or a person's words, safe to post, on one line: for table cells, list items and headings. It is folded
 * first, since a block of code is no longer one on a single line; a lone backtick cannot pair with one beside it.
 */
export function plain(text: string): string {
  const line = neutraliseMentions(WORD + text.replace(/\s+/g, " "));
  const safe = markdownSegments(line)
    .map(({ kind, text: part }) => (kind === "code" ? part : part.replaceAll("`", "&#96;")))
    .join("")
    .slice(WORD.length)
    .replaceAll("|", "\\|")
    .trim();
  return showHeadings(safe);
}

const MAX_ADDRESS = 2000;

/** Characters that end an address, or the brackets around one, or mean something to a table. */
const UNSAFE_IN_ADDRESS = /[\s()<>[\]{}|\\^`"'*_~\p{Cc}]/gu;

const UNSAFE_IN_LINK = /[\\[\]`<>]/g;

/**
 * A link whose words and address somebody else gave. Only the words when the address is not one of the web, holds a
 * password, or is very long.
 */
export function webLink(words: string, address: string): string {
  const text = plain(words);
  if (address.length > MAX_ADDRESS || !URL.canParse(address)) return text;
  const { protocol, username, password, href } = new URL(address);
  if (!/^https?:$/.test(protocol) || username !== "" || password !== "") return text;
  const inside = plain(words.replace(UNSAFE_IN_LINK, (char) => `&#${char.charCodeAt(0)};`));
  return `[${inside}](${href.replace(UNSAFE_IN_ADDRESS, encoded)})`;
}

const encoded = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** A model's or a person's words of several lines as Markdown, safe to post; a code fence left open ends with them. */
export function prose(text: string, headings: "kept" | "shown" = "shown"): string {
  const safe = neutraliseMentions(text, headings);
  let open: string | undefined;
  for (const line of safe.split("\n")) {
    const [, run = "", rest = ""] = FENCE.exec(line) ?? [];
    if (run === "") continue;
    if (open === undefined) open = run.startsWith("`") && rest.includes("`") ? undefined : run;
    else if (run.startsWith(open) && rest.trim() === "") open = undefined;
  }
  return open === undefined ? safe : `${safe}\n${open}`;
}

const NOTE = "\n\n_The rest is not shown here, since GitHub accepts no longer text; it is kept in the run's record._";

/** Characters that are given up so that the cut is at the end of a line. */
const NEAR = 500;

/** `text`, or its beginning with a visible note when it has more than `most` characters; never half a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const kept = text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
  const line = kept.lastIndexOf("\n");
  return `${line > 0 && line > kept.length - NEAR ? kept.slice(0, line) : kept}${NOTE}`;
}

const MAX = 160;

/** The beginning of what a person said, as one line of a quote, safe to post. */
export function shortQuote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `> ${plain(line.length > MAX ? `${line.slice(0, MAX).replace(/[\ud800-\udbff]$/, "")}…` : line)}`;
}

/** A model's or a person's words of several lines as a quote, safe to post. */
export function quoted(text: string): string {
  return prose(text)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
