// Whether "introduced by" is right, on fixes whose messages name the culprit: npm run bench:blame -- [--fixes N] MIRROR...
import { parseArgs } from "node:util";
import { createLocalBlame } from "../src/adapters/git/local-blame.ts";
import { groupOf } from "../src/search/classify-file.ts";
import { findOrigin, type Origin } from "../src/workflow/publish/origin.ts";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { listCulprits } from "./blame/list-culprits.ts";
import { git } from "./recall/git.ts";
import { nameOf } from "./recall/name-of.ts";

await leaveNothing("bench");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fixes: { type: "string", default: "40" }, each: { type: "boolean", default: false } },
});
if (positionals.length === 0)
  throw new Error("Name the mirrors to measure: local git repositories with their history.");

const COLUMNS = ["repository", "fixes that name a commit", "one commit blamed", "right", "introduced by", "right"];

interface Found {
  readonly culprit: string;
  readonly origin: Origin | undefined;
}

const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const isRight = ({ culprit, origin }: Found) => origin?.commit.id === culprit;

function cellsOf(found: readonly Found[]): number[] {
  const one = found.filter(({ origin }) => origin !== undefined);
  const said = one.filter(({ origin }) => origin?.likely);
  return [found.length, one.length, one.filter(isRight).length, said.length, said.filter(isRight).length];
}

async function measure(mirror: string): Promise<readonly Found[]> {
  const host = createLocalBlame(mirror, { environment: process.env });
  const found: Found[] = [];
  for (const { fix, parent, culprit, time } of listCulprits(mirror, Number(values.fixes))) {
    const paths = git(mirror, "diff", "--no-renames", "--diff-filter=M", "--name-only", "-z", parent, fix)
      .split("\0")
      .filter((path) => path !== "" && groupOf(path) === "source");
    const read = (commit: string, path: string) => Buffer.from(git(mirror, "cat-file", "blob", `${commit}:${path}`));
    const files = paths.map((path) => ({ path, before: read(parent, path), after: read(fix, path) }));
    const origin = await findOrigin(files, parent, { now: time * 1000, host });
    found.push({ culprit, origin });
    if (values.each && origin?.likely)
      console.log(
        `${isRight({ culprit, origin }) ? "right" : "wrong"} ${fix} ${culprit} ${origin.commit.id} ${Math.round((time * 1000 - Date.parse(origin.commit.date)) / 86_400_000)} days: ${origin.commit.title}`,
      );
  }
  return found;
}

const all: Found[] = [];
console.log(row(COLUMNS));
console.log(row(COLUMNS.map((_, at) => (at === 0 ? "---" : "---:"))));
for (const mirror of positionals) {
  const found = await measure(mirror);
  all.push(...found);
  console.log(row([nameOf(mirror), ...cellsOf(found)]));
}
console.log(row(["**all**", ...cellsOf(all)]));
const [fixes, blamed, blamedRight, said, right] = cellsOf(all);
console.log(JSON.stringify({ fixes, blamed, blamedRight, said, right }));
