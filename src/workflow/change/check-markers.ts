const MARKER = /^(<{7}|\|{7}|>{7})( |\r?\n?$)/;

/**
 * Tells of conflict markers that a change brought into a file, in words that a model can act on; undefined when it
 * brought none. Those that `before` had are left: they belong to the file. A row of = alone may be a heading.
 */
export function checkMarkers(before: readonly string[], after: readonly string[]): string | undefined {
  const known = new Set(before.filter((line) => MARKER.test(line)));
  const index = after.findIndex((line) => MARKER.test(line) && !known.has(line));
  if (index < 0) return undefined;
  return `Line ${index + 1} is a conflict marker (${after[index]?.trim()}). Write the lines as they shall be, without markers.`;
}
