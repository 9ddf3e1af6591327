import type { RepositoryId } from "../data/run-request.ts";
import { plain } from "../text/compose-markdown.ts";
import { counted } from "../text/counted.ts";

/** A line that a maintainer had the bot keep for a repository. */
export interface MaintainerNote {
  /** by which it is deleted; unique within the repository */
  number: number;
  text: string;
  /** login */
  by: string;
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

/** Answers to the commands about what the bot is to remember. */
export const NOTES = {
  none: "I keep no notes for this repository. Comment `/magis remember TEXT` to have me keep one.",
  empty: "There is nothing to remember: put the words after `/magis remember`.",
  tooLong: `A note has at most ${MAX_NOTE_LENGTH} characters. Please say it in fewer.`,
  full: `I keep ${MAX_NOTES} notes for this repository, and no more. \`/magis memory\` lists them, \`/magis forget NUMBER\` deletes one.`,
  kept: (number: number) =>
    `I keep this as note ${number}: the agents read it with every issue of this repository. \`/magis memory\` lists the notes, \`/magis forget NUMBER\` deletes one.`,
  listed: (count: number) => `I keep ${counted(count, "note")} for this repository; there can be ${MAX_NOTES}.`,
  which: "Say which note, by its number: `/magis forget NUMBER`.",
  gone: (number: number) => `Note ${number} is deleted.`,
  unknown: (number: number) => `There is no note ${number}.`,
} as const;

/** A sentence, and the notes by their numbers. */
export function notesText(sentence: string, notes: readonly MaintainerNote[]): string {
  const rows = notes.map(
    ({ number, text, by }) => `| ${number} | ${plain(text)} | ${by === "" ? "somebody" : plain(by)} |`,
  );
  return rows.length === 0 ? sentence : [sentence, "", "| | note | by |", "| --- | --- | --- |", ...rows].join("\n");
}
