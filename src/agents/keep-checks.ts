import { createHash } from "node:crypto";
import { type EditedFile, type FreeEdits, findEditedTests } from "../change/edited-tests.ts";
import { sequencePlan } from "../change/work-plan.ts";
import { type ChangedFile, changedFiles, createWorkingCopy } from "../change/working-copy.ts";
import { mapLine } from "../code/edits/file-change.ts";
import { fileMode } from "../code/edits/file-mode.ts";
import { readText } from "../code/edits/text-file.ts";
import type { MadePlan, Task } from "../data/plan.ts";
import { hasChange, type QaComment, type TaskOutcome, type Work } from "../data/work.ts";
import type { Repository, TreeEntry } from "../git/repository.ts";
import { fenced } from "../models/prompt-library.ts";
import type { CodeInput } from "../run/strategy.ts";
import { cutEnd } from "../text/cut.ts";
import { PROFILES, writeCode } from "./phases.ts";

/** `writeCode` for a revision: edits of what judges it become comments for the maintainer, but those that are `free`. */
export async function writeRevision(deps: CodeInput, free: FreeEdits): Promise<Work> {
  const work = await writeCode(deps);
  return withNotes(deps, work, await editsOf(work, deps, free));
}

/** `writeCode` for a repair of checks. */
export async function writeRepair(deps: CodeInput, free: FreeEdits): Promise<Work> {
  return keepChecks(deps, await writeCode(deps), { free });
}

/**
 * For work that makes checks pass: edits of what judges it go back once to the Developers, but those that are `free`.
 * What remains becomes comments for the maintainer. `since`: only what came after this work counts.
 */
export async function keepChecks(
  deps: CodeInput,
  first: Work,
  { free, since }: { free: FreeEdits; since?: Work },
): Promise<Work> {
  const edits = await editsOf(first, deps, free, since);
  if (edits.length === 0 || first.stopped) return withNotes(deps, first, edits);
  const work = await reworkCode(deps, first, await sentBack(edits, first, deps));
  return withNotes(deps, work, await editsOf(work, deps, free, since));
}

/**
 * The same for work that another process made and whose own findings are not believed: every edit of existing tests,
 * recorded results and what configures checks is shown to the maintainer, and none goes back.
 */
export async function showEditedTests(work: Work, { repository, parser }: CodeInput): Promise<Work> {
  const outcomes = work.outcomes.map((outcome) => ({
    ...outcome,
    comments: outcome.comments.filter(({ shown }) => !shown),
  }));
  const edits = await findEditedTests(await changedFiles(work.changes, repository), {}, parser);
  return { ...work, outcomes: noted(outcomes, edits) };
}

const editsOf = async (work: Work, { repository, parser }: CodeInput, free: FreeEdits, since?: Work) =>
  findEditedTests(await filesOf(work, repository, since), free, parser);

async function filesOf(work: Work, repository: Repository, since: Work | undefined): Promise<readonly ChangedFile[]> {
  const files = await changedFiles(work.changes, repository);
  if (!since) return files;
  const earlier = new Map((await changedFiles(since.changes, repository)).map((file) => [file.path, file]));
  const undone = [...earlier.values()].filter(({ path }) => !files.some((file) => file.path === path));
  return [
    ...files.map((file) => ({ ...file, before: earlier.has(file.path) ? earlier.get(file.path)?.after : file.before })),
    ...undone.map(({ path, before, after }) => ({ path, before: after, after: before })),
  ];
}

/** A task that goes back to the Developer of a file. */
export interface SentBack {
  path: string;
  title: string;
  description: string;
}

const MAX_SHOWN = 20_000;

async function sentBack(edits: readonly EditedFile[], work: Work, { repository }: CodeInput): Promise<SentBack[]> {
  const files = await changedFiles(work.changes, repository);
  return edits.map(({ path, what }) => {
    const { before, after } = files.find((file) => file.path === path) ?? {};
    const gone = after === undefined && before ? (readText(before)?.lines.join("") ?? "") : "";
    const parts = [
      `The change that was just made to ${path} ${what}. That judges the change, and no failing check names anything there.`,
      "Put that back as it was, and keep the rest of the change. A test that fails tells what is wrong in the program: mend that. Where the repair needs this edit, change nothing and say why in the summary: a maintainer will decide.",
      gone !== "" && `The file as it was:\n\n${fenced(cutEnd(gone, MAX_SHOWN), "file")}`,
    ];
    const description = parts.filter((part) => part).join("\n\n");
    return { path, title: "Keep the tests and checks as they were", description };
  });
}

/**
 * Continues finished work: each of `back` becomes a further task, carried out and reviewed like any other, on the files
 * as changed so far. Records and returns both together, as a change of the same base.
 */
