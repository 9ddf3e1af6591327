import path from "node:path";
import {
  changedIn,
  checkIntervals,
  normaliseReplacement,
  replaceIntervals,
  stripFence,
} from "../../../edits/line-edits.ts";
import { showFile } from "../../../edits/numbered.ts";
import { readText, splitLines, stripTerminator, type TextFile, writeText } from "../../../edits/text-file.ts";
import type { PreviousRound, TeamView } from "../../../llm/agents.ts";
import type { IssueSnapshot } from "../../../model/discussion.ts";
import { isMagisError } from "../../../model/error.ts";
import type { Task } from "../../../model/plan.ts";
import type { LineEdit, LineInterval } from "../../../model/work.ts";
import type { Repository } from "../../../ports/repository.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import { whyNotText } from "../../../text/not-text.ts";
import { checkChange, checkNeighbours } from "../../change/check-change.ts";
import { newFileStyle } from "../../change/new-file-style.ts";
import type { Location, PaperDeveloper } from "./agents.ts";

/** Algorithm 3, one round of the Developer's part, by the task's action. */
export async function attemptChange(input: AttemptInput): Promise<AttemptResult> {
  const { task, before } = input;
  if (task.action === "delete") return { after: undefined, summary: task.title, replies: new Map() };
  return before === undefined ? createFile(input) : editFile(input, before);
}

/** The input of one attempt. */
export interface AttemptInput {
  readonly issue: IssueSnapshot;
  readonly task: Task;
  readonly team: TeamView;
  readonly repository: Repository;
  readonly developer: PaperDeveloper;
  readonly parser: SourceParser;
  /** the file before the task */
  readonly before: Uint8Array | undefined;
  readonly previous: PreviousRound | null;
}

/**
 * One attempt of the Developer. `after: undefined` deletes the file; `unchanged` says why nothing needs to change, in
 * the Developer's words; `rejected` says why QA cannot see the attempt, in words the Developer can act on.
 */
export type AttemptResult =
  | { readonly after: Uint8Array | undefined; readonly summary: string; readonly replies: ReadonlyMap<string, string> }
  | { readonly unchanged: string; readonly replies: ReadonlyMap<string, string> }
  | { readonly rejected: string };

/** Example files shown to the Developer of a new file, for their style. */
const MAX_NEIGHBOURS = 2;

const MAX_CHARACTERS = 8_000;

/** P10 for a new file: its whole content. There is nothing to locate (no P9). */
async function createFile({
  issue,
  task,
  team,
  repository,
  developer,
  parser,
  previous,
}: AttemptInput): Promise<AttemptResult> {
  const answer = await developer.writeNewFile({ issue, task, team, previous }, await neighbours(task.path, repository));
  const fenced = /\.(md|mdx|markdown)$/i.test(task.path) ? undefined : stripFence(answer);
  const text = (fenced?.content ?? answer).replace(/\r\n?/g, "\n").replace(/(?<!\n)\n*$/, "\n");
  const rejected = await checkChange({ parser, path: task.path, before: undefined, after: text });
  if (rejected) return { rejected };
  const { eol, bom } = await newFileStyle(task.path, repository);
  const lines = splitLines(text).map((line) => stripTerminator(line) + eol);
  return { after: writeText({ lines, eol, bom, encoding: "utf8" }), summary: task.title, replies: new Map() };
}

async function neighbours(file: string, { entries, readBlob }: AttemptInput["repository"]) {
  const beside = [...entries.values()]
    .filter(
      (entry) =>
        path.posix.dirname(entry.path) === path.posix.dirname(file) && path.extname(entry.path) === path.extname(file),
    )
    .filter(({ mode, size }) => mode.startsWith("100") && size !== undefined && size > 0)
    .slice(0, MAX_NEIGHBOURS);
  return Promise.all(
    beside.map(async (entry) => ({ path: entry.path, content: await beginning(entry.blob, readBlob) })),
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
