import path from "node:path";
import { checkChange, checkNeighbours } from "../../change/check-change.ts";
import { whyLeftAlone } from "../../change/generated-files.ts";
import { newFileStyle } from "../../change/new-file-style.ts";
import type { FinishedTask, WorkingCopy } from "../../change/working-copy.ts";
import { unifiedDiff } from "../../code/edits/diff.ts";
import {
  changedIn,
  checkIntervals,
  normaliseReplacement,
  replaceIntervals,
  stripFence,
} from "../../code/edits/line-edits.ts";
import { numberedSpans, showFile } from "../../code/edits/numbered.ts";
import { readText, splitLines, stripTerminator, type TextFile, writeText } from "../../code/edits/text-file.ts";
import { isMagisError } from "../../data/error.ts";
import type { Task } from "../../data/plan.ts";
import {
  type Attempt,
  type LineEdit,
  type LineInterval,
  openComments,
  type QaComment,
  type TaskOutcome,
  withReplies,
} from "../../data/work.ts";
import type { Repository } from "../../git/repository.ts";
import type { PreviousRound, TeamView } from "../../models/agents.ts";
import { type CodeInput, REVIEW_ROUNDS } from "../../run/strategy.ts";
import { whyNotText } from "../../text/found-text.ts";
import type { ChangeUnderReview, Location, PaperDeveloper, PaperQaEngineer } from "./agents.ts";

interface ResolveTaskInput extends CodeInput {
  task: Task;
  team: TeamView;
  copy: WorkingCopy;
  developer: PaperDeveloper;
  qaEngineer: PaperQaEngineer;
}

/**
 * Algorithm 3 for one task: the Developer designs its QA Engineer (P8); then, up to `REVIEW_ROUNDS` times, it changes
 * the file (P9, P10) and QA reviews the change (P11). Each round gets the last review's comments and starts from the
 * file as it was before the task; the task's change is the last one that applied.
 */
export async function resolveTask(deps: ResolveTaskInput): Promise<FinishedTask> {
  const { issue, task, team, copy, repository, developer, qaEngineer } = deps;
  const inherited = deps.inherited?.get(task.id) ?? {};
  const before = await copy.read(task.path);
  const leftAlone = await whyLeftAlone(task, before, repository);
  const reviews = !deps.settings.ablate.includes("qa") && leftAlone === undefined;
  const describe = () => developer.describeQaEngineer(issue, task, showFile(task.path, before));
  const role = inherited.qaRole ?? (reviews ? await describe() : { title: "", description: "" });
  const attempts: Attempt[] = [];
  const reviewed = new Map<number, Uint8Array | undefined>();
  // Another round cannot improve a deletion: QA's objections are for the maintainer.
  const lastRound = task.action === "delete" || !reviews ? 1 : REVIEW_ROUNDS;
  const replies: Record<string, string> = {};
  let comments: readonly QaComment[] = inherited.earlier ?? [];
  let previous: PreviousRound | null = null;
  let change: { after: Uint8Array | undefined; diff: string; summary: string } | undefined;
  if (leftAlone !== undefined) return finished("unchanged", leftAlone);

  for (let round = 1; round <= lastRound; round++) {
    const attempt = await attemptChange({ ...deps, before, previous });
    if ("rejected" in attempt) {
      attempts.push({ round, diff: "", approved: false, verdict: "", rejected: attempt.rejected });
      previous = { diff: change?.diff ?? "", comments: openComments(comments), reason: attempt.rejected };
      continue;
    }
    comments = withReplies(comments, attempt.replies);
    for (const id of task.threads ?? []) replies[id] = attempt.replies.get(id) ?? replies[id] ?? "";
    if ("unchanged" in attempt) {
      // A first round has nothing to do. Later the Developer stands by its change, and QA judges its replies.
      if (!change) return finished("unchanged", attempt.unchanged);
    } else {
      change = { after: attempt.after, diff: unifiedDiff(task.path, before, attempt.after), summary: attempt.summary };
    }
    reviewed.set(round, change.after);
    if (!reviews) {
      attempts.push({ round, diff: change.diff, approved: false, verdict: "" });
      break;
    }
    const earlier = openComments(comments);
    const shown = { issue, task, team, qaEngineer: role, round, lastRound, diff: change.diff, earlier };
    const review = await reviewAttempt(shown, change.after, qaEngineer);
    comments = [...settle(comments, review.settled), ...review.comments];
    attempts.push({ round, diff: change.diff, approved: review.approved, verdict: review.verdict });
    if (review.approved) break;
    previous = { diff: change.diff, comments: openComments(comments), reason: review.verdict };
  }
  if (!change) return finished("failed", attempts.at(-1)?.rejected ?? "");
  copy.write(task.path, change.after);
  return finished(reviews && openComments(comments).length === 0 ? "approved" : "open", change.summary);

  function finished(status: TaskOutcome["status"], summary: string): FinishedTask {
    const writer = task.action === "delete" ? ("manager" as const) : ("developer" as const);
    const outcome = {
      taskId: task.id,
      path: task.path,
      status,
      qaEngineer: role,
      attempts,
      comments,
      summary,
      writers: change && [writer],
      replies: task.threads && replies,
    };
    return { outcome, diff: change?.diff ?? "", reviewed };
  }
}

