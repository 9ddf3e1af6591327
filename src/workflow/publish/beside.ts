import { staleFiles } from "../change/generated-files.ts";
import { type ChangedFile, diffsOf } from "../change/working-copy.ts";
import { type Note, type NoteInput, writeNote } from "./note/write-note.ts";

/** What a pull request brings beside its code, and says of it. */
export interface Beside {
  readonly note: Note | undefined;
  /** files that may have to be made anew, a sentence each */
  readonly stale: readonly string[];
}

/**
 * The note of a change, by a call of the fast model where notes are usual, and which generated files it may have left
 * behind. `earlier`: paths that an earlier commit of the pull request changed.
 */
export async function besideOf(
  { files, repository, ...input }: Omit<NoteInput, "diffs">,
  earlier: readonly string[],
): Promise<Beside> {
  const note = await writeNote({ ...input, files, repository, diffs: diffsOf(files) });
  const changed = [...earlier, ...files.map(({ path }: ChangedFile) => path)];
  const stale = await staleFiles(changed, await repository.landed(), repository);
  return { note, stale };
}
