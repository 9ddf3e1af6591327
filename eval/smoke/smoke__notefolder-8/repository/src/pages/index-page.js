import { noteLinks } from "./note-links.js";

/** The page that lists all notes. */
export function indexPage(notes) {
  return `# Notes\n\n${noteLinks(notes, "").join("\n")}\n`;
}