function settle(comments: readonly QaComment[], settled: ReadonlySet<string>): readonly QaComment[] {
  return comments.map((comment) => (settled.has(comment.id) ? { ...comment, status: "settled" as const } : comment));
}

/** P11's review of an attempt. */
interface ReviewOfAttempt {
  approved: boolean;
  verdict: string;
  comments: readonly QaComment[];
  /** ids of earlier comments that were dealt with */
  settled: ReadonlySet<string>;
}

/**
 * Algorithm 3, the QA Engineer's part (P11). New comments mean another round, whatever the decision; an approval
 * without comments settles all open ones.
 */
async function reviewAttempt(
  change: Omit<ChangeUnderReview, "excerpt" | "lineCount">,
  after: Uint8Array | undefined,
  qaEngineer: PaperQaEngineer,
): Promise<ReviewOfAttempt> {
  const { task, round, diff, earlier } = change;
  const lines = (after && readText(after)?.lines) ?? [];
  const excerpt = numberedExcerpt(lines, diff);
  const review = await qaEngineer.review({ ...change, excerpt, lineCount: lines.length });
  const approved = review.approved && review.comments.length === 0;
  const comments = review.comments.map(({ line, body }, index) => ({
    id: `${task.id}-r${round}-${index + 1}`,
    taskId: task.id,
    round,
    path: task.path,
    body,
    status: "open" as const,
    line: line === null || after === undefined ? undefined : line,
  }));
  const settled = approved ? earlier.map(({ id }) => id) : review.settled;
  return { approved, verdict: review.verdict, comments, settled: new Set(settled) };
}

/** How many lines are shown around each change. */
const AROUND = 12;

/**
 * The changed places of a new version, numbered, with lines around each and marked gaps; "" for a deleted file. `diff`
 * is the unified diff from the old version.
 */
function numberedExcerpt(lines: readonly string[], diff: string): string {
  const places = [...diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].map(([, start, count]) => ({
    start: Number(start) - AROUND,
    end: Number(start) + Number(count ?? 1) - 1 + AROUND,
  }));
  return numberedSpans(lines, places);
}

/** Algorithm 3, one round of the Developer's part, by the task's action. */
async function attemptChange(input: AttemptInput): Promise<AttemptResult> {
  const { task, before } = input;
  if (task.action === "delete") return { after: undefined, summary: task.title, replies: new Map() };
  return before === undefined ? createFile(input) : editFile(input, before);
}

interface AttemptInput extends ResolveTaskInput {
  /** the file before the task */
  before: Uint8Array | undefined;
  previous: PreviousRound | null;
}

/**
 * One attempt of the Developer. `after: undefined` deletes the file; `unchanged` says why nothing needs to change, in
 * the Developer's words; `rejected` says why QA cannot see the attempt, in words the Developer can act on.
 */
type AttemptResult =
  | { after: Uint8Array | undefined; summary: string; replies: ReadonlyMap<string, string> }
  | { unchanged: string; replies: ReadonlyMap<string, string> }
  | { rejected: string };

/** Example files shown to the Developer of a new file, for their style. */
const MAX_NEIGHBOURS = 2;

const MAX_CHARACTERS = 8_000;

/** P10 for a new file: its whole content. There is nothing to locate (no P9). */
async function createFile(input: AttemptInput): Promise<AttemptResult> {
  const { task, repository, parser } = input;
  const answer = await input.developer.writeNewFile(input, await neighbours(task.path, repository));
  const fenced = /\.(md|mdx|markdown)$/i.test(task.path) ? undefined : stripFence(answer);
  const text = (fenced?.content ?? answer).replace(/\r\n?/g, "\n").replace(/(?<!\n)\n*$/, "\n");
  const rejected = await checkChange({ parser, path: task.path, before: undefined, after: text });
  if (rejected) return { rejected };
  const { eol, bom } = await newFileStyle(task.path, repository);
  const lines = splitLines(text).map((line) => stripTerminator(line) + eol);
  return { after: writeText({ lines, eol, bom, encoding: "utf8" }), summary: task.title, replies: new Map() };
}

