import { escapeLinkText, slug } from "../text.js";

/** A list item with a link for each note; `prefix` leads from the page to the notes' folder. */
export function noteLinks(notes, prefix) {
  const seen = new Map();
  return notes.map(({ title }) => {
    const stem = slug(title);
    const count = (seen.get(stem) ?? 0) + 1;
    seen.set(stem, count);
    const name = count === 1 ? stem : `${stem}-${count}`;
    return `- [${escapeLinkText(title)}](${prefix}${name}.md)`;
  });
}
