/** GitHub refuses longer titles of pull requests. */
const MAX_TITLE_LENGTH = 256;

/** `title` on one line, cut with an ellipsis to what GitHub accepts. */
export function fitTitle(title: string): string {
  const points = [...title.replace(/\s+/g, " ").trim()];
  return points.length <= MAX_TITLE_LENGTH ? points.join("") : `${points.slice(0, MAX_TITLE_LENGTH - 1).join("")}…`;
}
