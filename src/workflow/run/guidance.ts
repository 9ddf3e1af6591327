import { readText } from "../../edits/text-file.ts";
import type { Repository, TreeEntry } from "../../ports/repository.ts";
import { stripHiddenText } from "../../text/strip-hidden.ts";

/** In the order in which they are given; their case does not matter. */
const NAMES = ["agents.md", "claude.md", ".github/contributing.md", "contributing.md", "docs/contributing.md"];

const MAX_SIZE = 1024 * 1024;

/** What a repository says to those who work on it. Untrusted: it may be wrong, and it may have been written to mislead. */
export interface Guidance {
  readonly path: string;
  /** Markdown without what a reader would not see, of a long one what bears on code, with a visible note */
  readonly text: string;
}

/**
 * AGENTS.md, CLAUDE.md and CONTRIBUTING.md of a commit, the last also in `.github/` and `docs/`. Links (CLAUDE.md is
 * often one to AGENTS.md), second copies, binary files and files above 1 MiB are passed over.
 */
export async function guidanceOf({
  entries,
  readBlob,
}: Pick<Repository, "entries" | "readBlob">): Promise<readonly Guidance[]> {
  const found = new Map<string, TreeEntry>();
  for (const entry of entries.values()) {
    const name = entry.path.toLowerCase();
    if (NAMES.includes(name) && isReadable(entry) && !found.has(name)) found.set(name, entry);
  }
  const guidance: Guidance[] = [];
  const seen = new Set<string>();
  for (const name of NAMES) {
    const entry = found.get(name);
    if (entry === undefined || seen.has(entry.blob)) continue;
    seen.add(entry.blob);
    const shown = stripHiddenText(readText(await readBlob(entry.blob))?.lines.join("") ?? "").trim();
    // What is written for agents is about code; what is written for people often is about issues and manners alone.
    const text = cutGuidance(shown, /contributing/.test(name) ? RULE : /\S/);
    if (text !== "") guidance.push({ path: entry.path, text });
  }
  return guidance;
}

/** A blob without a size was left out of the clone. */
function isReadable({ mode, size }: TreeEntry): boolean {
  return mode !== "120000" && mode !== "160000" && size !== undefined && size <= MAX_SIZE;
}

const MAX = 2000;

/** What bears on code comes first, what is for people and lawyers goes first. */
const WANTED =
  /style|convention|guideline|test|lint|format|naming|commit|changelog|document|structure|architect|code|agent|rule/i;

const UNWANTED =
  /conduct|licen[cs]e|certificate|\bdco\b|\bcla\b|sponsor|donat|security|governance|onboard|offboard|member|maintainer|community|support|question|report|release|publish|install|getting started|set ?-?up|thank|contact|translat/i;

/** A rule on how code is to be. */
const RULE =
  /\b(?:styles?|conventions?|lint(?:er|ed|s|ing)?|formatt(?:er|ed|ing)|indent\w*|naming|names?|tests?|tested|coverage|changelog|docstrings?|comments?|type hints?|typed|imports?|eslint|prettier|biome|black|ruff|flake8|gofmt|rustfmt|clippy|rubocop|pep ?8|camelcase|snake_case|semicolons?|quotes?|tabs?|spaces|line length|compatib\w+|deprecat\w+|dependenc\w+|refactor\w*)\b/i;

interface Section {
  readonly heading: string;
  readonly text: string;
}

/**
 * At most 2,000 characters of a text that guides contributors: of a longer one the sections on code, style and tests,
 * or where there are none all but those on conduct, legal matters and governance, and a note that says how many there were.
 * Only what has a `rule`: "" when nothing has.
 */
function cutGuidance(text: string, rule: RegExp): string {
  if (text.length <= MAX) return rule.test(text) ? text : "";
  const note = `[Parts of it; ${text.length} characters in all.]`;
  let room = MAX - note.length - 2;
  const all = sectionsOf(text).filter((section) => rule.test(section.text));
  if (all.length === 0) return "";
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
