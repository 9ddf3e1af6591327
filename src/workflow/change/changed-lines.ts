/** 1-based lines of a new text, inclusive; `last` is `first - 1` where lines were only taken away. */
export interface ChangedLines {
  readonly first: number;
  readonly last: number;
}

/** Where a text differs from the one before: all between what is the same at the beginning and at the end. */
export function changedLines(before: string, after: string): ChangedLines {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return { first: start + 1, last: now.length - end };
}
