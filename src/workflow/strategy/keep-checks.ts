import { createHash } from "node:crypto";
import { mapLine } from "../../edits/file-change.ts";
import { readText } from "../../edits/text-file.ts";
import { fenced } from "../../llm/prompt-library.ts";
import type { MadePlan, Task } from "../../model/plan.ts";
import type { QaComment, Tampering, TaskOutcome, Work } from "../../model/work.ts";
import type { Repository, TreeEntry } from "../../ports/repository.ts";
import { listed } from "../../search/patterns.ts";
import { cutEnd } from "../../text/cut.ts";
import { findShownEdits, type NamedLines, type ShownEdit } from "../change/edited-tests.ts";
import { findTampering, textChanges } from "../change/test-tampering.ts";
import { sequencePlan } from "../change/work-plan.ts";
import { type ChangedFile, changedFiles, createWorkingCopy } from "../change/working-copy.ts";
import type { CodeInput } from "../run/strategy.ts";
import { PROFILES, writeCode } from "./phases.ts";

/**
 * `writeCode` for work that answers checks or reviews. Tampering with tests or checks goes back once to the Developers
 * with the reason; what remains becomes a comment for the maintainer. Tampering that people who may write asked for, in
 * `wishes`, does not go back, but is shown too.
 */
export async function writeKeepingChecks(
  deps: CodeInput,
  limits: { readonly wishes?: readonly string[]; readonly named?: NamedLines } = {},
): Promise<Work> {
  return keepChecks(deps, await writeCode(deps), limits);
}

/**
 * The same for existing work. `since`: only look at what came after this. `named`: for a repair, the lines that the
 * failing check names; all its other edits of tests and of the checks' configuration are shown to the maintainer,
 * harmless or not.
 */
export async function keepChecks(
  deps: CodeInput,
  first: Work,
  {
    wishes = [],
    since,
    named,
  }: { readonly wishes?: readonly string[]; readonly since?: Work; readonly named?: NamedLines } = {},
): Promise<Work> {
  const tamperingIn = async (work: Work) => findTampering(await filesOf(work, deps.repository, since), deps.parser);
  const isAsked = ({ kind }: Tampering) => wishes.some((wish) => asksFor(kind, wish));
  const back = (await tamperingIn(first)).filter((one) => !isAsked(one));
  if (back.length === 0 && wishes.length === 0 && named === undefined) return first;
  const work =
    back.length === 0 || first.stopped ? first : await reworkCode(deps, first, await sentBack(back, first, deps));
  const tampered = (await tamperingIn(work)).map(
    (one) => ({ ...one, tampering: isAsked(one) ? "asked" : "unasked" }) as const,
  );
  const edits = named
    ? await findShownEdits(textChanges(await filesOf(work, deps.repository, since)), named, deps.parser)
    : [];
  const others = edits.filter(({ path }) => !tampered.some((one) => one.path === path));
  const left = [...tampered, ...others.map((one) => ({ ...one, tampering: "shown" }) as const)];
  const noted = { ...work, outcomes: withNotes(work.outcomes, left) };
  if (left.length > 0 || work !== first) await deps.record("work", noted);
  return noted;
}

/**
 * The same for work that another process made and whose own findings are not believed: every edit of existing tests,
 * recorded results and what configures checks is shown to the maintainer, and none goes back.
 */
export async function showEditedTests(
  work: Work,
  { repository, parser }: Pick<CodeInput, "repository" | "parser">,
): Promise<Work> {
  const files = await changedFiles(work.changes, repository);
  const tampered = await findTampering(files, parser);
  const edits = await findShownEdits(textChanges(files), new Map(), parser);
  const others = edits.filter(({ path }) => !tampered.some((one) => one.path === path));
  const outcomes = work.outcomes.map((outcome) => ({
    ...outcome,
    comments: outcome.comments.filter(({ tampering }) => tampering === undefined),
  }));
  const found = [...tampered, ...others].map((one) => ({ ...one, tampering: "shown" }) as const);
  return { ...work, outcomes: withNotes(outcomes, found) };
}

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
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

const MAX_SHOWN = 20_000;

async function sentBack(found: readonly Tampering[], work: Work, { repository }: CodeInput): Promise<SentBack[]> {
  const files = await changedFiles(work.changes, repository);
  return [...new Set(found.map(({ path }) => path))].map((path) => {
    const rows = found
      .filter((one) => one.path === path)
      .map(({ line, what }) => `- ${line ? `line ${line}: ` : ""}it ${what}`);
    const { before, after } = files.find((file) => file.path === path) ?? {};
    const gone = after === undefined && before ? (readText(before)?.lines.join("") ?? "") : "";
    const parts = [
      `The change that was just made to ${path} takes something from the tests and checks that are to judge it:\n\n${rows.join("\n")}`,
      "Nobody has asked for that. Put it back as it was, and keep the rest of the change. A test that fails tells what is wrong in the program: mend that. Where this cannot be put back, change nothing and say why in the summary: a maintainer will decide.",
      gone !== "" && `The file as it was:\n\n${fenced(cutEnd(gone, MAX_SHOWN), "file")}`,
    ];
    const description = parts.filter((part) => part).join("\n\n");
    return { path, title: "Keep the tests and checks as they were", description };
  });
}

