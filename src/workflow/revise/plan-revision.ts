import { type Assignment, type CommentAssignment, createManager } from "../../llm/agents.ts";
import { fenced } from "../../llm/prompt-filters.ts";
import type { OpenComment, OpenThread } from "../../model/discussion.ts";
import type { MadePlan, Place, Task, TaskAction } from "../../model/plan.ts";
import type { Inheritance } from "../../model/work.ts";

import { createPathGuard } from "../change/path-guard.ts";
import { keepPlan, staffPlan } from "../run/keep-plan.ts";
import type { PhaseTools } from "../run/phase-runner.ts";
import { assignComments } from "./assign-comments.ts";
import type { Batch } from "./read-feedback.ts";

/** What is to be done about a batch: at most one task a file, and what the Manager says by itself. */
export interface Revision {
  readonly plan: MadePlan;
  /** by task */
  readonly inherited: readonly (readonly [string, Inheritance])[];
  /** the Manager's replies by the ids of threads and comments */
  readonly replies: Readonly<Record<string, string>>;
  /** the ids of threads and comments that each task is for */
  readonly reasons: Readonly<Record<string, readonly string[]>>;
}

/**
 * Plans a revision. The threads of a file become one task for the Developer who wrote that file; the Manager decides
 * about comments, and about threads on files that may not be changed by a task.
 */
export async function planRevision(batch: Batch, tools: PhaseTools): Promise<Revision> {
  const { repository, prompts } = tools;
  const { threads, comments } = batch.feedback;
  const { issue, roles } = batch.origin;
  const manager = createManager(prompts);
  const guard = await createPathGuard(repository, tools.policy);
  const onFiles = threads.filter(({ path }) => guard({ path, action: "modify" }) === undefined);
  const homeless = threads
    .filter((thread) => !onFiles.includes(thread))
    .map((thread) => ({ id: thread.id, author: thread.author, body: `On ${thread.path}. ${describeThread(thread)}` }));
  const assignment = await assignComments({ batch, comments: [...comments, ...homeless], manager, guard, tools });
  const works = fileWorks(batch, onFiles, assignment);
  const assignments = works.map((work, at) => taskOfFile(`t${batch.firstTask + at}`, work));
  const plan = await staffPlan(assignments, { manager, issue, roles });
  await keepPlan(plan, tools);
  const { tasks } = plan;
  return {
    plan,
    inherited: tasks.map((task, at) => [task.id, inheritance(task, works[at]?.threads ?? [], roles)] as const),
    replies: Object.fromEntries(assignment.replies.map(({ comment, reply }) => [comment, reply])),
    reasons: Object.fromEntries(tasks.map(({ id }, at) => [id, works[at]?.reasons ?? []])),
  };
}

/** One for each file, in the order in which people and the Manager name them. */
function fileWorks(
  { feedback }: Batch,
  threads: readonly OpenThread[],
  { tasks }: CommentAssignment,
): (FileWork & { readonly reasons: readonly string[] })[] {
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

/** All that one file is to be changed for. */
export interface FileWork {
  readonly path: string;
  readonly action: TaskAction;
  readonly threads: readonly OpenThread[];
  readonly comments: readonly OpenComment[];
  /** the Manager's words on what the comments ask of this file */
  readonly wanted: readonly { readonly title: string; readonly description: string }[];
}

const OPENING =
  "Maintainers have reviewed the pull request. The file is shown as the pull request has it now; what they say about it follows. Make the changes that they ask for, keep everything else, and answer every one of them.";

/** The task of a file: the threads on it and what the Manager wants of it for comments. */
function taskOfFile(id: string, { path, action, threads, comments, wanted }: FileWork): Assignment {
  const said = comments.map(({ id, author, body }) => `Comment ${id} of ${author}:\n\n${fenced(body, "maintainer")}`);
  const parts = [...threads.map(describeThread), ...said, ...wanted.map(({ description }) => description)];
  const answered = [...threads, ...comments].map((item) => item.id);
  return {
    id,
    path,
    action,
    title: wanted[0]?.title ?? `Answer the review of ${path}`,
    description: [OPENING, ...parts].join("\n\n"),
    ...(action === "modify" && { threads: answered, places: threads.flatMap((thread) => placeOf(path, thread)) }),
  };
}

/** The line that a thread stands on: its Developer has to see it, however long the file is. */
function placeOf(path: string, { line }: OpenThread): Place[] {
  return line === undefined ? [] : [{ path, start: line, end: line }];
}

const HELD =
  "You have answered here before: do not argue again. Do what is asked, or say in one sentence that you leave the decision to them.";

/** A review thread in a task's description: where it is, the piece of the diff, and what was said, each text fenced. */
function describeThread({ id, line, diffHunk, conversation, argued }: OpenThread): string {
  const place = line === undefined ? "about the file, or about lines that are no longer in the diff" : `line ${line}`;
  return [
    `Review thread ${id} (${place}):`,
    diffHunk !== "" && fenced(diffHunk, "file", "diff"),
    ...conversation.map(
      ({ author, own, body }) => `${own ? "The team" : author}:\n\n${fenced(body, own ? "colleague" : "maintainer")}`,
    ),
    argued && HELD,
  ]
    .filter((part) => part)
    .join("\n\n");
}
