import { unifiedDiff } from "../../edits/diff.ts";
import { isMagisError } from "../../model/error.ts";
import type { BlamedCommit, BlamedFile, BlameReads } from "../../ports/blame.ts";
import { groupOf } from "../../search/classify-file.ts";
import { pullOf } from "../../search/notes/note-habit.ts";
import { listed } from "../../search/patterns.ts";
import type { ChangedFile } from "../change/working-copy.ts";

/** The commit that last set all lines that a fix changes, and whether it is likely to have brought the fault. */
export interface Origin {
  readonly commit: BlamedCommit;
  readonly likely: boolean;
}

/** Files whose lines are looked up: fixes of more have no one place. */
const MAX_FILES = 4;

/** Of 320 fixes the blamed commit was the culprit in nine of ten if it was young, in a quarter if older than a year. */
const MAX_AGE_DAYS = 90;

/** Older commits that last changed a line have mostly nothing to do with its fault. */
const MAX_OLD_DAYS = 365;

const MAX_TOUCHED = 20;

const DAY = 86_400_000;

/**
 * Where the lines come from that a fix changes. Only one commit for all of them says anything. `now` in milliseconds
 * since the epoch. Undefined also where nobody can tell in time.
 */
export async function findOrigin(
  files: readonly ChangedFile[],
  base: string,
  { now, host }: { readonly now: number; readonly host: BlameReads },
): Promise<Origin | undefined> {
  const changed = files.flatMap((file) => {
    const lines = groupOf(file.path) === "source" ? replacedLines(file) : [];
    return lines.length > 0 ? [{ path: file.path, lines }] : [];
  });
  if (changed.length === 0 || changed.length > MAX_FILES) return undefined;
  try {
    const blamed = await host.blame(
      base,
      changed.map(({ path }) => path),
    );
    const commit = blamed && onlyCommit(changed, blamed);
    if (!commit) return undefined;
    if (!mayIntroduce(commit, now)) return { commit, likely: false };
    const diff = await host.diffOf(commit.id);
    return { commit, likely: diff !== undefined && broughtBy(diff, changed) };
  } catch (error) {
    // A run does not wait for this.
    if (!isMagisError(error) || error.code === "RUN_CANCELLED") throw error;
    return undefined;
  }
}

/** Lines of a file before the fix that it takes away or replaces. */
interface ReplacedLines {
  readonly path: string;
  readonly lines: readonly { readonly at: number; readonly text: string }[];
}

/** Braces, comments and imports change beside anything. */
const IDLE = listed(
  String.raw`^\s*`,
  String.raw`$ [^\w]*$ // /\* \* #(?!\s*(?:if|define|el|end)) -- """ import\b use\b from\b`,
  "",
);

function replacedLines({ path, before, after }: ChangedFile): ReplacedLines["lines"] {
  if (!before || !after) return [];
  const lines: { at: number; text: string }[] = [];
  let at = 0;
  for (const line of unifiedDiff(path, before, after).split("\n")) {
    const [, from] = /^@@ -(\d+)/.exec(line) ?? [];
    if (from !== undefined) {
      at = Number(from);
    } else if (at > 0 && line.startsWith("-")) {
      if (!IDLE.test(line.slice(1))) lines.push({ at, text: line.slice(1) });
      at += 1;
    } else if (at > 0 && line.startsWith(" ")) {
      at += 1;
    }
  }
  return lines;
}

/** The one commit that set all these lines. */
function onlyCommit(changed: readonly ReplacedLines[], blamed: readonly BlamedFile[]): BlamedCommit | undefined {
  const commits = new Map<string, BlamedCommit>();
  for (const { path, lines } of changed) {
    const ranges = blamed.find((file) => file.path === path)?.ranges ?? [];
    for (const { at } of lines) {
      const range = ranges.find(({ start, end }) => start <= at && at <= end);
      if (!range) return undefined;
      commits.set(range.commit.id, range.commit);
    }
  }
  const [commit, ...others] = commits.values();
  return others.length === 0 && commit?.first === false ? commit : undefined;
}

/** Titles of changes that move or restyle code that was there before. */
const MOVES = listed(
  String.raw`\b(?:`,
  String.raw`
    refactor\w* re-?format\w* format\w* lint\w* styl\w* renam\w* mov(?:e[sd]?|ing) clean(?:s|ed|ing)?[-\x20]?up\w* typos?
    whitespace indent\w* prettier black ruff isort biome eslint clang-format gofmt rustfmt revert\w* merge[sd]? bump\w*
    upgrad\w* moderni[sz]\w* migrat\w* convert\w* split\w* extract\w* reorgani[sz]\w* restructur\w* simplif\w* codemod
    follow-?up compil\w* warnings? initial\x20(?:commit|import) import\x20from port(?:ed)?\x20(?:to|from) type\x20(?:hints|annotations) copyright
  `,
  String.raw`)\b`,
  "i",
);

function mayIntroduce({ title, date, files = 0 }: BlamedCommit, now: number): boolean {
  const days = (now - Date.parse(date)) / DAY;
  return days <= MAX_AGE_DAYS && files <= MAX_TOUCHED && !MOVES.test(title);
}

/**
 * Whether a commit wrote these lines: they are among those it added, and it took away none that was much the same. Where
 * it only changed a line, the fault may be older.
 */
function broughtBy(diff: string, changed: readonly ReplacedLines[]): boolean {
  if ((diff.match(/^diff --git /gm) ?? []).length > MAX_TOUCHED) return false;
  const added = new Set<string>();
  const removed: ReadonlySet<string>[] = [];
  for (const line of diff.split("\n")) {
    if (/^(?:\+\+\+|---) /.test(line)) continue;
    if (line.startsWith("+")) added.add(bare(line.slice(1)));
    else if (line.startsWith("-")) removed.push(wordsOf(line));
  }
  const isNew = (text: string) => added.has(bare(text)) && !removed.some((older) => isMuchOf(older, wordsOf(text)));
  return changed.every(({ lines }) => lines.every(({ text }) => isNew(text)));
}

/** The share of a line's words that an older one has if it is much the same. */
const MUCH = 0.6;

const wordsOf = (line: string): ReadonlySet<string> => new Set(line.match(/\w+/g) ?? []);

const isMuchOf = (older: ReadonlySet<string>, words: ReadonlySet<string>) =>
  [...words].filter((word) => older.has(word)).length >= MUCH * words.size;

const bare = (line: string) => line.replace(/\s+/g, "");

/** What the pull request says of where the lines come from; undefined when it is nothing worth saying. */
export function originSentence(
  { commit, likely }: Origin,
  { now, suggest }: { readonly now: number; readonly suggest: boolean },
): string | undefined {
  const pull = pullOf(commit.title);
  const what = pull === undefined ? commit.id.slice(0, 10) : `#${pull}`;
  const days = Math.max(0, Math.round((now - Date.parse(commit.date)) / DAY));
  const ago = ["today", "a day ago"][days] ?? `${days} days ago`;
  const author = commit.author.replaceAll("`", "");
  if (!likely) return days > MAX_OLD_DAYS ? undefined : `The changed lines were last changed in ${what} (${ago}).`;
  const reviewer = suggest && author !== "" ? ` Its author \`${author}\` could review this.` : "";
  return `Introduced by ${what} (${ago}).${reviewer}`;
}
