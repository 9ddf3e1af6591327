import { createHash } from "node:crypto";
import { normaliseReplacement, replaceIntervals } from "../../../edits/line-edits.ts";
import { readText, writeText } from "../../../edits/text-file.ts";
import { createManager, titleOf } from "../../../llm/agents.ts";
import type { PromptRunner } from "../../../llm/prompt-runner.ts";
import type { IssueSnapshot } from "../../../model/discussion.ts";
import { isAnswerError, MagisError } from "../../../model/error.ts";
import { slug } from "../../../model/marks.ts";
import { limitReached } from "../../../model/spend.ts";
import type { Log } from "../../../ports/log.ts";
import type { Repository } from "../../../ports/repository.ts";
import { groupOf } from "../../../search/classify-file.ts";
import { noteHabit } from "../../../search/notes/note-habit.ts";
import { forPackage, makeName, packagePart } from "../../../search/notes/note-names.ts";
import { isChangelog, isNotePath } from "../../../search/notes/note-paths.ts";
import { cutEnd } from "../../../text/cut.ts";
import { createPathGuard } from "../../change/path-guard.ts";
import type { PathPolicy } from "../../change/path-policy.ts";
import type { ChangedFile } from "../../change/working-copy.ts";
import { entryText, faultOfEntry, faultOfFile, fileText, type WrittenNote } from "./check-note.ts";
import { type NoteForm, readForm, readMapping } from "./note-form.ts";

/** What becomes of the note that a repository wants beside a change. */
export interface Note {
  /** none: `said` says why */
  readonly files: readonly ChangedFile[];
  /** for the pull request, in a sentence or two */
  readonly said: string;
}

export interface NoteInput {
  readonly issue: IssueSnapshot;
  readonly title: string;
  readonly reason: string;
  /** the change, without the note */
  readonly files: readonly ChangedFile[];
  readonly diffs: ReadonlyMap<string, string>;
  /** who opens the pull request */
  readonly author: string;
  /** when the run was asked for */
  readonly date: Date;
  readonly repository: Repository;
  readonly policy: PathPolicy;
  readonly prompts: PromptRunner;
  readonly log: Log;
}

/** The fast model sees no more of the diffs. */
const MAX_DIFF = 6_000;

/**
 * Writes the note that merged changes of this repository have beside their code, in the form of the newest ones, by one
 * call of the fast model. Undefined where notes are not usual, or when the change has one already or no code. A note
 * that cannot be written never stops the change.
 */
export async function writeNote(input: NoteInput): Promise<Note | undefined> {
  const { files, repository, policy, log } = input;
  const changed = files.map(({ path }) => path);
  if (!changed.some((path) => groupOf(path) === "source")) return undefined;
  if (changed.some((path) => isChangelog(path) || isNotePath(path))) return undefined;
  const habit = noteHabit(await repository.landed());
  const form = habit && (await readForm(habit, repository, changed));
  if (!habit || !form) return undefined;
  const unusual = "No note, although most changes here have one";
  try {
    const { none, ...written } = await askForNote(input, form);
    if (none !== "") return { files: [], said: `${unusual}: ${titleOf(none)}.${await skipLabel(repository)}` };
    const notes = forEachPackage(await fileOf(written, form, input), form);
    const guard = await createPathGuard(repository, policy);
    for (const { path, before } of notes) {
      const refused = guard({ path, action: before === undefined ? "create" : "modify" });
      if (refused) return { files: [], said: `${unusual}: \`${path}\`, ${refused.reason}.` };
    }
    const names = notes.map(({ path }) => `\`${path}\``).join(", ");
    const said =
      notes.length > 1 ? "Its notes, one for each package as usual here" : "Its note, as most changes here have one";
    return { files: notes, said: `${said}: ${names}.` };
  } catch (error) {
    if (!isAnswerError(error) && limitReached(error) === undefined) throw error;
    log.warn({ error }, "could not write the note for the change");
    return { files: [], said: `${unusual}: the model gave none of that form.` };
  }
}

