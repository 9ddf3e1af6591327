/** A file name for each note, in the notes' order; the second note of a name gets `-2` and so on. */
export function fileNames(notes) {
  const seen = new Map();
  return notes.map(({ title }) => {
    const stem = title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "");
    const count = (seen.get(stem) ?? 0) + 1;
    seen.set(stem, count);
    return count === 1 ? `${stem}.md` : `${stem}-${count}.md`;
  });
}
