import { markdownToHtml } from "./parse-markdown.ts";
import { sanitiseHtml } from "./sanitise-html.ts";
import { stripInvisible, visibleText } from "./visible-text.ts";

const CUT = "[The rest is not shown: it is too long, or nested too deeply.]";

/** Text without any of these is plain. */
const MARKUP = /[<&[\]\\`~|#>*+$]|^[ \t]|^(?:-|=|_|\d+[.)])/m;

/**
 * What a reader on GitHub sees of a Markdown text (an issue, a comment, a template), as plain text in Markdown style:
 * what people cannot see must not instruct an agent. Renders and sanitises as GitHub does. Code stays unchanged, an
 * image becomes a note that there is one, and links show only http(s) addresses. Never throws; takes linear time. Cuts
 * texts above 100,000 characters, with a note.
 */
export function stripHiddenText(text: string): string {
  if (text.length < 10_000 && !MARKUP.test(text)) return stripInvisible(text).trim();
  const { html, cut } = markdownToHtml(withoutHalves(text));
  const { tree, cut: deep } = sanitiseHtml(html);
  const shown = visibleText(tree);
  return cut || deep ? `${shown}\n\n${CUT}`.trim() : shown;
}

/** Whether `stripHiddenText` has cut this text. */
export const isCutShort = (shown: string): boolean => shown.endsWith(CUT);

/** Replaces lone surrogates: they must not split what GitHub reads as one. */
const withoutHalves = (text: string) => text.replace(/[\ud800-\udfff]/gu, "\ufffd");

/**
 * What a reader sees of a title, which is not Markdown, on one line. GitHub shows comments in titles as text; whoever
 * writes one means to hide it, so it is left out all the same.
 */
export function stripHiddenTitle(title: string): string {
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
