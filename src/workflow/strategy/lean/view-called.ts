import { diffLines } from "../../../edits/diff-lines.ts";
import { numberedRanges } from "../../../edits/numbered-ranges.ts";
import { readText } from "../../../edits/read-text.ts";
import { unifiedDiff } from "../../../edits/unified-diff.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import { classifyFile } from "../../../search/classify-file.ts";
import type { TaskProgress } from "./task-progress.ts";

/** Lines of a declaration that is worth showing, and characters of all of them. */
const MAX_LENGTH = 30;
const BUDGET = 2_500;
const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]{4,}/gu;

/**
 * What QA would have to look up otherwise: short declarations of the changed files that the new lines or the words on the
 * cause name, and that the diffs (with `context` lines around each change) do not show.
 */
export async function viewCalled(
  team: readonly TaskProgress[],
  { parser, reason, context }: { parser: SourceParser; reason: string; context: number },
): Promise<string> {
  const named = new Set(reason.match(IDENTIFIER) ?? []);
  for (const { change } of team) {
    const added = change?.diff.match(/^\+(?!\+\+).*$/gm) ?? [];
    for (const [name] of added.join("\n").matchAll(IDENTIFIER)) named.add(name);
  }
  const parts: string[] = [];
  let room = BUDGET;
  for (const { task, before, change } of team) {
    const lines = change?.content && readText(change.content)?.lines;
    if (!lines || classifyFile({ path: task.path, mode: "100644", size: 1 }).group !== "source") continue;
    const diff = unifiedDiff(task.path, before, change.content, { context });
    const shown = new Set(diffLines(diff).flatMap((hunk) => hunk.shown));
    const symbols = (await parser.symbols(task.path, lines.join(""))) ?? [];
    const ranges = symbols
      .filter(({ name, start, end }) => named.has(name) && end > start && end - start < MAX_LENGTH)
      .filter(({ start, end }) => !(shown.has(start) && shown.has(end)))
      .map(({ start, end }) => ({ from: start, to: end }));
    const text = `${task.path}\n${numberedRanges(lines, ranges)}`;
    if (ranges.length === 0 || text.length > room) continue;
    room -= text.length;
    parts.push(text);
  }
  return parts.join("\n\n");
}
