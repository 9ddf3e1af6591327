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
