// Backports that people made, made again:
// npm run bench:conflicts -- [--clean N] [--conflicting N] [--cases] [--answers FOLDER] MIRROR...
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { projectRoot } from "../test/world/project-root.ts";
import { type Backport, listBackports } from "./conflicts/list-backports.ts";
import { differing, type GitMerge, mergeByGit, mergeByOurs, type OwnMerge } from "./conflicts/merge-again.ts";
import { type Resolution, resolveAgain } from "./conflicts/resolve-again.ts";
import { nameOf } from "./recall/name-of.ts";

await leaveNothing("bench");

const { values, positionals: mirrors } = parseArgs({
  allowPositionals: true,
  options: {
    clean: { type: "string", default: "200" },
    conflicting: { type: "string", default: "40" },
    cases: { type: "boolean", default: false },
    answers: { type: "string" },
  },
});

interface Case {
  readonly name: string;
  readonly backport: Backport;
  readonly byGit: GitMerge;
  readonly own: OwnMerge;
  /** where there are answers to the prompts */
  readonly resolution?: Resolution | undefined;
}

/** Takes from one mirror after the other, until there are enough of both kinds, by git's word. */
async function collect(scratch: string): Promise<readonly Case[]> {
  const wanted = { clean: Number(values.clean), conflicting: Number(values.conflicting) };
  const sources = mirrors.map((mirror) => ({ mirror, open: [...listBackports(mirror)] }));
  const found = { clean: 0, conflicting: 0 };
  const seen = { clean: 0, conflicting: 0 };
  const cases: Case[] = [];
  while (found.clean < wanted.clean || found.conflicting < wanted.conflicting) {
    const left = sources.filter(({ open }) => open.length > 0);
    if (left.length === 0) break;
    for (const { mirror, open } of left) {
      const backport = open.shift();
      if (backport === undefined) continue;
      const byGit = mergeByGit(mirror, backport, scratch);
      if (byGit === undefined) continue;
      const kind = byGit.clean ? "clean" : "conflicting";
      seen[kind] += 1;
      if (found[kind] >= wanted[kind]) continue;
      found[kind] += 1;
      const own = await mergeByOurs(mirror, backport);
      const isAsked = values.answers !== undefined && outcomeOf(own) === "conflicts";
      const answers = { folder: values.answers ?? "", prompts: path.join(projectRoot(), "prompts") };
      const resolution = isAsked ? await resolveAgain(mirror, backport, own, answers) : undefined;
      const one = { name: nameOf(mirror), backport, byGit, own, resolution };
      cases.push(one);
      if (values.cases) console.log(JSON.stringify(shown(one)));
    }
  }
  console.log(`Looked at ${seen.clean + seen.conflicting} backports: ${seen.clean} are clean for git.`);
  return cases;
}

/** What the engine does with a backport, in a word. */
function outcomeOf({ merge }: OwnMerge): "clean" | "conflicts" | "declined" {
  if (merge.declined.length > 0) return "declined";
  return merge.conflicts.length > 0 ? "conflicts" : "clean";
}

const shown = ({ name, backport, byGit, own, resolution }: Case) => ({
  name,
  commit: backport.commit,
  git: byGit.clean ? "clean" : "conflicts",
  ours: outcomeOf(own),
  hunks: own.merge.conflicts.map(({ path, hunks }) => `${path}: ${hunks.length}`),
  declined: own.merge.declined.map(({ path, why }) => `${path}: ${why}`),
  renewed: own.merge.renewed.map(({ path }) => path),
  differing: outcomeOf(own) === "clean" ? own.differing : [],
  asPeople: byGit.asPeople,
  resolution,
});

const isAsPeople = (one: Resolution | undefined) => one?.kind === "resolved" && one.differing.length === 0;

const count = (cases: readonly Case[], fits: (one: Case) => boolean) => cases.filter(fits).length;

function tell(title: string, cases: readonly Case[]): Readonly<Record<string, number>> {
  const clean = cases.filter(({ own }) => outcomeOf(own) === "clean");
  const open = cases.filter(({ own }) => outcomeOf(own) === "conflicts");
  const hunks = open.map(({ own }) => own.merge.conflicts.reduce((sum, one) => sum + one.hunks.length, 0));
  const figures = {
    cases: cases.length,
    "git: as people committed": count(cases, ({ byGit }) => byGit.asPeople),
    "ours: merged": clean.length,
    "ours: as people committed": count(clean, ({ own }) => own.differing.length === 0),
    "ours: the same files as git": count(clean, ({ byGit, own }) => differing(byGit.files, own.files).length === 0),
    "ours: merged, files left as they are": count(clean, ({ own }) => own.merge.renewed.length > 0),
    "ours: asks the agents": open.length,
    "hunks asked": hunks.reduce((sum, one) => sum + one, 0),
    "of them one hunk": hunks.filter((one) => one === 1).length,
    "of them at most three": hunks.filter((one) => one <= 3).length,
    "of them one file": count(open, ({ own }) => own.merge.conflicts.length === 1),
    "of them above ten files": count(open, ({ own }) => own.merge.conflicts.length > 10),
    "resolved as people did": count(cases, ({ resolution }) => isAsPeople(resolution)),
    "resolved otherwise": count(cases, ({ resolution: one }) => one?.kind === "resolved" && !isAsPeople(one)),
    "left to people by the agents": count(cases, ({ resolution }) => resolution?.kind === "declined"),
    "not answered": count(cases, ({ resolution }) => resolution?.kind === "open"),
    "ours: declined": count(cases, ({ own }) => outcomeOf(own) === "declined"),
  };
  console.log(`\n${title}\n`);
  for (const [name, figure] of Object.entries(figures)) console.log(`| ${name} | ${figure} |`);
  const why = cases.flatMap(({ own }) => [...new Set(own.merge.declined.map((one) => one.why))]);
  for (const one of new Set(why)) console.log(`| declined: ${one} | ${why.filter((other) => other === one).length} |`);
  return figures;
}

const scratch = await mkdtemp(path.join(tmpdir(), "magis-bench-"));
try {
  const cases = await collect(scratch);
  const clean = tell(
    "Clean for git",
    cases.filter(({ byGit }) => byGit.clean),
  );
  const conflicting = tell(
    "Conflicting for git",
    cases.filter(({ byGit }) => !byGit.clean),
  );
  console.log(JSON.stringify({ clean, conflicting }));
} finally {
  await rm(scratch, { recursive: true, force: true });
}
