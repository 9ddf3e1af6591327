import type { RunSettings } from "../../model/settings.ts";
import type { BlameReads } from "../../ports/blame.ts";
import { staleFiles } from "../change/generated-files.ts";
import { type ChangedFile, diffsOf } from "../change/working-copy.ts";
import { type Note, type NoteInput, writeNote } from "./note/write-note.ts";
import { findOrigin, originSentence } from "./origin.ts";

/** What a pull request brings beside its code, and says of it. */
export interface Beside {
  readonly note: Note | undefined;
  /** where the changed lines come from */
  readonly origin?: string | undefined;
  /** files that may have to be made anew, a sentence each */
  readonly stale: readonly string[];
}

interface BesideInput extends Omit<NoteInput, "diffs"> {
  readonly host: BlameReads;
  readonly settings: Pick<RunSettings, "suggestReviewer">;
}

/**
 * The note of a change, by a call of the fast model where notes are usual, and which generated files it may have left
 * behind, and where the lines come from that it changes. `earlier`: paths that an earlier commit of the pull request changed.
 */
export async function besideOf(
  { files, repository, host, settings, ...input }: BesideInput,
  earlier: readonly string[],
): Promise<Beside> {
  const note = await writeNote({ ...input, files, repository, diffs: diffsOf(files) });
  const changed = [...earlier, ...files.map(({ path }: ChangedFile) => path)];
  const stale = await staleFiles(changed, await repository.landed(), repository);
  const now = input.date.getTime();
  const origin = await findOrigin(files, repository.commit, { now, host: repository.lines ?? host });
  const came = origin && originSentence(origin, { now, suggest: settings.suggestReviewer });
  return { note, origin: came, stale };
}
