const MAX = 2000;
/** What bears on code comes first, what is for people and lawyers goes first. */
const WANTED =
  /style|convention|guideline|test|lint|format|naming|commit|changelog|document|structure|architect|code|agent|rule/i;
const UNWANTED =
  /conduct|licen[cs]e|certificate|\bdco\b|\bcla\b|sponsor|donat|security|governance|onboard|offboard|member|maintainer|community|support|question|report|release|publish|install|getting started|set ?-?up|thank|contact|translat/i;

interface Section {
  readonly heading: string;
  readonly text: string;
}

/**
 * At most 2,000 characters of a text that guides contributors: of a longer one the sections on code, style and tests,
 * or where there are none all but those on conduct, legal matters and governance, and a note that says how many there were.
 */
export function cutGuidance(text: string): string {
  if (text.length <= MAX) return text;
  const note = `[Parts of it; ${text.length} characters in all.]`;
  let room = MAX - note.length - 2;
  const all = sectionsOf(text);
  const wanted = all.filter(({ heading }) => WANTED.test(heading) && !UNWANTED.test(heading));
  // A text without headings of that kind is taken as it comes.
  const sections = wanted.length > 0 ? wanted : all.filter(({ heading }) => !UNWANTED.test(heading));
  const shown = new Map<Section, string>();
  for (const section of sections) {
    const part = section.text.length <= room ? section.text : cutAtLine(section.text, room);
    if (part === "") break;
    shown.set(section, part);
    room -= part.length + 2;
  }
  const parts = sections.flatMap((section) => shown.get(section) ?? []);
  return [...parts, note].join("\n\n");
}

function sectionsOf(text: string): readonly Section[] {
  return text
    .split(/^(?=#{1,6} )/m)
    .map((part) => ({ heading: /^#{1,6} (.*)/.exec(part)?.[1] ?? "", text: part.trim() }))
    .filter((section) => section.text !== "");
}

/** "" when there is no room for anything that tells something. */
function cutAtLine(text: string, room: number): string {
  if (room < 200) return "";
  const line = text.lastIndexOf("\n", room);
  return text.slice(0, line > room / 2 ? line : room).replace(/[\ud800-\udbff]$/, "");
}
