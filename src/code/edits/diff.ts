import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from "diff";
import type { LineEdit } from "../../data/work.ts";
import { LONGEST_PATCH } from "../../text/bounded.ts";
import { lineEditsBetween } from "./file-change.ts";
import { readText, splitLines } from "./text-file.ts";

/**
 * One file's patch as text for a model or a person (Algorithm 3's `d`); undefined stands for a file that does not
 * exist. "" when nothing changed. For a UTF-8 file, `git apply` takes this text; for other encodings use `gitPatch`.
 */
export function unifiedDiff(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  options: PatchOptions = {},
): string {
  const text = readText(gitPatch(path, before, after, options));
  return text === undefined ? "" : text.lines.join("");
}

export interface PatchOptions {
  /** lines of context around a change; default 3 */
  context?: number;
  /** of a file that is created or deleted; default 100644 */
  mode?: "100644" | "100755";
}

/**
 * One file's patch as `git diff` writes it and `git apply` takes it, byte by byte in any encoding; undefined stands for
 * a file that does not exist. Empty when nothing changed. For a binary file it only says that it differs, which `git
 * apply` refuses.
 */
export function gitPatch(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  { context = 3, mode = "100644" }: PatchOptions = {},
): Uint8Array {
  const same = before === undefined ? after === undefined : after !== undefined && Buffer.compare(before, after) === 0;
  if (same) return new Uint8Array();
  const [oldName, newName] = [quotePath(`a/${path}`), quotePath(`b/${path}`)];
  let patch = `diff --git ${oldName} ${newName}\n`;
  if (before === undefined) patch += `new file mode ${mode}\n`;
  if (after === undefined) patch += `deleted file mode ${mode}\n`;
  const [oldSide, newSide] = [before && oldName, after && newName].map((name) => name || "/dev/null");
  if (before?.includes(0) || after?.includes(0)) {
    patch += `Binary files ${oldSide} and ${newSide} differ\n`;
  } else {
    const hunks = hunksOf(before ?? NOTHING, after ?? NOTHING, context);
    const tab = path.includes(" ") ? "\t" : "";
    const tabOf = (side: string | undefined) => (side === "/dev/null" ? "" : tab);
    if (hunks !== "") patch += `--- ${oldSide}${tabOf(oldSide)}\n+++ ${newSide}${tabOf(newSide)}\n${hunks}`;
  }
  return new Uint8Array(Buffer.from(patch, "latin1"));
}

/** One character per byte: lines compare as their bytes do, and the patch converts back to bytes without loss. */
function byteText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

const NOTHING = new Uint8Array();

const NEWLINE = 10;

/** Diffs only the differing middle and the lines around it: next to nothing of a large file. */
function hunksOf(before: Uint8Array, after: Uint8Array, context: number): string {
  const around = context + MOST_MOVED;
  const head = headEnd(before, commonLength(before, after, false), around);
  const [old, now] = [before.subarray(head), after.subarray(head)];
  const tail = tailLength(old, commonLength(old, now, true), around);
  let skipped = 0;
  for (let at = before.indexOf(NEWLINE); at >= 0 && at < head; at = before.indexOf(NEWLINE, at + 1)) skipped += 1;
  const without = (bytes: Uint8Array) => byteText(bytes.subarray(0, bytes.length - tail));
  return patchHunks(without(old), without(now), context, skipped);
}

/** Lines that an insertion moves, at most. */
const MOST_MOVED = 50;

/** Bytes compared at a time. */
const CHUNK = 1 << 16;

/** How many bytes two files share at their beginnings, or at their ends. */
function commonLength(one: Uint8Array, other: Uint8Array, fromEnd: boolean): number {
  const most = Math.min(one.length, other.length);
  const part = (bytes: Uint8Array, from: number, to: number) =>
    fromEnd ? bytes.subarray(bytes.length - to, bytes.length - from) : bytes.subarray(from, to);
  let same = 0;
  for (let size = CHUNK; size >= 1; ) {
    const to = same + size;
    if (to <= most && Buffer.compare(part(one, same, to), part(other, same, to)) === 0) same = to;
    else size >>= 1;
  }
  return same;
}

/** Where the context before a change begins: `context` lines above the first line that differs. */
function headEnd(bytes: Uint8Array, common: number, context: number): number {
  let end = bytes.lastIndexOf(NEWLINE, common - 1) + 1;
  if (common === 0) return 0;
  for (let line = 0; line < context && end > 0; line++) end = end === 1 ? 0 : bytes.lastIndexOf(NEWLINE, end - 2) + 1;
  return end;
}

/** The length of the common end without its first lines, which serve as context. */
function tailLength(bytes: Uint8Array, common: number, context: number): number {
  let start = bytes.length - common;
  for (let line = 0; line <= context; line++) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline < 0) return 0;
    start = newline + 1;
  }
  return bytes.length - start;
}

