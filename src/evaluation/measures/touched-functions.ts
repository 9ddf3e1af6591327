/** A declaration, by the grammar of its language: 1-based lines, both inclusive. */
interface Declaration {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

const FUNCTIONS = /function|method|constructor|getter|setter/i;

/**
 * How many functions have one of `lines` in them: for each line the innermost function around it, counted once. A line
 * outside of all functions counts as none.
 */
export function touchedFunctions(declarations: readonly Declaration[], lines: Iterable<number>): number {
  const functions = declarations.filter(({ kind }) => FUNCTIONS.test(kind));
  const touched = new Set<Declaration>();
  for (const line of lines) {
    const [innermost] = functions
      .filter(({ start, end }) => start <= line && line <= end)
      .sort((a, b) => a.end - a.start - (b.end - b.start));
    if (innermost) touched.add(innermost);
  }
  return touched.size;
}
