import { sanitiseHtml } from "./sanitise-html.ts";
import { stripInvisible, visibleText } from "./visible-text.ts";

/** A text as somebody wrote it, and as GitHub shows it. */
export interface Rendered {
  body: string;
  /** GitHub's HTML of `body`; absent where it did not say. Addresses in it are signed: keep it nowhere. */
  html?: string | undefined;
}

const CUT = "[The rest is not shown: it is too long, or nested too deeply.]";

const UNREAD = "[GitHub did not say how it shows this text, so it is not read.]";

/** Text without any of these is shown as it is written. */
const MARKUP = /[<&[\]\\`~|#>*+$]|^[ \t]|^(?:-|=|_|\d+[.)])/m;

const LONGEST_PLAIN = 10_000;

const isPlain = (text: string) => text.length < LONGEST_PLAIN && !MARKUP.test(text);

/** What GitHub makes of 65,536 characters is rarely longer. */
const LONGEST_HTML = 1_000_000;

/**
 * What a reader on GitHub sees of an issue or a comment, as plain text in Markdown style: what people cannot see must
 * not instruct an agent. GitHub's own HTML says what that is; a text with markup and without HTML is not read, and says
 * so. Code stays unchanged, images and drawings become notes, links show only http(s) addresses. Never throws; takes
 * linear time. Cuts what is longer than a million characters of HTML or nests deeper than 250 elements, with a note.
 */
export function shownText({ body, html }: Rendered): string {
  if (isPlain(body)) return stripInvisible(body).trim();
  if (html === undefined) return UNREAD;
  const { tree, cut } = sanitiseHtml(html.slice(0, LONGEST_HTML));
  const shown = visibleText(tree, underlinedIn(body));
  return cut || html.length > LONGEST_HTML ? `${shown}\n\n${CUT}`.trim() : shown;
}

/** Which words in bold a text writes with underscores: names such as `__init__`, which would otherwise be lost. */
function underlinedIn(body: string): (word: string) => boolean {
  const words = new Set(body.match(/__\w{1,100}?__/g));
  return (word) => words.has(`__${word}__`);
}

/**
 * Like `shownText`, for words that come without GitHub's HTML, such as those behind a command. `render` asks for it,
 * where there is markup in them.
 */
export async function shownWords(
  words: string,
  render: (text: string) => Promise<string | undefined>,
): Promise<string> {
  return shownText({ body: words, html: isPlain(words) ? undefined : await render(words) });
}

/** Whether `shownText` gave only a part of a text, or nothing of it. */
export const isUnread = (shown: string): boolean => shown === UNREAD;

export const isCutShort = (shown: string): boolean => shown.endsWith(CUT);

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;

const ATTRIBUTES = /(<[a-z][\w-]{0,40})\s[^<>=]*=[^<>]*(?=>)/gi;

const IMAGE = /!\[[^[\]\n]*\](?:\([^()\n]*\)|\[[^[\]\n]*\])/g;

const DEFINITION = /^ {0,3}\[[^[\]\n]+\]:.*$/gm;

/**
 * A document of a repository (CONTRIBUTING.md, a template) for a prompt. Whoever wrote it may push there, so that plain
 * rules do: invisible characters, comments, attributes, images and definitions of links are left out, in code too.
 */
export const documentText = (text: string): string =>
  stripInvisible(text)
    .replace(COMMENT, "")
    .replace(ATTRIBUTES, "$1")
    .replace(IMAGE, "[image]")
    .replace(DEFINITION, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/**
 * What a reader sees of a title, which is not Markdown, on one line. GitHub shows comments in titles as text; whoever
 * writes one means to hide it, so it is left out all the same.
 */
export function shownTitle(title: string): string {
  return stripInvisible(title)
    .split("<!--")
    .map((part, at) => (at > 0 && part.includes("-->") ? part.slice(part.indexOf("-->") + "-->".length) : part))
    .join("")
    .replace(/\s+/g, " ");
}

/** What may begin a section, a quotation, a rule or a speaker's turn at the beginning of a line. */
const LEADING = /^[ \t]*(?:(?:#{1,6}|>+|[-=_*]{3,}|(?:system|human|user|assistant|developer)[ \t]*:)[ \t]*)+/i;

const CUT_OUT = " […] ";

/**
 * A model's note for later prompts, at most `most` characters of plain text on one line: nothing in it looks like a
 * section, a fence, a tag or a speaker's turn. A longer note keeps its beginning and, at greater length, its end.
 */
export function plainNote(text: string, most: number): string {
  const line = stripInvisible(text)
    .replace(/`{3,}|~{3,}/g, "'")
    .replace(/<(?=[a-z!/?|])/gi, "‹")
    .split("\n")
    .map((part) => part.replace(LEADING, "").trim())
    .filter((part) => part !== "")
    .join(" ")
    .replace(/\s+/g, " ");
  if (line.length <= most) return line;
  const head = Math.floor(most / 3);
  const cut = `${line.slice(0, head)}${CUT_OUT}${line.slice(line.length - (most - head - CUT_OUT.length))}`;
  return cut.replace(/[\ud800-\udfff]/gu, "");
}
