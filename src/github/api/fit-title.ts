/** GitHub refuses longer titles of pull requests. */
const LONGEST_TITLE = 256;

/** `title` on one line, cut with an ellipsis to what GitHub accepts. */
export function fitTitle(title: string): string {
  const points = [...title.replace(/\s+/g, " ").trim()];
  return points.length <= LONGEST_TITLE ? points.join("") : `${points.slice(0, LONGEST_TITLE - 1).join("")}…`;
}