async function neighbours(file: string, { entries, readBlob }: Repository) {
  const siblings = [...entries.values()]
    .filter(
      (entry) =>
        path.posix.dirname(entry.path) === path.posix.dirname(file) && path.extname(entry.path) === path.extname(file),
    )
    .filter(({ mode, size }) => mode.startsWith("100") && size !== undefined && size > 0)
    .slice(0, MAX_NEIGHBOURS);
  return Promise.all(
    siblings.map(async (entry) => ({ path: entry.path, content: await beginning(entry.blob, readBlob) })),
  );
}

async function beginning(blob: string, readBlob: Repository["readBlob"]): Promise<string> {
  const text = readText(await readBlob(blob))?.lines.join("") ?? "";
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n[the rest is not shown]` : text;
}

/**
 * Algorithm 3 on an existing file: intervals of lines (P9), split, new parts (P10, from the top down, each knowing the
 * earlier ones), replace. The result must have no conflict markers, and must still parse if it parsed before.
 */
async function editFile(input: AttemptInput, before: Uint8Array): Promise<AttemptResult> {
  const { task, developer } = input;
  const read = readText(before);
  const isFilled = before.length === 0;
  const file = read && isFilled ? { ...read, ...(await newFileStyle(task.path, input.repository)) } : read;
  if (!file) return { rejected: `${task.path} cannot be changed by lines: ${whyNotText(before)}.` };
  const shown = showFile(task.path, before);
  const location = await developer.locateLines(input, shown, file.lines.length, faultOf(file, task));
  const replies = new Map(location.replies.map(({ comment, reply }) => [comment, reply]));
  if (location.intervals.length === 0) return { unchanged: location.summary, replies };

  const intervals = [...location.intervals].sort((a, b) => a.start - b.start || a.end - b.end);
  const oldParts = splitFile(file.lines, intervals);
  const edits: LineEdit[] = [];
  for (const [index, interval] of intervals.entries()) {
    const part = { interval, intervals, oldPart: oldParts[index] ?? "", written: edits };
    const answer = await developer.writeCode(input, shown, part);
    edits.push({
      start: interval.start,
      end: interval.end,
      text: normaliseReplacement(answer, { path: task.path, file, interval }),
    });
  }
  const changed = replaceIntervals(file, edits);
  const rejected = await rejection(input, { before: file, after: changed, edits });
  if (rejected) return { rejected };
  try {
    return { after: writeText(changed), summary: location.summary.trim() || task.title, replies };
  } catch (error) {
    if (!isMagisError(error)) throw error;
    return { rejected: error.message };
  }
}

function faultOf(file: TextFile, { threads = [] }: Task) {
  return ({ intervals, summary, replies }: Location): string | undefined => {
    const silent = threads.filter((id) => !replies.some(({ comment, reply }) => comment === id && reply.trim() !== ""));
    if (silent.length > 0) return `These have no answer in \`replies\`: ${silent.join(", ")}.`;
    if (intervals.length === 0)
      return summary.trim() === "" ? "Say in `summary` why nothing has to change." : undefined;
    const checked = checkIntervals(intervals, file.lines.length);
    return "reason" in checked ? checked.reason : undefined;
  };
}

async function rejection(
  { parser, task: { path }, previous }: AttemptInput,
  { before, after, edits }: { before: TextFile; after: TextFile; edits: readonly LineEdit[] },
): Promise<string | undefined> {
  const [old, now] = [before.lines.join(""), after.lines.join("")];
  if (old === now) return "The new lines are the same as the old ones: nothing was changed.";
  const change = { parser, path, before: old, after: now };
  const fault = await checkChange(change);
  if (fault !== undefined) return fault;
  const doubt = await checkNeighbours(change, changedIn(before.lines, edits));
  // A Developer who gives the same edits again means them.
  return doubt === previous?.reason ? undefined : doubt;
}

/**
 * Algorithm 3's split: the old text of each interval, with its line terminators; "" for an insertion. Takes intervals
 * that passed `checkIntervals`.
 */
export function splitFile(lines: readonly string[], intervals: readonly LineInterval[]): string[] {
  return intervals.map(({ start, end }) => lines.slice(start - 1, end).join(""));
}
