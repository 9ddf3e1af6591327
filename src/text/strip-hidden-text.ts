import { markdownSegments } from "./markdown-segments.ts";
import { stripFenceInfo } from "./strip-fence-info.ts";
import { stripHiddenMarkup } from "./strip-hidden-markup.ts";
import { stripInvisible } from "./strip-invisible.ts";

/**
 * Takes out of an issue or a comment (Markdown) what GitHub does not show to a reader: HTML comments, texts of images,
 * attributes, titles, link definitions used as comments, and invisible characters. What a person could not see must
 * not instruct an agent. Code keeps its text; comments in it stay only where it is code for certain. Linear time.
 */
export function stripHiddenText(text: string): string {
  let shown = "";
  for (const segment of markdownSegments(text)) {
    if (segment.kind === "text") shown += stripHiddenMarkup(segment.text);
    else if (segment.kind === "code") shown += stripInvisible(codeOf(segment.text));
    // Two halves of a comment's opening must not meet where a comment stood between them.
    else if (/<!?-?$/.test(shown.slice(-3))) shown += " ";
  }
  return shown;
}

/** Only the first line of a fenced block is an opening. */
function codeOf(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? stripFenceInfo(text) : stripFenceInfo(text.slice(0, end)) + text.slice(end);
}
