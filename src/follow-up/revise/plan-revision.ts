import { createPathGuard, type PathGuard } from "../../change/path-guard.ts";
import { showFile } from "../../code/edits/numbered.ts";
import type { OpenComment, OpenThread } from "../../data/discussion.ts";
import type { MadePlan, Place, Task, TaskAction } from "../../data/plan.ts";
import type { Inheritance } from "../../data/work.ts";
import type { CodeHost } from "../../github/code-host.ts";
import { type Assignment, type CommentAssignment, createManager, type Manager } from "../../models/agents.ts";
import { fenced } from "../../models/prompt-library.ts";
import { staffPlan } from "../../run/origin.ts";
import type { PhaseContext } from "../../run/run-context.ts";
import { keepPlan } from "../../run/start.ts";
import { paragraphs } from "../../text/compose-markdown.ts";
import { cutEnd } from "../../text/cut.ts";
import type { Batch } from "./read-feedback.ts";

/** The plan for a batch: at most one task per file, and the Manager's own replies. */
export interface Revision {
  plan: MadePlan;
  /** by task */
  inherited: readonly (readonly [string, Inheritance])[];
  /** the Manager's replies by the ids of threads and comments */
  replies: Readonly<Record<string, string>>;
  /** the ids of threads and comments that each task is for */
  reasons: Readonly<Record<string, readonly string[]>>;
}

/**
 * Plans a revision. The threads of a file become one task for the Developer who wrote that file; the Manager decides
 * about comments, and about threads on files that may not be changed by a task.
 */
export async function planRevision(batch: Batch, run: PhaseContext): Promise<Revision> {
  const { repository, prompts } = run;
  const { threads, comments } = batch.feedback;
  const { issue, roles } = batch.origin;
  const manager = createManager(prompts);
  const guard = await createPathGuard(repository, run.policy);
  const onFiles = threads.filter(({ path }) => guard({ path, action: "modify" }) === undefined);
  const homeless = threads
    .filter((thread) => !onFiles.includes(thread))
    .map((thread) => ({ id: thread.id, author: thread.author, body: `On ${thread.path}. ${describeThread(thread)}` }));
  const assignment = await assignComments({ batch, comments: [...comments, ...homeless], manager, guard, run });
  const works = fileWorks(batch, onFiles, assignment);
  const assignments = works.map((work, at) => taskOfFile(`t${batch.firstTask + at}`, work));
  const plan = await staffPlan(assignments, { manager, issue, roles });
  await keepPlan(plan, run);
  const { tasks } = plan;
  return {
    plan,
    inherited: tasks.map((task, at) => [task.id, inheritance(task, works[at]?.threads ?? [], roles)] as const),
    replies: Object.fromEntries(assignment.replies.map(({ comment, reply }) => [comment, reply])),
    reasons: Object.fromEntries(tasks.map(({ id }, at) => [id, works[at]?.reasons ?? []])),
  };
}

/** One task per file, in the order in which people and the Manager name them. */
function fileWorks(
  { feedback }: Batch,
  threads: readonly OpenThread[],
  { tasks }: CommentAssignment,
): (FileWork & { reasons: readonly string[] })[] {
  const paths = [...new Set([...threads, ...tasks].map(({ path }) => path))];
  return paths.map((path) => {
    const here = threads.filter((thread) => thread.path === path);
    const wanted = tasks.filter((task) => task.path === path);
    const ids = wanted.flatMap((task) => task.comments);
    const comments = feedback.comments.filter(({ id }) => ids.includes(id));
    const action = here.length > 0 ? "modify" : (wanted[0]?.action ?? "modify");
    return { path, action, threads: here, comments, wanted, reasons: [...here.map(({ id }) => id), ...ids] };
  });
}

function inheritance({ id, path }: Task, threads: readonly OpenThread[], roles: Batch["origin"]["roles"]): Inheritance {
  const earlier = threads.flatMap((thread) =>
    thread.qaComment === undefined
      ? []
      : [{ id: thread.id, taskId: id, round: 0, path, body: thread.qaComment, status: "open" as const }],
  );
  return { qaRole: roles.findLast((role) => role.path === path)?.qaEngineer, earlier };
}

/** The reasons to change one file. */
export interface FileWork {
  path: string;
  action: TaskAction;
  threads: readonly OpenThread[];
  comments: readonly OpenComment[];
  /** what the comments ask of this file, in the Manager's words */
  wanted: readonly { title: string; description: string }[];
}

const OPENING =
  "Maintainers have reviewed the pull request. The file is shown as the pull request has it now; what they say about it follows. Make the changes that they ask for, keep everything else, and answer every one of them.";