export async function reworkCode(deps: CodeInput, work: Work, back: readonly SentBack[]): Promise<Work> {
  const { plan, repository, settings, tracker, record } = deps;
  const files = await changedFiles(work.changes, repository);
  const over = overlaid(repository, files);
  const tasks = furtherTasks(plan, work, back, over);
  await tracker.addTasks(tasks.map(({ id, path, title }) => ({ id, path, title, status: "waiting" })));
  // What the Manager saw is from before the work that goes on here.
  const { description: _, view: __, at: ___, ...rest } = plan;
  const more = await PROFILES[settings.profile].code({
    ...deps,
    repository: over,
    inherited: new Map(),
    plan: { ...rest, tasks, order: sequencePlan(tasks), source: "", meeting: [] },
  });
  const copy = createWorkingCopy(repository);
  for (const file of [...files, ...(await changedFiles(more.changes, over))]) copy.write(file.path, file.after);
  const moved = await Promise.all(work.outcomes.map((outcome) => movedComments(outcome, files, copy)));
  const whole: Work = {
    outcomes: [...moved, ...more.outcomes],
    changes: await copy.changes(),
    patch: await copy.patch(),
    added: [...(work.added ?? []), ...tasks, ...(more.added ?? [])],
    stopped: more.stopped ?? work.stopped,
  };
  await record("work", whole);
  return whole;
}

function furtherTasks(
  plan: MadePlan,
  { added = [] }: Work,
  back: readonly SentBack[],
  { entries }: Repository,
): Task[] {
  const known = [...plan.tasks, ...added];
  const first = Math.max(0, ...known.map(({ id }) => Number(id.slice(1))).filter(Number.isFinite)) + 1;
  return back.map((one, at) => ({
    ...one,
    id: `t${first + at}`,
    action: entries.has(one.path) ? "modify" : "create",
    developer: known.findLast(({ path }) => path === one.path)?.developer ?? {
      title: "developer who completes the change",
      description: "",
    },
  }));
}

/** The repository with files changed, in memory. Blobs have git's own ids, so that what is known by them stays true. */
function overlaid(repository: Repository, files: readonly ChangedFile[]): Repository {
  const entries = new Map<string, TreeEntry>(repository.entries);
  const blobs = new Map<string, Uint8Array>();
  for (const { path, after } of files) {
    if (after === undefined) entries.delete(path);
    else {
      const blob = createHash("sha1").update(`blob ${after.length}\0`).update(after).digest("hex");
      blobs.set(blob, after);
      entries.set(path, {
        path,
        blob,
        mode: entries.get(path)?.mode ?? fileMode(path, after, entries),
        size: after.length,
      });
    }
  }
  return { ...repository, entries, readBlob: async (blob) => blobs.get(blob) ?? repository.readBlob(blob) };
}

async function movedComments(
  outcome: TaskOutcome,
  files: readonly ChangedFile[],
  copy: { read(path: string): Promise<Uint8Array | undefined> },
): Promise<TaskOutcome> {
  const linesOf = (content: Uint8Array | undefined) => content && readText(content)?.lines;
  const then = linesOf(files.find(({ path }) => path === outcome.path)?.after);
  const last = linesOf(await copy.read(outcome.path));
  const moved = outcome.comments.map(({ line, ...comment }) =>
    line === undefined || !then || !last ? comment : { ...comment, line: mapLine(then, last, line) },
  );
  return { ...outcome, comments: moved };
}

/** Each edit as a comment on the last task of its file. Nobody but the maintainer closes it. */
async function withNotes({ record }: CodeInput, work: Work, edits: readonly EditedFile[]): Promise<Work> {
  if (edits.length === 0) return work;
  const whole = { ...work, outcomes: noted(work.outcomes, edits) };
  await record("work", whole);
  return whole;
}

const noted = (outcomes: readonly TaskOutcome[], edits: readonly EditedFile[]): readonly TaskOutcome[] =>
  outcomes.map((outcome, at) => {
    const edit = edits.find(({ path }) => path === outcome.path);
    const isLast = outcomes.findLastIndex(({ path }) => path === outcome.path) === at;
    return edit && isLast ? withNote(outcome, edit) : outcome;
  });

function withNote(outcome: TaskOutcome, edit: EditedFile): TaskOutcome {
  const { taskId, path, attempts, status } = outcome;
  const note: QaComment = {
    id: `${taskId}-w1`,
    taskId,
    round: attempts.at(-1)?.round ?? 1,
    path,
    status: "open",
    body: `This change ${edit.what}.`,
    shown: true,
    line: edit.line,
  };
  return { ...outcome, status: hasChange(outcome) ? "open" : status, comments: [...outcome.comments, note] };
}
