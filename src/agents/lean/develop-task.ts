import { checkChange, checkNeighbours } from "../../change/check-change.ts";
import { whyLeftAlone } from "../../change/generated-files.ts";
import { newFileStyle } from "../../change/new-file-style.ts";
import type { FinishedTask, WorkingCopy } from "../../change/working-copy.ts";
import { diffLines, unifiedDiff } from "../../code/edits/diff.ts";
import { changedIn, checkIntervals, normaliseReplacement, replaceIntervals } from "../../code/edits/line-edits.ts";
import { withoutNumber } from "../../code/edits/numbered.ts";
import { readText, stripTerminator, type TextFile, writeText } from "../../code/edits/text-file.ts";
import type { SourceParser } from "../../code/source-parser.ts";
import { isMagisError } from "../../data/error.ts";
import type { RoleDescription, Task } from "../../data/plan.ts";
import {
  type Attempt,
  type LineEdit,
  openComments,
  type QaComment,
  type TaskOutcome,
  type Writer,
  withReplies,
  withWriter,
} from "../../data/work.ts";
import type { PreviousRound, TeamView } from "../../models/agents.ts";
import type { CodeInput } from "../../run/strategy.ts";
import { whyNotText } from "../../text/found-text.ts";
import type { ChangeOfFile, LeanDeveloper, LeanQaEngineer } from "./agents.ts";
import { type Overlay, type RepositoryView, seenIn, viewForDeveloper } from "./view/view.ts";

/** How often a Developer may look around. */
const TURNS = 1;

const DELETION_REVIEWER = {
  title: "dependency reviewer",
  description: "Checks that nothing needs the deleted file any more.",
};

const DRAFT_REVIEWER = { title: "QA Engineer", description: "" };

/** The coding phase, with the agents and what they share. */
export interface TeamInput extends CodeInput {
  developer: LeanDeveloper;
  qaEngineer: LeanQaEngineer;
  repositoryView: RepositoryView;
  copy: WorkingCopy;
}

interface DevelopInput extends TeamInput {
  progress: TaskProgress;
  team: TeamView;
  /** what the task may build on: earlier changes, and its own */
  overlay: Overlay;
}

/**
 * One attempt of a Developer in one call (P8, P9 and P10 together), or in none if the Manager's draft applies. A
 * further round continues from the last change, with QA's comments. Throws ANSWER_INVALID if the edits still do not
 * apply after going back once with the reason.
 */
export async function developTask(deps: DevelopInput): Promise<TaskProgress> {
  const { issue, progress, team, developer, repositoryView, parser, overlay } = deps;
  const { task, before } = progress;
  if (task.action === "delete") {
    const change = { content: undefined, diff: unifiedDiff(task.path, before, undefined), summary: task.title };
    return { ...progress, change, writers: ["manager"], qaEngineer: DELETION_REVIEWER };
  }
  const leftAlone = progress.change ? undefined : await whyLeftAlone(task, before, deps.repository);
  if (leftAlone !== undefined) return { ...progress, unchanged: leftAlone };
  const current = progress.change ? progress.change.content : before;
  const isNew = current === undefined;
  const bytes = current ?? new Uint8Array();
  const read = readText(bytes);
  const isEmpty = bytes.length === 0;
  const file = read && isEmpty ? { ...read, ...(await newFileStyle(task.path, deps.repository)) } : read;
  if (!file) return { ...progress, rejected: `${task.path} cannot be changed by lines: ${whyNotText(bytes)}.` };
  const draft = await takeDraft(progress, { path: task.path, file, isNew, parser });
  if (draft && "taken" in draft) return draft.taken;
  const asked = draft ? { ...task, description: `${task.description}\n\n${draft.left}` } : task;
  const lines = [...(draft?.lines ?? []), ...linesToSee(progress, file.lines.length)];
  const view = await viewForDeveloper({ issue, task: asked, current, repositoryView, parser, overlay, lines });
  let content: Uint8Array | undefined;
  let wasDoubted = false;
  const check = async (answer: ChangeOfFile) => {
    const fault = wordsFault(answer, task);
    if (fault !== undefined || answer.edits.length === 0) return fault;
    const checked = await checkEdits(answer.edits, { path: task.path, file, isNew, parser });
    if ("reason" in checked) return checked.reason;
    if (checked.doubt !== undefined && checked.doubt !== draft?.doubt && !wasDoubted) {
      wasDoubted = true;
      return checked.doubt;
    }
    content = checked.content;
    return undefined;
  };
  const work = { issue, task: asked, team, previous: previousOf(progress) };
  await deps.tracker.task(task.id, "working");
  const answer = await developer.changeFile(
    work,
    view,
    check,
    repositoryView.toolset(TURNS, { overlay, seen: seenIn([view, ...view.places]) }),
  );
  return withAnswer(progress, answer, answer.edits.length > 0 ? content : undefined);
}

