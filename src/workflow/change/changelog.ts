import { linesIn, numberedSpans, type Span } from "../../edits/numbered.ts";
import { readText } from "../../edits/text-file.ts";
import type { PastCommit } from "../../ports/repository.ts";
import { groupOf, isTestPath } from "../../search/classify-file.ts";
import { isChangelog } from "../../search/notes/note-paths.ts";
import { listed } from "../../search/patterns.ts";

const VERSION = listed(
  String.raw`^(?:#{1,3} |=+ |\*+ )?\[?`,
  String.raw`(?:v(?:ersion\x20?)?\x20?)?(?:\d+|x)\.(?:\d+|[xyn]\b) (?:unreleased|upcoming|next|main|master|head)\b`,
  "",
  "i",
);

const UNRELEASED = [
  /unreleased|upcoming|not (?:yet )?released/i,
  /(?<!\d\.)\b(?:x\.[xyn]|\d+\.x)\b/i,
  /\b(?:next|main|master|head|wip|tbd|dev|development)\b/i,
];
const saysUnreleased = (text: string): boolean => UNRELEASED.some((pattern) => pattern.test(text));

const HEADING = /^#{1,6} |^[-=~^*+]{4,}\s*$/;

/** An entry is usual if this share of past changes has one; fewer past changes than these tell nothing. */
const LEAST_CHANGES = 8;

const USUAL = 0.3;

/** Lines shown from the beginning and the end of each unreleased part: entries are added at either. */
const BEGINNING = 3;

const END = 1;

/** Lines shown of a released section, as an example of entries. */
const HEAD = 6;

const MAX_LINES = 30;

const MAX_LINE_LENGTH = 160;

/** A file's beginning, numbered, with its path. */
export interface ChangelogView {
  readonly path: string;
  readonly content: string;
}

interface ReadableFiles {
  paths(): readonly string[];
  read(path: string): Promise<Uint8Array | undefined>;
}

/**
 * Shows where the next entry goes: the beginning of the changelog with the ends of its unreleased parts. Null without a
 * changelog, or if past changes rarely had an entry.
 */
export async function viewChangelog(
  files: ReadableFiles,
  history: readonly PastCommit[],
): Promise<ChangelogView | null> {
  const changes = history.filter(
    ({ paths }) => paths.some((path) => groupOf(path) === "source") && paths.some(isTestPath),
  );
  const entered = changes.filter(({ paths }) => paths.some(isInRoot)).length;
  if (changes.length >= LEAST_CHANGES && entered < USUAL * changes.length) return null;
  const path = files.paths().find(isInRoot);
  return path === undefined ? null : viewEntries(path, files);
}

const isInRoot = (path: string) => !path.includes("/") && isChangelog(path);

/** Where the next entry goes in this file; null for an empty or binary one. */
export async function viewEntries(path: string, { read }: Pick<ReadableFiles, "read">): Promise<ChangelogView | null> {
  const lines = readText((await read(path)) ?? new Uint8Array())?.lines ?? [];
  if (lines.length === 0) return null;
  const headings = lines.flatMap((line, at) => (VERSION.test(line) ? [at + 1] : []));
  // "Version 8.5.0" may be followed by "Unreleased" on a line of its own.
  const isSecond = (at: number, before = Number.NEGATIVE_INFINITY) =>
    at - before < HEAD && !/\d/.test(lines[at - 1] ?? "") && /\d/.test(lines[before - 1] ?? "");
  const versions = headings.filter((at, index) => !isSecond(at, headings[index - 1]));
  const [first = 1, next = lines.length + 1] = versions;
  const below = lines
    .slice(first, first + HEAD)
    .some((line) => /^\W*(?:unreleased|not (?:yet )?released)\b/i.test(line));
  const unreleased = below || saysUnreleased(lines.slice(first - 1, first + 1).join(" "));
  const parts = unreleased ? partsOf(lines, first, next - 1) : releasedExample(lines, first, next - 1);
  // Empty sections do not show how entries look: the first release below that has any does.
  const bounds = [...versions, lines.length + 1];
  const full = versions.findIndex((at, index) => !lines.slice(at, (bounds[index + 1] ?? at) - 1).every(isNoEntry));
  const example = full > 0 ? releasedExample(lines, bounds[full] ?? 1, (bounds[full + 1] ?? 1) - 1) : [];
  const spans = [{ start: Math.max(1, first - BEGINNING), end: first }, ...parts, ...example];
  return { path, content: numberedSpans(lines.map(shortLine), spans) };
}

/** An item of a list. */
const ENTRY = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/;

const isEntry = (lines: readonly string[]) => (at: number) => ENTRY.test(lines[at - 1] ?? "");

const isNoEntry = (line: string) => line.trim() === "" || HEADING.test(line) || saysUnreleased(line);

/** `### Fixed`, `**Bug fixes**`, `Fixes:` */
const FIXES = /^[#=*_\s]*(?:bug|fix)/i;

/** How entries look in a released section: its beginning and its part for fixes, each down to the first entries. */
function releasedExample(lines: readonly string[], first: number, last: number): readonly Span[] {
  const downToEntries = (start: number, least: number): Span => {
    const [one = 0, two = one] = linesIn({ start, end: Math.min(last, start + MAX_LINES) }).filter(isEntry(lines));
    return { start, end: Math.max(Math.min(start + least, Math.max(last + 1, first)), two) };
  };
  const fixes = linesIn({ start: first + 1, end: last }).find(
    (at) => FIXES.test(lines[at - 1] ?? "") && !isEntry(lines)(at),
  );
  const head = downToEntries(first, HEAD);
  return fixes === undefined ? [head] : [head, downToEntries(fixes, BEGINNING)];
}

/** The beginning and the end of the text below each heading, for as many as fit. */
function partsOf(lines: readonly string[], first: number, last: number): readonly Span[] {
  const headings = lines.slice(first - 1, last).flatMap((line, at) => (HEADING.test(line) ? [first + at] : []));
  const starts = [...new Set([first, ...headings])];
  let left = MAX_LINES;
  return starts.flatMap((start, at) => {
    const end = (starts[at + 1] ?? last + 1) - 1;
    left -= BEGINNING + END;
    if (left < 0) return [];
    return [
      { start, end: Math.min(end, start + BEGINNING) },
      { start: Math.max(start, end - END), end },
    ];
  });
}

const shortLine = (line: string) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line);
