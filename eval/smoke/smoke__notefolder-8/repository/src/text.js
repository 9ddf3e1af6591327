/** `title` as it may stand in a link: no accents, lower case, words joined by hyphens. */
export function slug(title) {
  const plain = title
    .replaceAll("ß", "ss")
    .normalize("NFD")
    .replace(/\p{M}/gu, "");
  return plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Square brackets and backslashes escaped for the text of a Markdown link. */
export function escapeLinkText(text) {
  return text.replace(/[[\]\\]/g, "\\$&");
}
