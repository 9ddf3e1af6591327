/** The mark of a commit that repairs checks; it holds the commit's title, so that a later comment can say what was tried. */
export function repairMark(commit: string, title: string): string {
  // Two hyphens would end the comment that the mark is.
  const safe = encodeURIComponent(title.slice(0, 120).replace(/[\ud800-\udfff]/g, "")).replaceAll("-", "%2D");
  return `<!-- magis:repaired ${commit} ${safe} -->`;
}
