import { numberedSpans, type ShownFile } from "../../../code/edits/numbered.ts";
import type { Place } from "../../../data/plan.ts";
import type { PastCommit } from "../../../git/repository.ts";
import { type PastNotes, pastNotes } from "../../../search/past-notes.ts";
import { cutEnd } from "../../../text/cut.ts";
import { linesOf, type RepositoryView } from "./repository-view.ts";

/** The notes for users that changes to the code of a repository come with. */
export interface NotesView extends Pick<PastNotes, "kind" | "folder"> {
  /** the newest names of notes in files of their own */
  readonly names: readonly string[];
  /** the newest two that stand: a note whole, of a changelog the numbered beginning */
  readonly examples: readonly ShownFile[];
}

const NEWEST = 2;

const MAX_NAMES = 8;

const MAX_LENGTH = 2_500;

/** Lines of a changelog: the newest entries stand at its beginning. */
const BEGINNING = 50;

const MAX_LINE = 160;

/** Shows the newest notes of a repository; null where they are not usual. */
export async function viewNotes(
  landed: readonly PastCommit[],
  repositoryView: Pick<RepositoryView, "read">,
): Promise<NotesView | null> {
  const found = pastNotes(landed);
  if (!found) return null;
  const { kind, folder, paths } = found;
  const examples: ShownFile[] = [];
  for (const path of paths) {
    const lines = await linesOf(path, repositoryView);
    if (lines.length === 0) continue;
    const content = kind === "file" ? cutEnd(lines.join(""), MAX_LENGTH) : beginningOf(lines);
    if (examples.push({ path, content }) === NEWEST) break;
  }
  if (kind === "entry" && examples.length === 0) return null;
  return { kind, folder, names: kind === "file" ? paths.slice(0, MAX_NAMES) : [], examples };
}

/** Whether a path is a note, there or to be written. */
export const isNote = (path: string, notes: NotesView): boolean =>
  notes.kind === "file" ? path.startsWith(`${notes.folder}/`) : isExample(path, notes);

/** The lines that were shown. */
export const exampleLines = ({ examples }: NotesView): readonly Place[] =>
  examples.map(({ path }) => ({ path, start: 1, end: BEGINNING }));

export const isExample = (path: string, notes: NotesView | null): boolean =>
  notes?.examples.some((one) => one.path === path) ?? false;

function beginningOf(lines: readonly string[]): string {
  const short = lines.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
  return numberedSpans(short, [{ start: 1, end: Math.min(BEGINNING, lines.length) }]);
}
