import { markers } from "../model/markers.ts";
import { plain } from "../text/plain.ts";
import { prose } from "../text/prose.ts";

/** What the bot says in a review thread that people wait in. */
export interface ThreadAnswer {
  /** what it answers, for its mark */
  readonly source: string;
  /** title of the Developer who answers; "" for the Manager */
  readonly developer: string;
  readonly reply: string;
  /** the commit that changed the thread's file, if one did */
  readonly commit?: string | undefined;
  /** the thread is a QA Engineer's, and what they asked for is done at the new head */
  readonly settled?: boolean | undefined;
}

/** The one reply in a thread: what was done and in which commit, or why nothing was changed. */
export function threadAnswer({ source, developer, reply, commit, settled }: ThreadAnswer): string {
  const who = developer === "" ? "**Manager**" : `**${plain(developer)}** (Developer)`;
  return [
    `${markers.answer(source)}\n${who}`,
    prose(reply),
    commit === undefined ? "No file was changed for this." : `The change to this file is in ${commit}.`,
    settled && "The QA Engineer found this settled.",
  ]
    .filter((part) => part)
    .join("\n\n");
}
