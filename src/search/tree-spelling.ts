const ASCII = /^[ -~]*$/;

/** One key for all normal forms of a name: `é` as one character, or as `e` and an accent. */
const keyOf = (name: string): string => name.normalize("NFKC");

/**
 * A path as the tree spells it, or as much of it as the tree has, where it is given in another normal form of Unicode;
 * else the path itself.
 */
export function asInTree(path: string, tree: Iterable<string>): string {
  const parts = path.split("/");
  const wanted = parts.map(keyOf);
  const isPlain = ASCII.test(path);
  let spelt: readonly string[] = [];
  for (const other of tree) {
    if (other === path) return path;
    if (isPlain && ASCII.test(other)) continue;
    const there = other.split("/");
    let same = 0;
    while (same < wanted.length && same < there.length && wanted[same] === keyOf(there[same] as string)) same += 1;
    const found = there.slice(0, same);
    const isExact = found.every((part, at) => part === parts[at]);
    if (same > spelt.length || (same === spelt.length && isExact)) spelt = found;
  }
  return [...spelt, ...parts.slice(spelt.length)].join("/");
}
