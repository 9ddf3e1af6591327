import { markers } from "../model/markers.ts";

/**
 * A text of the bot with its block about follow-ups replaced, or put at its end; everything else in it, what people
 * have edited too, is left as it is. A block whose end a person has taken away goes up to the next blank line.
 */
export function replaceBlock(text: string, block: string): string {
  const { begin, end } = markers.followUps;
  const start = text.indexOf(begin);
  if (start < 0) return `${text.trimEnd()}\n\n${block}\n`;
  const last = text.indexOf(end, start);
  const blank = text.indexOf("\n\n", start);
  const after = last >= 0 ? last + end.length : blank >= 0 ? blank : text.length;
  return text.slice(0, start) + block + text.slice(after);
}
