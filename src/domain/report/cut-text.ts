const NOTE = "\n\n_The rest is not shown here, since GitHub accepts no longer text; it is kept in the run's record._";

/** `text`, or its beginning with a visible note when it has more than `most` characters; never half a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const kept = text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
  return `${kept.slice(0, Math.max(kept.lastIndexOf("\n"), kept.length - 500))}${NOTE}`;
}
