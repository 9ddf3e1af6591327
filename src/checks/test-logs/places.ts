import { addTo } from "../../data/add-to.ts";
import type { LogPlace } from "../../data/checks.ts";

/** `path:3`, `path:3:5`, `path(3,5)`, `path:[3,5]`: most compilers, stacks and test runners. */
const PLACE = new RegExp(
  [
    /(?:^|[\s("'`=<|>])((?:file:\/\/)?(?:[A-Za-z]:)?[\w@.\-+/\\~$[\]]*[\w-]\.[A-Za-z]\w{0,9})/,
    /(?::(\d+)(?::\d+)?|\((\d+)(?:,\d+)?\)|:\[(\d+),\d+\])/,
  ]
    .map(({ source }) => source)
    .join(""),
  "g",
);

const PYTHON = /File "([^"]+)", line (\d+)/g;

/** Linters name the file on its own line, and the places below. */
const HEADING = /^\s*(\S+\.[A-Za-z]\w{0,9})$/;

const UNDER_HEADING = /^\s+(\d+):(\d+)\s+(?:error|warning)\s/;

const MAX_PLACES = 40;

/**
 * The files and lines of the repository that a log names, each once, in order. `paths` are the
 * repository's files; a path on the machine that ran the job means the file at its end.
 */
export function findPlaces(log: string, paths: Iterable<string>): readonly LogPlace[] {
  const find = createPathFinder(paths);
  const places = new Map<string, LogPlace>();
  const add = (named: string | undefined, line: string | undefined) => {
    const path = named === undefined || places.size >= MAX_PLACES ? undefined : find(named);
    const number = Number(line);
    if (path !== undefined && number > 0) places.set(`${path}:${number}`, { path, line: number });
  };
  let heading: string | undefined;
  for (const text of log.split("\n")) {
    const below = UNDER_HEADING.exec(text);
    if (below) add(heading, below[1]);
    else heading = HEADING.exec(text)?.[1];
    for (const [, path, line] of text.matchAll(PYTHON)) add(path, line);
    for (const [, path, colon, bracket, square] of text.matchAll(PLACE)) add(path, colon ?? bracket ?? square);
  }
  return [...places.values()];
}

/** The beginning of a path on the machine that ran a job, up to the work tree. */
const WORK_TREE =
  /^(?:.*\/(?:work|_work|__w|a)\/([^/]+)\/\1|\/github\/workspace|\/builds\/[^/]+\/[^/]+|\/?workspace|\/app)\//;

const FOREIGN = /(?:^|\/)(?:node_modules|site-packages|dist-packages|\.cargo\/registry|\.m2|vendor\/bundle)\//;

/**
 * Gives the file of the repository that a path in a log means, if that is clear: the same path, a path on the
 * machine that ran the job, or the end of exactly one of the repository's `paths`.
 */
export function createPathFinder(paths: Iterable<string>): (named: string) => string | undefined {
  const known = new Set<string>();
  const byName = new Map<string, string[]>();
  const byEnding = new Map<string, ReadonlyMap<string, string | undefined>>();
  const endingsFor = (name: string) => {
    const endings = byEnding.get(name) ?? endingsIn(byName.get(name) ?? []);
    byEnding.set(name, endings);
    return endings;
  };
  for (const path of paths) {
    known.add(path);
    if (path.length > MAX_PATH) continue;
    const name = path.slice(path.lastIndexOf("/") + 1);
    addTo(byName, name, path);
  }

  return (named) => {
    if (named.length > MAX_PATH) return undefined;
    const path = named
      .replace(/^file:\/\//, "")
      .replace(/^[A-Za-z]:(?=[\\/])/, "")
      .replaceAll("\\", "/")
      .replace(/^(?:\.\/)+/, "");
    if (FOREIGN.test(path)) return known.has(path) ? path : undefined;
    const inTree = path.replace(WORK_TREE, "");
    if (known.has(inTree)) return inTree;
    const ending = endingsFor(inTree.slice(inTree.lastIndexOf("/") + 1)).get(inTree);
    return ending ?? (path.startsWith("/") ? beginningIn(path, known) : undefined);
  };
}

/** Linux knows no longer path. */
const MAX_PATH = 4_096;

/** For each end of `paths`, as a monorepo's logs name them, the path; undefined where several end with it. */
function endingsIn(paths: readonly string[]): ReadonlyMap<string, string | undefined> {
  const endings = new Map<string, string | undefined>();
  for (const path of paths) {
    for (const ending of endingsOf(path)) endings.set(ending, endings.has(ending) ? undefined : path);
  }
  return endings;
}

/** What stands behind each slash of a path, the longest first. */
const endingsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(index + 1));

/** The longest of the known paths that the named one ends with; a bare file name is too little. */
const beginningIn = (named: string, known: ReadonlySet<string>): string | undefined =>
  endingsOf(named).find((path) => path.includes("/") && known.has(path));