/**
 * The hunks of a patch between two texts, by git's rules: `@@ -1,3 +1,4 @@`, `context` lines around a change, changes
 * closer than twice that in one hunk, and a note after a last line without a newline. "" when the texts are equal.
 * `skipped`: lines before both texts.
 */
function patchHunks(before: string, after: string, context: number, skipped: number): string {
  const old = gitLines(before);
  const found = lineEditsBetween(old, gitLines(after));
  const edits = found.map((edit, at) => movedToBlank(edit, old, { above: found[at - 1], below: found[at + 1] }));
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
    hunks += `@@ -${rangeOf(from + skipped, oldCount)} +${rangeOf(from + moved + skipped, oldCount + added)} @@\n${body}`;
    moved += added;
  }
  return hunks;
}

/**
 * An insertion may often stand at several places: a new function begins with its first line or with the bracket before
 * it. This moves it to the last of them that follows a blank line, if there is one.
 */
function movedToBlank(
  edit: LineEdit,
  old: readonly string[],
  { above, below }: { above: LineEdit | undefined; below: LineEdit | undefined },
): LineEdit {
  const { start, end, text } = edit;
  const lines = gitLines(text);
  if (end >= start || lines.length === 0 || !text.endsWith("\n")) return edit;
  const lineAt = (offset: number) => lines[((offset % lines.length) + lines.length) % lines.length];
  const first = Math.max((above?.end ?? -1) + 2, start - MOST_MOVED);
  const last = Math.min((below?.start ?? old.length + 2) - 1, start + MOST_MOVED);
  let [up, down] = [0, 0];
  while (start - up > first && old[start - up - 2] === lineAt(-up - 1)) up += 1;
  while (start + down < last && old[start + down - 1] === lineAt(down)) down += 1;
  for (let by = down; by >= -up; by--) {
    const isApart = old[start + by - 2]?.trim() === "" && lineAt(by)?.trim() !== "";
    if (!isApart) continue;
    const moved = lines.map((_, at) => lineAt(at + by) ?? "");
    return { start: start + by, end: end + by, text: moved.join("") };
  }
  return edit;
}

/** git knows one terminator, \n. */
function gitLines(text: string): string[] {
  if (text === "") return [];
  return text.includes("\n") ? splitLines(text) : [text];
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

const SHORT = new Map([
  [0x07, "\\a"],
  [0x08, "\\b"],
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0b, "\\v"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
  [0x22, '\\"'],
  [0x5c, "\\\\"],
]);

/** A path as git writes it in a patch: as it is, or C-quoted with octal bytes when it holds anything but plain ASCII. */
function quotePath(path: string): string {
  let quoted = "";
  for (const byte of new TextEncoder().encode(path)) {
    const plain = byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
    quoted += SHORT.get(byte) ?? plain;
  }
  return quoted === path ? path : `"${quoted}"`;
}

/** The RIGHT side of one hunk: line numbers of the new version, 1-based, ascending. */
interface HunkLines {
  /** added and context lines */
  shown: readonly number[];
  /** added lines */
  added: readonly number[];
  /** for pure deletions: the line now at that place, or the last one before */
  nextToRemoved: readonly number[];
}

/**
 * Reads the hunks of one file's unified diff, with or without the header (GitHub's `patch` has none).
 * None for a binary file, a change of mode, and an empty diff.
 */
export function diffLines(diff: string): HunkLines[] {
  return readPatch(diff)
    .flatMap(({ hunks }) => hunks)
    .map(hunkLines);
}

function hunkLines({ lines, newStart: start, newLines: count }: StructuredPatchHunk): HunkLines {
  const added: number[] = [];
  const removedAt: number[] = [];
  let line = start;
  for (const [sign] of lines) {
    if (sign === "-") removedAt.push(line);
    if (sign === "+") added.push(line);
    if (sign !== "-" && sign !== "\\") line += 1;
  }
  const shown = Array.from({ length: count }, (_, index) => start + index);
  const last = start + count - 1;
  const isAdded = new Set(added);
  const neighbours = [...new Set(removedAt.map((at) => Math.min(at, last)))];
  return { shown, added, nextToRemoved: count === 0 ? [] : neighbours.filter((at) => !isAdded.has(at)) };
}

/**
 * The files of a unified diff, with or without headers (GitHub's `patch` has none). Never throws: gives no files for a
 * text that is no such diff, has hunks of wrong lengths, or exceeds LONGEST_PATCH.
 */
export function readPatch(patch: string): StructuredPatch[] {
  if (patch.length > LONGEST_PATCH) return [];
  try {
    return parsePatch(patch).filter(({ oldFileName, hunks }) => oldFileName !== undefined || hunks.length > 0);
  } catch {
    return [];
  }
}
