import { checkIntervals } from "../../../edits/check-intervals.ts";
import { normaliseReplacement } from "../../../edits/normalise-replacement.ts";
import { readText } from "../../../edits/read-text.ts";
import { replaceIntervals } from "../../../edits/replace-intervals.ts";
import { showFile } from "../../../edits/show-file.ts";
import type { TextFile } from "../../../edits/text-file.ts";
import { writeText } from "../../../edits/write-text.ts";
import type { LineEdit } from "../../../model/line-edit.ts";
import { isMagisError } from "../../../model/magis-error.ts";
import type { Task } from "../../../model/task.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import { checkChange } from "../../change/check-change.ts";
import type { AttemptInput, AttemptResult } from "./attempt.ts";
import type { Location } from "./developer.ts";
import { splitFile } from "./split-file.ts";

/**
 * Algorithm 3 on a file that exists: intervals of lines (P9), split, new parts (P10, from the top down, each knowing the
 * ones before it), replace. The result must be a file: one that parsed before parses still, and has no conflict markers.
 */
export async function editFile(input: AttemptInput, before: Uint8Array): Promise<AttemptResult> {
  const { task, developer } = input;
  const file = readText(before);
  if (!file) return { rejected: `${task.path} is a binary file and cannot be changed by lines.` };
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
  const rejected = await rejection(input.parser, task.path, file, changed);
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
  parser: SourceParser,
  path: string,
  before: TextFile,
  after: TextFile,
): Promise<string | undefined> {
  const [old, now] = [before.lines.join(""), after.lines.join("")];
  if (old === now) return "The new lines are the same as the old ones: nothing was changed.";
  return checkChange({ parser, path, before: old, after: now });
}
