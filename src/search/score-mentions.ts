import { getOrMake } from "./postings.ts";
import type { Evidence, IndexedFile } from "./ranking-types.ts";
import type { Mentions } from "./read-mentions.ts";

/** What a frame and a path are worth, where the best text score is 1. */
const FRAME_WEIGHT = 1;

const PATH_WEIGHT = 1;

/** What fits more files says little about each. */
const MAX_SHARERS = 8;

/** Scores files by the paths that the issue names, in stack traces too. */
export function scoreMentions(files: readonly IndexedFile[], { frames, paths }: Mentions): Evidence[] {
  const find = createPathMatcher(files.map(({ path }) => path));
  const evidence: Evidence[] = [];
  const give = (found: readonly number[], worth: number, reason: string) => {
    if (found.length > MAX_SHARERS) return;
    for (const file of found) evidence.push({ file, score: worth / found.length, reason: () => reason });
  };
  frames.forEach(({ path, line, end }, depth) => {
    const reason = end === undefined ? `named in the stack trace, line ${line}` : `the issue links to line ${line}`;
    give(find(path).files, FRAME_WEIGHT / (1 + depth / 4), reason);
  });
  for (const path of paths) give(find(path).files, PATH_WEIGHT, `the issue names ${path}`);
  return evidence;
}

/** Without case, in one normal form. */
const folded = (text: string): string => text.toLowerCase().normalize("NFC");

/** Files whose path ends like a written path, and how many of its last parts agree. */
interface PathMatch {
  files: readonly number[];
  parts: number;
}

/** The end of some files' paths, and where in each path it begins. */
interface PathEnd {
  files: number[];
  starts: number[];
  /** the ends that are one folder longer, once they are asked for; "" for a path that begins here */
  longer?: ReadonlyMap<string, PathEnd>;
}

const newEnd = (): PathEnd => ({ files: [], starts: [] });

/**
 * Gives a function that finds files by the end of their path, whatever its case: a trace has the path on another machine
 * (`/usr/lib/x/y/z.py` is `src/y/z.py`). Of a path with folders one must agree, unless the file is in none. Of long
 * paths only what is asked for is divided.
 */
export function createPathMatcher(given: readonly string[]): (written: string) => PathMatch {
  const paths = given.map(folded);
  const whole: PathEnd = { files: paths.map((_, file) => file), starts: paths.map(({ length }) => length + 1) };
  const longerOf = (end: PathEnd): ReadonlyMap<string, PathEnd> => {
    if (end.longer) return end.longer;
    const longer = new Map<string, PathEnd>();
    for (const [at, file] of end.files.entries()) {
      const path = paths[file] as string;
      const to = (end.starts[at] as number) - 1;
      const start = to < 1 ? 0 : path.lastIndexOf("/", to - 1) + 1;
      const next = getOrMake(longer, path.slice(start, Math.max(0, to)), newEnd);
      next.files.push(file);
      next.starts.push(start);
    }
    end.longer = longer;
    return longer;
  };
  return (written) => {
    const wanted = folded(written).split("/");
    const [name = "", ...folders] = wanted.filter((part) => !NO_FOLDER.has(part)).reverse();
    let end = longerOf(whole).get(name) ?? newEnd();
    let parts = 1;
    for (const folder of folders) {
      const longer = longerOf(end).get(folder);
      if (!longer) break;
      end = longer;
      parts += 1;
    }
    const { files } = parts === 1 && folders.length > 0 ? (longerOf(end).get("") ?? newEnd()) : end;
    return { files, parts: files.length > 0 ? parts : 0 };
  };
}

const NO_FOLDER: ReadonlySet<string> = new Set(["", ".", ".."]);
