const MOST = 8000;

/** At most 8,000 characters of a text, whole lines where it can be, and a note that says how many there were. */
export function cutGuidance(text: string): string {
  if (text.length <= MOST) return text;
  const note = `\n\n[Cut here: ${text.length} characters in all.]`;
  const room = MOST - note.length;
  const line = text.lastIndexOf("\n", room);
  const end = line > room / 2 ? line : room;
  return `${text.slice(0, end).replace(/[\ud800-\udbff]$/, "")}${note}`;
}
