import { createPathFinder } from "./create-path-finder.ts";

/** A line of a file of the repository that a log names. */
export interface LogPlace {
  readonly path: string;
  readonly line: number;
}

/** `path:3`, `path:3:5`, `path(3,5)`, `path:[3,5]`: most compilers, stacks and test runners. */
const PLACE =
  /(?:^|[\s("'`=<|>])((?:file:\/\/)?(?:[A-Za-z]:)?[\w@.\-+/\\~$[\]]*[\w-]\.[A-Za-z]\w{0,9})(?::(\d+)(?::\d+)?|\((\d+)(?:,\d+)?\)|:\[(\d+),\d+\])/g;
const PYTHON = /File "([^"]+)", line (\d+)/g;
/** Linters name the file on a line of its own, and below it the places. */
const HEADING = /^\s*(\S+\.[A-Za-z]\w{0,9})$/;
const UNDER_HEADING = /^\s+(\d+):(\d+)\s+(?:error|warning)\s/;
const MAX_PLACES = 40;

/**
 * The files and lines of the repository that a log names, in the order in which it does, each once. `paths` are the
 * repository's files; a path of the machine that ran the job is taken for the file at its end.
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
