/** A file of the commit that is not searched. */
export interface LeftOut {
  path: string;
  /** what it is, in a few words: `vendored`, `lock file` */
  kind: string;
  /** why it counts as that, in words */
  reason: string;
  /** its text is shown to whoever names it */
  shown: boolean;
}

/** What a left-out file is, in a sentence. */
export const leftOutNote = ({ path, kind, reason, shown }: LeftOut): string =>
  `${path} is left out of what is searched: ${kind} (${reason}).${shown ? "" : " Its content is not shown."}`;

const MAX_NAMED = 3;

/** How many files are left out, by kind, and the first few by name; "" for none. */
export function countLeftOut(files: readonly LeftOut[]): string {
  if (files.length === 0) return "";
  const counts = new Map<string, number>();
  for (const { kind } of files) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([kind, count]) => `${kind} ${count}`);
  const named = files.slice(0, MAX_NAMED).map(({ path }) => path);
  const names = named.length < files.length ? `${named.join(", ")}, …` : named.join(", ");
  return `${files.length} ${files.length === 1 ? "file" : "files"} left out (${kinds.join(", ")}): ${names}.`;
}

/** Snapshots and declarations do not rank, but say what a program gives and takes. */
export const SNAPSHOT_OR_DECLARATION = /\.(?:snap|shot|ambr)$|(?:^|\/)__snapshots__\/|\.d\.[cm]?ts$/;

/** The left-out files that may be shown and whose paths match. */
export const shownOf = ({ leftOut }: { leftOut: readonly LeftOut[] }, pattern: RegExp): readonly string[] =>
  leftOut.filter(({ path, shown }) => shown && pattern.test(path)).map(({ path }) => path);

export const DECLARATIONS = /\.d\.[cm]?ts$/;
