import { markdownToHtml } from "./parse-markdown.ts";
import { sanitiseHtml } from "./sanitise-html.ts";
import { stripInvisible, visibleText } from "./visible-text.ts";

const CUT = "[The rest is not shown: it is too long, or nested too deeply.]";

/** Only these begin what is more than text. */
const MARKUP = /[<&[\]\\`~|#>*+$]|^[ \t]|^(?:-|=|_|\d+[.)])/m;

/**
 * What a reader of GitHub sees of an issue, a comment, a template or another text in Markdown, as plain text in the
 * manner of Markdown: what a person could not see must not instruct an agent. It is rendered and sanitised as GitHub
 * does it; code stays to the letter, an image is a mark that there is one, and of a link's address only http(s) is
 * shown. Never throws; time is linear, and of texts above 100,000 characters the rest is left out, with a note.
 */
export function stripHiddenText(text: string): string {
  if (text.length < 10_000 && !MARKUP.test(text)) return stripInvisible(text).trim();
  const { html, cut } = markdownToHtml(withoutHalves(text));
  const { tree, cut: deep } = sanitiseHtml(html);
  const shown = visibleText(tree);
  return cut || deep ? `${shown}\n\n${CUT}`.trim() : shown;
}

/** Whether `stripHiddenText` has left out the rest of what it gave. */
export const isCutShort = (shown: string): boolean => shown.endsWith(CUT);

/** What is no character, or none to the parsers, must not part what GitHub sees as one. */
const withoutHalves = (text: string) => text.replace(/[\ud800-\udfff]/gu, "\ufffd");

/**
 * What a reader sees of a title, which is no Markdown, on one line. GitHub shows what looks like a comment there; who
 * writes one means it to be hidden, so that it is left out all the same.
 */
export function stripHiddenTitle(title: string): string {
  return stripInvisible(title)
    .split("<!--")
    .map((part, at) => (at > 0 && part.includes("-->") ? part.slice(part.indexOf("-->") + "-->".length) : part))
    .join("")
    .replace(/\s+/g, " ");
}

/** What begins a section, a quotation, a rule or a turn of somebody where lines are told apart. */
const LEADING = /^[ \t]*(?:(?:#{1,6}|>+|[-=_*]{3,}|(?:system|human|user|assistant|developer)[ \t]*:)[ \t]*)+/i;

const CUT_OUT = " […] ";

/**
 * A note that a model wrote for later prompts, at most `most` characters of plain text on one line: nothing in it looks
 * like a section, a fence, a tag or somebody's turn. Of a longer one the beginning and, longer, the end are kept.
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
