const MAX_LENGTH = 40;

/**
 * A title as part of a branch name: ASCII lower-case letters, digits and single hyphens, at most 40 characters, cut
 * between words where it can be; "change" when nothing is left.
 */
export function slug(title: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .match(/[a-z0-9]+/g);
  let made = "";
  for (const word of words ?? []) {
    const longer = made === "" ? word : `${made}-${word}`;
    if (longer.length > MAX_LENGTH) break;
    made = longer;
  }
  return made || words?.[0]?.slice(0, MAX_LENGTH) || "change";
}

/**
 * The one of `names` that `word` was most likely meant to be, by edits of one letter (a swap of neighbours counts as
 * one); undefined when more than half of its letters would have to change. Of equally near ones the first.
 */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(word.toLowerCase(), name) }))
    .filter(({ name, distance }) => distance <= name.length / 2)
    .sort((a, b) => a.distance - b.distance);
  return best?.name;
}

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours. */
function distanceOf(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    const above = rows[i - 1] ?? [];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const ways = [(above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) ways.push((rows[i - 2]?.[j - 2] ?? 0) + 1);
      row.push(Math.min(...ways));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
