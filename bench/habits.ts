// Whether the notes that changes to the code come with are known from the past, and hold for the changes that followed:
// npm run bench:habits -- MIRROR...
import { localPast } from "../src/git/open-local-repository.ts";
import { groupOf } from "../src/search/classify-file.ts";
import { type PastNotes, pastNotes } from "../src/search/past-notes.ts";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { git } from "./recall/git.ts";
import { nameOf } from "./recall/name-of.ts";

await leaveNothing("bench");

const mirrors = process.argv.slice(2);
if (mirrors.length === 0) throw new Error("Name the mirrors to measure: local git repositories with their history.");

/** The newest changes to the code, which the habit is not read from. */
const FOLLOWING = 30;

const COLUMNS = ["repository", "habit", "of the past", "of what followed"];

const isNote = (path: string, { kind, folder, paths }: PastNotes) =>
  kind === "file" ? path.startsWith(`${folder}/`) : paths.includes(path);

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

console.log(row(COLUMNS));
console.log(row(COLUMNS.map((_, at) => (at < 2 ? "---" : "---:"))));
let withHabit = 0;
for (const mirror of mirrors) {
  const head = git(mirror, "rev-parse", "HEAD").trim();
  const { landed } = await localPast(mirror, head, { environment: process.env });
  const newest = landed.filter(({ paths }) => paths.some((path) => groupOf(path) === "source")).slice(0, FOLLOWING);
  const habit = pastNotes(landed.filter((one) => !newest.includes(one)));
  if (!habit) {
    console.log(row([nameOf(mirror), "none", "", ""]));
    continue;
  }
  withHabit += 1;
  const noted = newest.filter(({ paths }) => paths.some((path) => isNote(path, habit)));
  const where = habit.kind === "file" ? `a file in ${habit.folder}` : `an entry in ${habit.paths[0]}`;
  const past = `${habit.noted} of ${habit.changes}`;
  console.log(row([nameOf(mirror), where, past, `${noted.length} of ${newest.length}`]));
}
console.log(JSON.stringify({ repositories: mirrors.length, withHabit }));
