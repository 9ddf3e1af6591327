import type { LineInterval } from "../model/line-edit.ts";
import { splitLines } from "./split-lines.ts";
import { stripFence } from "./strip-fence.ts";
import { stripTerminator } from "./strip-terminator.ts";
import type { TextFile } from "./text-file.ts";

const MARKUP = /\.(md|mdx|markdown)$/i;
const MARKUP_FENCE = /^(md|mdx|markdown)\b/i;
const NOT_TEXT = /[\0\uFEFF]/g;

/** The place a replacement goes to. */
export interface ReplacementPlace {
  readonly path: string;
  readonly file: TextFile;
  readonly interval: LineInterval;
}

/**
 * Turns what a model wrote for one interval (P10) into the text of a `LineEdit`: out of its code fence, with the
 * file's line endings, ended so that the following line is not glued to it, and without a final newline at the end of
 * a file that had none. "" deletes the interval. Lines that the old part has too keep the terminator they had there.
 */
export function normaliseReplacement(answer: string, { path, file, interval }: ReplacementPlace): string {
  const text = unfenced(answer, path).replace(NOT_TEXT, "");
  if (text === "") return "";
  const known = new Map<string, string>();
  for (const line of file.lines.slice(interval.start - 1, interval.end))
    known.set(stripTerminator(line), terminatorOf(line));
  const body = splitLines(text.replace(/\r\n?/g, "\n"))
    .map(stripTerminator)
    .map((line) => line + (known.get(line) || file.eol))
    .join("");
  if (interval.end < file.lines.length || hasFinalNewline(file)) return body;
  const glued = interval.start > file.lines.length;
  return (glued ? file.eol : "") + stripTerminator(body);
}

/** In a Markdown file a fenced answer may be the code block that was asked for. */
function unfenced(answer: string, path: string): string {
  const fenced = stripFence(answer);
  if (fenced === undefined) return answer;
  return MARKUP.test(path) && !MARKUP_FENCE.test(fenced.info) ? answer : fenced.content;
}

function terminatorOf(line: string): string {
  return line.slice(stripTerminator(line).length);
}

function hasFinalNewline({ lines }: TextFile): boolean {
  const last = lines.at(-1);
  return last === undefined || terminatorOf(last) !== "";
}