/** How people and colleagues name lines: `line 12`, `lines 12 to 15`, `L12`. */
const SPOKEN_OF = /\b(?:lines?\s+|L)(\d{1,6})(?:\s*(?:-|–|to|and)\s*L?(\d{1,6}))?/gi;

const MAX_SPOKEN = 20;

/** The lines that the Developer must see: those that QA mentions, then those changed so far. */
function linesToSee({ task, comments, change }: TaskProgress, count: number): readonly number[] {
  const open = openComments(comments);
  const texts = change ? open.map(({ body }) => body) : [task.description, ...open.map(({ body }) => body)];
  const spoken = texts.flatMap((text) => [...text.matchAll(SPOKEN_OF)].slice(0, MAX_SPOKEN));
  const numbers = spoken.flatMap(([, ...ends]) => ends.filter((end) => end !== undefined).map(Number));
  const changed = diffLines(change?.diff ?? "").flatMap(({ added, nextToRemoved }) => [...added, ...nextToRemoved]);
  const all = [...open.flatMap(({ line }) => line ?? []), ...numbers, ...changed];
  return [...new Set(all)].filter((line) => line >= 1 && line <= count);
}

/** What the Developer sees of a draft; `doubt`: what it may mean all the same, by giving its edits again. */
interface LeftDraft {
  left: string;
  lines: readonly number[];
  doubt: string | undefined;
}

/** Takes the Manager's draft if its edits apply; else the Developer sees it, with its lines. */
async function takeDraft(
  progress: TaskProgress,
  place: { path: string; file: TextFile; isNew: boolean; parser: SourceParser },
): Promise<{ taken: TaskProgress } | LeftDraft | undefined> {
  const { task, before, attempts } = progress;
  if (!task.draft || attempts.length > 0) return undefined;
  const checked = await checkEdits(task.draft.edits, place);
  if ("reason" in checked || checked.doubt !== undefined) {
    const [reason, doubt] = "reason" in checked ? [checked.reason, undefined] : [undefined, checked.doubt];
    const edits = task.draft.edits.map(({ start, end, text }) => `Lines ${start} to ${end}:\n${text}`);
    const left = ["A draft that could not be put in place:", reason ?? doubt, ...edits].join("\n\n");
    return { left, lines: task.draft.edits.map(({ start }) => start), doubt };
  }
  const { content } = checked;
  const change = { content, diff: unifiedDiff(task.path, before, content), summary: task.draft.summary };
  const qaEngineer = progress.qaEngineer.title === "" ? DRAFT_REVIEWER : progress.qaEngineer;
  return { taken: { ...progress, change, writers: ["manager"], qaEngineer } };
}

