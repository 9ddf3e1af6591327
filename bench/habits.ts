// Whether the habit of a note beside each change is known from the past, and its form right for the changes that followed:
// npm run bench:habits -- MIRROR...
import { localPast } from "../src/adapters/git/open-local-repository.ts";
import type { PastCommit } from "../src/ports/repository.ts";
import { groupOf } from "../src/search/classify-file.ts";
import { type NoteHabit, noteHabit } from "../src/search/notes/note-habit.ts";
import { readName } from "../src/search/notes/note-names.ts";
import { folderOf, isChangelog, isNotePath } from "../src/search/notes/note-paths.ts";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { git } from "./recall/git.ts";
import { nameOf } from "./recall/name-of.ts";

await leaveNothing("bench");

const mirrors = process.argv.slice(2);
if (mirrors.length === 0) throw new Error("Name the mirrors to measure: local git repositories with their history.");

/** The newest changes to the code, which the habit is not read from. */
const FOLLOWING = 30;

const COLUMNS = [
  "repository",
  "habit",
  "of the past",
  "of what followed",
  "notes that followed",
  "form right",
  "folder known",
];

interface Measure {
  readonly name: string;
  readonly habit: NoteHabit | undefined;
  /** of the changes that followed */
  readonly noted: number;
  readonly changes: number;
  readonly notes: number;
  readonly form: number;
  readonly folder: number;
}

async function measure(mirror: string): Promise<Measure> {
  const head = git(mirror, "rev-parse", "HEAD").trim();
  const { landed } = await localPast(mirror, head, { environment: process.env });
  const changes = landed.filter(({ paths }) => paths.some((path) => groupOf(path) === "source" && !isNotePath(path)));
  const newest = new Set(changes.slice(0, FOLLOWING));
  const habit = noteHabit(landed.filter((one) => !newest.has(one)));
  const notesOf = ({ paths }: PastCommit) =>
    paths.filter((path) => (habit?.kind === "entry" ? habit.paths.includes(path) : isNotePath(path)));
  const noted = [...newest].filter((one) => notesOf(one).length > 0 || one.paths.some(isChangelog));
  const notes = [...newest].flatMap(notesOf);
  const count = (fits: (path: string) => boolean) => notes.filter(fits).length;
  const isForm = (path: string) =>
    habit?.kind === "entry" || readName(path)?.form === (habit?.kind === "file" ? habit.form : "");
  return {
    name: nameOf(mirror),
    habit,
    noted: noted.length,
    changes: newest.size,
    notes: notes.length,
    form: count(isForm),
    folder: count((path) => habit?.kind === "entry" || (habit?.folders ?? []).includes(folderOf(path))),
  };
}

const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;

function kindOf(habit: NoteHabit | undefined): string {
  if (!habit) return "none";
  if (habit.kind === "entry") return `entry in ${habit.paths[0]}`;
  return `${habit.folders[0]}/${habit.form}`;
}

console.log(row(COLUMNS));
console.log(row(COLUMNS.map((_, at) => (at < 2 ? "---" : "---:"))));
const measures: Measure[] = [];
for (const mirror of mirrors) {
  const one = await measure(mirror);
  measures.push(one);
  const past = one.habit ? `${one.habit.noted} of ${one.habit.changes}` : "";
  const share = (count: number) => (one.habit ? `${count}` : "");
  const cells = [one.name, kindOf(one.habit), past, `${one.noted} of ${one.changes}`];
  console.log(row([...cells, one.notes, share(one.form), share(one.folder)]));
}
const found = measures.filter(({ habit }) => habit !== undefined);
const sum = (of: "notes" | "form" | "folder") => found.reduce((all, one) => all + one[of], 0);
console.log(
  JSON.stringify({
    repositories: measures.length,
    withHabit: found.length,
    notes: sum("notes"),
    form: sum("form"),
    folder: sum("folder"),
  }),
);
