import { noteLinks } from "./note-links.js";

/** The page of a tag, one folder down. */
export function tagPage(tag, notes) {
  const links = noteLinks(notes, "../").filter((_, index) => notes[index].tags?.includes(tag));
  return `# ${tag}\n\n${links.join("\n")}\n`;
}
