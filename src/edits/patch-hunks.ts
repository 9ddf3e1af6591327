import type { LineEdit } from "../model/line-edit.ts";
import { lineEditsBetween } from "./line-edits-between.ts";
import { splitLines } from "./split-lines.ts";

/**
 * The hunks of a patch between two texts, by git's rules: `@@ -1,3 +1,4 @@`, `context` lines around a change, changes
 * closer than twice that in one hunk, and a note after a last line without a newline. "" when the texts are equal.
 */
export function patchHunks(before: string, after: string, context: number): string {
  const old = gitLines(before);
  const edits = lineEditsBetween(old, gitLines(after));
  let moved = 0;
  let hunks = "";
  for (const group of grouped(edits, context)) {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) continue;
    const from = Math.max(1, first.start - context);
    const to = Math.min(old.length, last.end + context);
    const body = bodyOf(old, group, from, to);
    const added = group.reduce((sum, edit) => sum + gitLines(edit.text).length - (edit.end - edit.start + 1), 0);
    const oldCount = to - from + 1;
    hunks += `@@ -${rangeOf(from, oldCount)} +${rangeOf(from + moved, oldCount + added)} @@\n${body}`;
    moved += added;
  }
  return hunks;
}

/** git knows one terminator, \n. */
function gitLines(text: string): string[] {
  return text.includes("\n") ? splitLines(text) : text === "" ? [] : [text];
}

function grouped(edits: readonly LineEdit[], context: number): LineEdit[][] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const end = group?.at(-1)?.end;
    if (group !== undefined && end !== undefined && edit.start - end - 1 <= 2 * context) group.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

function bodyOf(old: readonly string[], group: readonly LineEdit[], from: number, to: number): string {
  let body = "";
  let next = from;
  for (const { start, end, text } of group) {
    body += marked(" ", old.slice(next - 1, start - 1));
    body += marked("-", old.slice(start - 1, end));
    body += marked("+", gitLines(text));
    next = end + 1;
  }
  return body + marked(" ", old.slice(next - 1, to));
}

function marked(sign: string, lines: readonly string[]): string {
  return lines.map((line) => sign + (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`)).join("");
}

/** An empty range names the line before it; a count of one is left out. */
function rangeOf(start: number, count: number): string {
  if (count === 0) return `${start - 1},0`;
  return count === 1 ? String(start) : `${start},${count}`;
}