/** A file's task: its threads, and what the comments ask of it. */
function taskOfFile(id: string, { path, action, threads, comments, wanted }: FileWork): Assignment {
  const said = comments.map(({ id, author, body }) => `Comment ${id} of ${author}:\n\n${fenced(body, "maintainer")}`);
  const parts = [...threads.map(describeThread), ...said, ...wanted.map(({ description }) => description)];
  const answered = [...threads, ...comments].map((item) => item.id);
  const task = {
    id,
    path,
    action,
    title: wanted[0]?.title ?? `Answer the review of ${path}`,
    description: [OPENING, ...parts].join("\n\n"),
  };
  if (action !== "modify") return task;
  return { ...task, threads: answered, places: threads.flatMap((thread) => placeOf(path, thread)) };
}

/** The thread's line: its Developer has to see it, however long the file is. */
function placeOf(path: string, { line }: OpenThread): Place[] {
  return line === undefined ? [] : [{ path, start: line, end: line }];
}

const HELD =
  "You have answered here before: do not argue again. Do what is asked, or say in one sentence that you leave the decision to them.";

/** A review thread in a task's description: where it is, the piece of the diff, and what was said, each text fenced. */
function describeThread({ id, line, diffHunk, conversation, argued }: OpenThread): string {
  const place = line === undefined ? "about the file, or about lines that are no longer in the diff" : `line ${line}`;
  return paragraphs(
    `Review thread ${id} (${place}):`,
    diffHunk !== "" && fenced(diffHunk, "file", "diff"),
    ...conversation.map(
      ({ author, own, body }) => `${own ? "The team" : author}:\n\n${fenced(body, own ? "colleague" : "maintainer")}`,
    ),
    argued && HELD,
  );
}

/** characters of files shown to the Manager, and other paths */
const MAX_SHOWN = 80_000;

const MAX_PATHS = 300;

const MAX_TEXT = 12_000;

/**
 * Asks the Manager what to do about comments on no particular file. Tasks on protected files go back once with the
 * reason; the rest of them is dropped, and the reply says why.
 */
async function assignComments(deps: {
  batch: Batch;
  comments: readonly { id: string; author: string; body: string }[];
  manager: Manager;
  guard: PathGuard;
  run: PhaseContext;
}): Promise<CommentAssignment> {
  const { batch, comments, manager, guard, run } = deps;
  if (comments.length === 0) return { replies: [], tasks: [] };
  let isReported = false;
  const answer = await manager.assignComments(batch.origin.issue, await viewOf(batch, run), comments, ({ tasks }) => {
    const refused = tasks.flatMap((task) => guard(task, tasks) ?? []);
    if (refused.length === 0 || isReported) return undefined;
    isReported = true;
    const list = refused.map(({ path, reason }) => `\`${path}\`: ${reason}`).join("; ");
    return `These files may not be changed so. ${list}. Leave their tasks out, and say in the reply that you cannot do it.`;
  });
  const refused = answer.tasks.flatMap((task) => {
    const why = guard(task, answer.tasks);
    return why ? task.comments.map((comment) => ({ ...why, comment })) : [];
  });
  const withReason = ({ comment, reply }: CommentAssignment["replies"][number]) => {
    const reasons = refused.filter((one) => one.comment === comment).map((one) => `\`${one.path}\`: ${one.reason}.`);
    return { comment, reply: reasons.length > 0 ? [reply, "I may not do this.", ...reasons].join(" ") : reply };
  };
  return { replies: answer.replies.map(withReason), tasks: answer.tasks.filter((task) => !guard(task, answer.tasks)) };
}

/** The commit of the base branch that the pull request is compared with. */
export async function baseOfChange({ pull, origin }: Batch, host: CodeHost): Promise<string | undefined> {
  const tip = await host.branchTip(pull.base);
  // Once the base was merged, what it brought is no part of the change.
  return (tip && (await host.mergeBase(tip, pull.head))) ?? origin.base;
}

async function viewOf(batch: Batch, { host, repository }: PhaseContext) {
  const { pull, origin, conversation } = batch;
  const base = await baseOfChange(batch, host);
  const changed = base === undefined ? undefined : await host.changedPaths(base, pull.head);
  const paths = (changed ?? origin.roles.map(({ path }) => path)).filter((path) => repository.entries.has(path));
  const files: { path: string; content: string }[] = [];
  let room = MAX_SHOWN;
  for (const path of paths) {
    const entry = repository.entries.get(path);
    const shown = entry && showFile(path, await repository.readBlob(entry.blob));
    if (!shown || shown.content.length > room) continue;
    room -= shown.content.length;
    files.push(shown);
  }
  const others = [...repository.entries.keys()].filter((path) => !files.some((file) => file.path === path));
  const description = cutEnd(`${pull.title}\n\n${pull.body}`, MAX_TEXT);
  return { description, files, paths: others.slice(0, MAX_PATHS), conversation };
}
