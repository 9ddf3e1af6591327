import { numberedSpans, type Span } from "../../../code/edits/numbered.ts";
import type { NotesView, Place } from "../../../data/plan.ts";
import type { PastCommit } from "../../../git/repository.ts";
import { pastNotes } from "../../../search/past-notes.ts";
import { cutEnd } from "../../../text/cut.ts";
import { linesOf, type RepositoryView } from "./repository-view.ts";

const NEWEST = 2;

const MAX_NAMES = 8;

const MAX_LENGTH = 900;

/** Lines of a changelog in all. */
const BEGINNING = 50;

/** Lines below a heading: a section begins with its newest entries. */
const OF_SECTION = 6;

/** A heading by its mark, or the line below one. */
const HEADING = /^(?:#{1,6}\s|([=~^"*+-])\1{2,}\s*$)/;

const MAX_LINE = 160;

/** Shows the newest notes of a repository; null where they are not usual. */
export async function viewNotes(
  landed: readonly PastCommit[],
  repositoryView: Pick<RepositoryView, "read">,
): Promise<NotesView | null> {
  const found = pastNotes(landed);
  if (!found) return null;
  const { kind, folder, paths } = found;
  const examples: NotesView["examples"][number][] = [];
  for (const path of paths) {
    const lines = await linesOf(path, repositoryView);
    if (lines.length === 0) continue;
    const spans = kind === "file" ? [{ start: 1, end: BEGINNING }] : beginningOf(lines);
    const content = kind === "file" ? cutEnd(lines.join(""), MAX_LENGTH) : numberedSpans(cutLines(lines), spans);
    if (examples.push({ path, content, spans }) === NEWEST) break;
  }
  if (kind === "entry" && examples.length === 0) return null;
  return { kind, folder, names: kind === "file" ? paths.slice(0, MAX_NAMES) : [], examples };
}

/** Whether a path is a note, there or to be written. */
export const isNote = (path: string, notes: NotesView): boolean =>
  notes.kind === "file" ? path.startsWith(`${notes.folder}/`) : isExample(path, notes);

/** The lines that were shown. */
export const exampleLines = ({ examples }: NotesView): readonly Place[] =>
  examples.flatMap(({ path, spans }) => spans.map((span) => ({ path, ...span })));

export const isExample = (path: string, notes: NotesView | null): boolean =>
  notes?.examples.some((one) => one.path === path) ?? false;

/** The first headings, each with the lines above and below it; the first lines where there are no headings. */
function beginningOf(lines: readonly string[]): readonly Span[] {
  const headings = lines.flatMap((line, at) => (HEADING.test(line) ? [Math.max(1, at)] : []));
  if (headings.length < 2) return [{ start: 1, end: BEGINNING }];
  return headings.slice(0, BEGINNING / OF_SECTION).map((start) => ({ start, end: start + OF_SECTION }));
}

const cutLines = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