/** The progress after a Developer's answer; `content`: the file with its edits, undefined without any. */
function withAnswer(progress: TaskProgress, answer: ChangeOfFile, content: Uint8Array | undefined): TaskProgress {
  const { task, before, change } = progress;
  const replies = new Map(answer.replies.map(({ comment, reply }) => [comment, reply]));
  const threads = Object.fromEntries((task.threads ?? []).map((id) => [id, replies.get(id) ?? ""]));
  const summary = answer.summary.trim() || task.title;
  return {
    ...progress,
    rejected: undefined,
    change: content === undefined ? change : { content, diff: unifiedDiff(task.path, before, content), summary },
    writers: content === undefined ? progress.writers : withWriter(progress.writers, "developer"),
    // Without edits, a first round has nothing to do. Later the Developer stands by its change, and QA judges its replies.
    unchanged: content === undefined && change === undefined ? summary : progress.unchanged,
    qaEngineer: progress.qaEngineer.title === "" ? answer.qaEngineer : progress.qaEngineer,
    comments: withReplies(progress.comments, replies),
    replies: { ...progress.replies, ...threads },
  };
}

function previousOf({ change, comments, attempts, rejected }: TaskProgress): PreviousRound | null {
  if (!change && rejected === undefined) return null;
  return {
    diff: change?.diff ?? "",
    comments: openComments(comments),
    reason: rejected ?? attempts.at(-1)?.verdict ?? "",
  };
}

function wordsFault({ edits, summary, replies }: ChangeOfFile, { threads = [] }: Task): string | undefined {
  const silent = threads.filter((id) => !replies.some(({ comment, reply }) => comment === id && reply.trim() !== ""));
  if (silent.length > 0) return `These have no answer in \`replies\`: ${silent.join(", ")}.`;
  return edits.length === 0 && summary.trim() === "" ? "Say in `summary` why nothing has to change." : undefined;
}

/** A task's progress while the team works on it. */
export interface TaskProgress {
  task: Task;
  /** the file before the task; undefined: it did not exist */
  before: Uint8Array | undefined;
  /** the last change that applied; `content: undefined` deletes the file */
  change?: { content: Uint8Array | undefined; diff: string; summary: string };
  /** who wrote lines of the change */
  writers: readonly Writer[];
  /** why nothing needs to change, in the Developer's words */
  unchanged?: string;
  /** why the last attempt could not be used: all of it, for the Developer */
  rejected?: string;
  qaEngineer: RoleDescription;
  attempts: readonly Attempt[];
  comments: readonly QaComment[];
  /** the Developer's answers, by id of the task's `threads` */
  replies: Readonly<Record<string, string>>;
  /** the file as it was in each round that QA reviewed; undefined: deleted */
  reviewed: ReadonlyMap<number, Uint8Array | undefined>;
}

/** Whether a task is tried again: it has no usable answer, or QA sent it back. */
export function isPending({ task, change, unchanged, comments }: TaskProgress): boolean {
  // Another round cannot improve a deletion: QA's objections are for the maintainer.
  if (task.action === "delete" && change) return false;
  return openComments(comments).length > 0 || (change === undefined && unchanged === undefined);
}

/** A task's final result. */
export function finishedTask(progress: TaskProgress): FinishedTask {
  const { task, change, unchanged, rejected, qaEngineer, attempts, comments, replies, reviewed, writers } = progress;
  const outcome = {
    taskId: task.id,
    path: task.path,
    status: statusOf(progress),
    qaEngineer,
    attempts,
    comments,
    summary: change?.summary ?? unchanged ?? attempts.at(-1)?.rejected ?? rejected ?? "",
    writers: change ? writers : undefined,
    replies: task.threads ? replies : undefined,
  };
  return { outcome, diff: change?.diff ?? "", reviewed };
}

function statusOf({ change, unchanged, attempts, comments, reviewed }: TaskProgress): TaskOutcome["status"] {
  if (!change) return unchanged === undefined ? "failed" : "unchanged";
  const isOpen = openComments(comments).length > 0 || attempts.at(-1)?.approved !== true;
  if (isOpen) return "open";
  // A QA Engineer's own edit comes after what the review has seen.
  const seen = reviewed.get(Math.max(...reviewed.keys()));
  return seen === change.content ? "approved" : "mended";
}

type Edits = readonly ChangeOfFile["edits"][number][];

/**
 * The file with the edits in place, or what is wrong with them, in words the Developer can act on. `doubt`: how they
 * affect the lines next to them, which may be intended.
 */
