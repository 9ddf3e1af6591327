import type { RepositoryId } from "../data/run-request.ts";

/** A line that a maintainer had the bot keep for a repository. */
export interface MaintainerNote {
  /** by which it is deleted; unique within the repository */
  readonly number: number;
  readonly text: string;
  /** login */
  readonly by: string;
}

/** Notes kept for one repository, and characters of one. */
export const MAX_NOTES = 20;

export const MAX_NOTE_LENGTH = 300;

/** What maintainers asked the bot to remember, by repository. All methods throw DATABASE_UNAVAILABLE. */
export interface MaintainerNotes {
  /** oldest first */
  list(repository: RepositoryId): Promise<readonly MaintainerNote[]>;
  /**
   * Keeps a note, once for each `comment`. Gives its number; undefined when the repository has `MAX_NOTES` already.
   */
  add(repository: RepositoryId, comment: number, note: Omit<MaintainerNote, "number">): Promise<number | undefined>;
  /** Whether there was such a note. */
  remove(repository: RepositoryId, number: number): Promise<boolean>;
}