/** Changes of more packages are mass changes. */
const MAX_PACKAGES = 8;

/** The note for each package that the change touches, in the same words, where the past shows that form. */
function forEachPackage(file: ChangedFile, form: NoteForm): readonly ChangedFile[] {
  if (form.kind !== "file" || !form.habit.isForEach || packagePart(file.path) === undefined) return [file];
  const text = Buffer.from(file.after ?? []).toString("utf8");
  const own = readMapping(text)?.packageName;
  const { touched } = form;
  if (typeof own !== "string") return [file];
  const names = touched.length > MAX_PACKAGES ? [own] : [own, ...touched.filter((name) => name !== own)];
  return names.map((name) => ({
    path: forPackage(file.path, name),
    before: undefined,
    after: Buffer.from(text.replaceAll(JSON.stringify(own), JSON.stringify(name))),
  }));
}

function askForNote({ issue, title, reason, diffs, author, prompts }: NoteInput, form: NoteForm) {
  const changes = [...diffs.values()].map((diff) => cutEnd(diff, MAX_DIFF));
  const change = { title, reason, changes };
  const isDone = (note: WrittenNote & { readonly none: string }) => {
    if (note.none !== "") return undefined;
    return form.kind === "entry" ? faultOfEntry(note, form) : faultOfFile(note, form);
  };
  return createManager(prompts).writeNote(issue, change, { ...form, author, number: numberOf(issue) }, isDone);
}

async function fileOf(note: WrittenNote, form: NoteForm, input: NoteInput): Promise<ChangedFile> {
  const { repository, issue, title, date } = input;
  if (form.kind === "entry") {
    const entry = repository.entries.get(form.path);
    const before = entry && (await repository.readBlob(entry.blob));
    const file = before && readText(before);
    if (!file) throw new MagisError("ANSWER_INVALID", `The changelog ${form.path} cannot be read.`);
    const interval = { start: note.after + 1, end: note.after };
    const text = normaliseReplacement(entryText(note), { path: form.path, file, interval });
    return { path: form.path, before, after: writeText(replaceIntervals(file, [{ ...interval, text }])) };
  }
  const { habit, folders } = form;
  const folder = folders.length > 1 ? note.folder : (folders[0] ?? "");
  const parts = {
    type: note.type,
    slug: slug(title),
    number: numberOf(issue),
    date,
    digest: createHash("sha256").update(`${repository.commit} ${issue.number}`).digest("hex"),
  };
  const path = freeName(
    (again) => `${folder}/${makeName(habit.form, habit.paths[0] ?? "", { ...parts, again })}`,
    repository,
  );
  return { path, before: undefined, after: Buffer.from(fileText(note, form)) };
}

/** The issue's number: the pull request's is only known once it is open. An issue from a file has none. */
const numberOf = ({ number }: Pick<IssueSnapshot, "number">) => (number > 0 ? String(number) : "NUMBER");

/** Names of several notes on one issue differ by a number. */
function freeName(nameOf: (again: number) => string, { entries }: Pick<Repository, "entries">): string {
  let again = 0;
  while (entries.has(nameOf(again)) && again < 20) again++;
  return nameOf(again);
}

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;

/** Labels that let a check for notes pass, as workflows name them. */
const SKIP_LABEL =
  /["'\s[(,]((?:no|skip)[-_ :/]{0,2}(?:change(?:log|set|s)?|news|release[-_ ]?notes?)[\w-]{0,20})["'\s\]),]/i;

/** The label that skips the check for notes, in a sentence with a blank before it; "" if no workflow names one. */
async function skipLabel({ entries, readBlob }: Pick<Repository, "entries" | "readBlob">): Promise<string> {
  for (const { path, blob, mode } of entries.values()) {
    if (!WORKFLOW.test(path) || !mode.startsWith("100")) continue;
    const text = readText(await readBlob(blob))?.lines.join("") ?? "";
    const label = SKIP_LABEL.exec(text)?.[1];
    if (label !== undefined) return ` The label \`${label}\` skips the check of \`${path}\`.`;
  }
  return "";
}
