import { linesIn, numberedSpans, type Span } from "../../../../edits/numbered.ts";
import type { PastCommit } from "../../../../ports/repository.ts";
import { groupOf, isTestPath } from "../../../../search/classify-file.ts";
import { listed } from "../../../../search/patterns.ts";
import { linesOf, type RepositoryView } from "./repository-view.ts";

const CHANGELOG = listed(
  "^",
  "changes change-?log history news release(?:s|[-_]?notes)? what'?s[-_]?new",
  String.raw`(?:\.(?:md|markdown|rst|txt|adoc|asciidoc|rdoc|org|textile))?$`,
  "i",
);

/** Whether a file lists past changes. Only the place of the next entry matters in it. */
export const isChangelog = (path: string): boolean => CHANGELOG.test(path.slice(path.lastIndexOf("/") + 1));

/** A folder with one file per change. */
const FRAGMENT = listed(
  "^",
  String.raw`\.changeset \.changes changelog\.d changelog(?:_unreleased)? changes newsfragments news`,
  String.raw`/(?:[^/]+/)?[^/]+\.(?:md|rst|txt)$`,
  "i",
);

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

const MAX_FRAGMENT = 10;

/**
 * Shows where the next entry goes: the beginning of the changelog with the ends of its unreleased parts, or the newest
 * file of a folder of entries. Null without a changelog, or if past changes rarely had an entry.
 */
export async function viewChangelog(
  repositoryView: RepositoryView,
  history: readonly PastCommit[],
): Promise<{ path: string; content: string } | null> {
  const changes = history.filter(
    ({ paths }) => paths.some((path) => groupOf(path) === "source") && paths.some(isTestPath),
  );
  const has = (is: (path: string) => boolean) =>
    changes.length < LEAST_CHANGES || changes.filter(({ paths }) => paths.some(is)).length >= USUAL * changes.length;
  const visible = repositoryView.paths();
  const path = visible.find((one) => CHANGELOG.test(one));
  if (path !== undefined && has((one) => CHANGELOG.test(one)))
    return viewLatest(path, await linesOf(path, repositoryView));
  if (changes.length < LEAST_CHANGES || !has((one) => FRAGMENT.test(one))) return null;
  const known = new Set(visible);
  const newest = changes.flatMap(({ paths }) => paths).find((one) => FRAGMENT.test(one) && known.has(one));
  if (newest === undefined) return null;
  const lines = await linesOf(newest, repositoryView);
  return { path: newest, content: numberedSpans(lines.map(shortLine), [{ start: 1, end: MAX_FRAGMENT }]) };
}

function viewLatest(path: string, lines: readonly string[]): { path: string; content: string } | null {
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