type CheckedEdits = { content: Uint8Array; doubt?: string } | { reason: string };

/**
 * Applies edits (Algorithm 3, split and replace) and checks the result: intervals in range, anchors in place, something
 * changed, no conflict markers, and a file that parsed before still parses. `file`: as the Developer saw it; empty for
 * a new file (`isNew`).
 */
export async function checkEdits(
  written: Edits,
  { path, file, isNew, parser }: { path: string; file: TextFile; isNew: boolean; parser: SourceParser },
): Promise<CheckedEdits> {
  const edits = written.map((edit) => movedToAnchor(edit, file.lines));
  const checked = checkIntervals(edits, file.lines.length);
  if ("reason" in checked) return checked;
  const misplaced = edits.flatMap((edit) => anchorFault(edit, file.lines) ?? []);
  if (misplaced.length > 0) return { reason: misplaced.join("\n") };
  const lineEdits: LineEdit[] = [...edits]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end, text }) => {
      const place = { path, file, interval: { start, end } };
      // An empty text deletes the lines; a newline leaves an empty line.
      return { start, end, text: text === "" ? "" : normaliseReplacement(text, place) };
    });
  const changed = replaceIntervals(file, lineEdits);
  const [before, after] = [file.lines.join(""), changed.lines.join("")];
  if (before === after) return { reason: "The new lines are the same as the old ones: nothing was changed." };
  const fault = await checkChange({ parser, path, before: isNew ? undefined : before, after });
  if (fault !== undefined) return { reason: fault };
  const doubt = isNew
    ? undefined
    : await checkNeighbours({ parser, path, before, after }, changedIn(file.lines, lineEdits));
  try {
    return { content: writeText(changed), doubt };
  } catch (error) {
    if (!isMagisError(error)) throw error;
    return { reason: error.message };
  }
}

/** A shorter line may occur in many places by accident. */
const TELLING = 8;

/** The line that an anchor quotes: without a line number before it, unless a line of the file begins so. */
const quotedBy = (anchor: string, lines: readonly string[]) =>
  lines.some((line) => line.trim() === anchor.trim()) ? anchor.trim() : withoutNumber(anchor);

const placesOf = (wanted: string, lines: readonly string[]) =>
  lines.flatMap((line, at) => (line.trim() === wanted ? [at + 1] : []));

/** How far from its number a line may be, if it occurs in several places. */
const NEAR = 3;

/**
 * Corrects an edit's place: models miscount lines but quote them well. If the anchor occurs only once, or only once
 * nearby, that is the place.
 */
function movedToAnchor(edit: Edits[number], lines: readonly string[]): Edits[number] {
  const wanted = quotedBy(edit.anchor, lines);
  if (wanted.length < TELLING || stripTerminator(lines[edit.start - 1] ?? "").trim() === wanted) return edit;
  const places = placesOf(wanted, lines);
  const near = places.filter((at) => Math.abs(at - edit.start) <= NEAR);
  const [only, ...others] = places.length > 1 ? near : places;
  if (only === undefined || others.length > 0) return edit;
  return { ...edit, start: only, end: only + (edit.end - edit.start) };
}

function anchorFault({ start, end, anchor }: Edits[number], lines: readonly string[]): string | undefined {
  const wanted = quotedBy(anchor, lines);
  const found = stripTerminator(lines[start - 1] ?? "").trim();
  if (wanted === found || wanted === "") return undefined;
  const places = placesOf(wanted, lines);
  const fault = `The edit ${start} to ${end} has the anchor \`${wanted}\`, but line ${start} is \`${found}\`.`;
  return `${fault}${whereIs(places)} Give the right lines.`;
}

/** The most places named. */
const MAX_PLACES = 5;

function whereIs(places: readonly number[]): string {
  if (places.length === 0) return " No such line is in the file.";
  if (places.length > MAX_PLACES) return "";
  return ` That line is ${places.length === 1 ? "number" : "at"} ${places.join(", ")}.`;
}
