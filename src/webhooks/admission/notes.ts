import type { KnownCommand } from "../../data/command.ts";
import type { Settings } from "../../data/settings.ts";
import { MAX_NOTE_LENGTH, type MaintainerNote, NOTES, notesText } from "../../report/notes.ts";
import { shownWords } from "../../text/shown-text.ts";
import type { CommandContext } from "./command-context.ts";

/** `/magis remember TEXT`: keeps a line for this repository, in the words of whoever may write. */
export async function remember(context: CommandContext, { text }: KnownCommand<"remember">): Promise<undefined> {
  const { delivery, deps, answer, host } = context;
  const { repository, trigger, actor } = delivery;
  const line = (await shownWords(text, host.renderText)).replace(/\s+/g, " ").trim();
  await answer(await said());

  async function said(): Promise<string> {
    if (!deps.notes || !("commentId" in trigger)) return NOTES.none;
    if (line === "") return NOTES.empty;
    if (line.length > MAX_NOTE_LENGTH) return NOTES.tooLong;
    const number = await deps.notes.add(repository, trigger.commentId, { text: line, by: actor });
    return number === undefined ? NOTES.full : notesText(NOTES.kept(number), await deps.notes.list(repository));
  }
}

/** `/magis memory`: shows what was kept. */
export async function showNotes({ delivery, deps, answer }: CommandContext): Promise<undefined> {
  const kept = (await deps.notes?.list(delivery.repository)) ?? [];
  await answer(kept.length === 0 ? NOTES.none : notesText(NOTES.listed(kept.length), kept));
}

/** `/magis forget NUMBER`: deletes a note. Told twice, the second answer finds that it is gone. */
export async function forgetNote(context: CommandContext, { number }: KnownCommand<"forget">): Promise<undefined> {
  const { delivery, deps, answer } = context;
  const was = number !== undefined && ((await deps.notes?.remove(delivery.repository, number)) ?? false);
  const kept = (await deps.notes?.list(delivery.repository)) ?? [];
  const said = number === undefined ? NOTES.which : NOTES.unknown(number);
  await answer(notesText(was ? NOTES.gone(number) : said, kept));
}

/** Settings whose instructions to the agents end with the notes: maintainers' words, like the rest. */
export function withNotes(settings: Settings, notes: readonly MaintainerNote[]): Settings {
  if (notes.length === 0) return settings;
  const lines = ["Remember, from earlier reviews:", ...notes.map(({ text }) => `- ${text}`)];
  return { ...settings, instructions: [settings.instructions, lines.join("\n")].filter((part) => part).join("\n\n") };
}
