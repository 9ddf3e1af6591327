import { indexPage } from "./pages/index-page.js";
import { notePage } from "./pages/note-page.js";
import { tagPage } from "./pages/tag-page.js";
import { fileNames } from "./file-names.js";

/** All pages of the folder: a Map of file name to text. */
export function exportNotebook(notes) {
  const names = fileNames(notes);
  const pages = new Map([["index.md", indexPage(notes)]]);
  notes.forEach((note, index) => pages.set(names[index], notePage(note)));
  for (const tag of new Set(notes.flatMap((note) => note.tags ?? []))) {
    pages.set(`tags/${tag}.md`, tagPage(tag, notes));
  }
  return pages;
}