/**
 * Continues finished work: each of `back` becomes a further task, carried out and reviewed like any other, on the files
 * as changed so far. Returns both together, as a change of the same base.
 */
export async function reworkCode(deps: CodeInput, work: Work, back: readonly SentBack[]): Promise<Work> {
  const { plan, repository, settings, tracker } = deps;
  const files = await changedFiles(work.changes, repository);
  const over = overlaid(repository, files);
  const tasks = furtherTasks(plan, work, back, over);
  await tracker.addTasks(tasks.map(({ id, path, title }) => ({ id, path, title, status: "waiting" })));
  const { description: _, ...rest } = plan;
  const more = await PROFILES[settings.profile].code({
    ...deps,
    repository: over,
    inherited: new Map(),
    plan: { ...rest, tasks, order: sequencePlan(tasks), source: "", meeting: [] },
  });
  const copy = createWorkingCopy(repository);
  for (const file of [...files, ...(await changedFiles(more.changes, over))]) copy.write(file.path, file.after);
  const moved = await Promise.all(work.outcomes.map((outcome) => movedComments(outcome, files, copy)));
  const stopped = more.stopped ?? work.stopped;
  return {
    outcomes: [...moved, ...more.outcomes],
    changes: await copy.changes(),
    patch: await copy.patch(),
    added: [...(work.added ?? []), ...tasks, ...(more.added ?? [])],
    stopped,
  };
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
      entries.set(path, { path, blob, mode: entries.get(path)?.mode ?? "100644", size: after.length });
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

/** Each find as a comment on the last task of its file. Nobody but the maintainer closes it. */
function withNotes(
  outcomes: readonly TaskOutcome[],
  left: readonly (ShownEdit & Required<Pick<QaComment, "tampering">>)[],
): readonly TaskOutcome[] {
  return outcomes.map((outcome, at) => {
    const { taskId, path, attempts, status } = outcome;
    if (outcomes.findLastIndex((one) => one.path === path) !== at) return outcome;
    const notes = left
      .filter((one) => one.path === path)
      .map(
        ({ line, what, tampering }, index): QaComment => ({
          id: `${taskId}-w${index + 1}`,
          taskId,
          round: attempts.at(-1)?.round ?? 1,
          path,
          status: "open",
          body: `This change ${what}.`,
          tampering,
          line,
        }),
      );
    const open = notes.length > 0 && status === "approved" ? "open" : status;
    return { ...outcome, status: open, comments: [...outcome.comments, ...notes] };
  });
}

/** One of the listed words, patterns themselves, and behind it in the same sentence one of the others. */
const asking = (verbs: string, things: string): RegExp =>
  new RegExp(`${listed("\\b", verbs, "\\b").source}.*${listed("", things, "").source}`, "i");

/** How a person asks for tampering: something is to be done to something, in one sentence. */
const WISHES: Readonly<Record<Tampering["kind"], RegExp>> = {
  test: asking(String.raw`remove delete drop get\x20rid\x20of`, String.raw`\b(?:tests?|specs?|cases?|suites?)\b`),
  skip: asking(
    "skip disable ignore quarantine xfail retry mark",
    String.raw`\b(?:tests?|specs?|cases?|suites?|it|skipped|flaky|pending)\b`,
  ),
  assertion: asking(
    "remove delete drop loosen relax weaken simplify",
    String.raw`\b(?:assert\w*|expect\w*|checks?|matchers?)\b`,
  ),
  limit: asking(
    "raise increase widen bump double relax loosen extend allow",
    String.raw`\b(?:time-?outs?|time\x20limits?|tolerances?|limits?|deltas?|precision|retries|thresholds?)\b`,
  ),
  snapshot: asking(
    "update regenerate refresh rewrite re-?record accept",
    String.raw`\b(?:snapshots?|goldens?|recorded|recordings?|expected|approvals?)\b`,
  ),
  configuration: asking(
    String.raw`
      change edit update add set turn\x20off disable lower raise exclude ignore relax bump remove configure`,
    String.raw`
      config\w* eslint\w* tsconfig\w* jest\w* pytest\w* \brules?\b thresholds? coverage lint\w* strict\w* mypy ruff
      pyproject\w* settings?`,
  ),
  suppression: asking(
    "add use put suppress disable ignore silence",
    String.raw`
      suppress\w* eslint-disable\S* noqa type:\x20?ignore ts-\w+ nolint\w* pragma allow\b \brules?\b warnings? lint\w*
      annotations? @\w+`,
  ),
};

const REFUSING = new RegExp(
  listed(
    String.raw`\b`,
    String.raw`
      don'?t do\x20not does\x20not never not without instead\x20of rather\x20than why avoid no\x20need shouldn'?t can'?t
      cannot stop`,
    String.raw`\b`,
  ),
  "i",
);

/** Whether a person asks for this kind of tampering: in their own words, in a sentence that does not refuse it. */
export function asksFor(kind: Tampering["kind"], words: string): boolean {
  const own = words.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/^\s*>.*$/gm, "");
  return own.split(/[!?\n;]|\.(?=\s|$)/).some((sentence) => WISHES[kind].test(sentence) && !REFUSING.test(sentence));
}
