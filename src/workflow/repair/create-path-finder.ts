/** What a path of the machine that ran a job begins with, up to the work tree. */
const WORK_TREE =
  /^(?:.*\/(?:work|_work|__w|a)\/([^/]+)\/\1|\/github\/workspace|\/builds\/[^/]+\/[^/]+|\/?workspace|\/app)\//;
const FOREIGN = /(?:^|\/)(?:node_modules|site-packages|dist-packages|\.cargo\/registry|\.m2|vendor\/bundle)\//;

/**
 * Gives the file of the repository that a path in a log means, if it is clear which: the same path, a path on the
 * machine that ran the job, or the end of exactly one of the repository's `paths`.
 */
export function createPathFinder(paths: Iterable<string>): (named: string) => string | undefined {
  const known = new Set<string>();
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    known.add(path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }

  return (named) => {
    const path = named
      .replace(/^file:\/\//, "")
      .replace(/^[A-Za-z]:(?=[\\/])/, "")
      .replaceAll("\\", "/")
      .replace(/^(?:\.\/)+/, "");
    if (FOREIGN.test(path)) return known.has(path) ? path : undefined;
    const inTree = path.replace(WORK_TREE, "");
    if (known.has(inTree)) return inTree;
    const candidates = byName.get(inTree.slice(inTree.lastIndexOf("/") + 1)) ?? [];
    return endOf(inTree, candidates) ?? (path.startsWith("/") ? beginningIn(path, candidates) : undefined);
  };
}

/** The one candidate that ends with the named path, as in a log of a package of a larger repository. */
function endOf(named: string, candidates: readonly string[]): string | undefined {
  const ending = candidates.filter((path) => path.endsWith(`/${named}`));
  return ending.length === 1 ? ending[0] : undefined;
}

/** The longest candidate that the named path ends with; a bare name at the end of a machine's path says too little. */
function beginningIn(named: string, candidates: readonly string[]): string | undefined {
  const within = candidates.filter((path) => path.includes("/") && named.endsWith(`/${path}`));
  return within.sort((a, b) => b.length - a.length)[0];
}
