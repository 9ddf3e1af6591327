import { markdownSegments } from "./markdown.ts";
import { neutraliseMentions, showHeadings } from "./neutralise.ts";

/** Inline code that the text cannot close, for paths and ids, also in table cells. Never forms a mark of the bot. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, " ").replaceAll("<!--", "<\u200b!--").replaceAll("|", "\\|");
  const fence = "`".repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length)) + 1);
  const space = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** A fenced block that the text cannot close. */
export function codeBlock(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

/** A collapsed section: `title` is one line, `content` Markdown. "" if there is no content. */
export function fold(title: string, content: string): string {
  return content.trim() === "" ? "" : `<details><summary>${title}</summary>\n\n${content.trim()}\n\n</details>`;
}

/** A word in front, so that what follows is read as the middle of a line, where it will be put. */
const WORD = "x ";

/**
 * Words of a model or a person on one line, safe to post: for table cells, list items and headings. Joins the lines
 * first, since a block of code is none on a single line. A lone backtick cannot pair with one beside it.
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

/** Characters that end an address or the brackets around it, or have a meaning in tables. */
const UNSAFE_IN_ADDRESS = /[\s()<>[\]{}|\\^`"'*_~\p{Cc}]/gu;

const UNSAFE_IN_LINK = /[\\[\]`<>]/g;

/**
 * A link with words and address from outside. Gives only the words if the address is not on the web, holds a password
 * or is very long.
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

/** Words of a model or a person as Markdown of several lines, safe to post. Closes a code fence left open. */
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

/** How many characters may be given up to cut at the end of a line. */
const NEAR = 500;

/** `text`, or its beginning with a visible note if it is longer than `most` characters. Never splits a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const kept = text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
  const line = kept.lastIndexOf("\n");
  return `${line > 0 && line > kept.length - NEAR ? kept.slice(0, line) : kept}${NOTE}`;
}

const MAX = 160;

/** The beginning of a person's words as a quote of one line, safe to post. */
export function shortQuote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `> ${plain(line.length > MAX ? `${line.slice(0, MAX).replace(/[\ud800-\udbff]$/, "")}…` : line)}`;
}

/** Words of a model or a person as a quote of several lines, safe to post. */
export function quoted(text: string): string {
  return prose(text)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
