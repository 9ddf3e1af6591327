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
  frames.forEach(({ path, line }, depth) => {
    give(find(path).files, FRAME_WEIGHT / (1 + depth / 4), `named in the stack trace, line ${line}`);
  });
  for (const path of paths) give(find(path).files, PATH_WEIGHT, `the issue names ${path}`);
  return evidence;
}

/** Without case, in one normal form. */
const folded = (text: string): string => text.toLowerCase().normalize("NFC");

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Files whose path ends like a written path, and how many of its last parts agree. */
interface PathMatch {
  readonly files: readonly number[];
  readonly parts: number;
}

/** The end of some files' paths, and the ends that are one folder longer; "" for a path that begins there. */
interface PathEnd {
  readonly files: number[];
  readonly longer: Map<string, PathEnd>;
}

const newEnd = (): PathEnd => ({ files: [], longer: new Map() });

/**
 * Gives a function that finds files by the end of their path, whatever its case: a trace has the path on another machine
 * (`/usr/lib/x/y/z.py` is `src/y/z.py`). Of a path with folders one must agree, unless the file is in none.
 */
export function createPathMatcher(paths: readonly string[]): (written: string) => PathMatch {
  const byName = new Map<string, number[]>();
  paths.forEach((path, file) => {
    getOrMake(byName, folded(nameOf(path)), () => []).push(file);
  });
  const ends = new Map<string, PathEnd>();
  const endOf = (name: string) => {
    const last = newEnd();
    for (const file of byName.get(name) ?? []) {
      let end = last;
      end.files.push(file);
      for (const folder of [
        "",
        ...folded(paths[file] as string)
          .split("/")
          .slice(0, -1),
      ].reverse()) {
        end = getOrMake(end.longer, folder, newEnd);
        end.files.push(file);
      }
    }
    return last;
  };
  return (written) => {
    const wanted = folded(written).split("/");
    const [name = "", ...folders] = wanted.filter((part) => !NO_FOLDER.has(part)).reverse();
    let end = getOrMake(ends, name, () => endOf(name));
    let parts = 1;
    for (const folder of folders) {
      const longer = end.longer.get(folder);
      if (!longer) break;
      end = longer;
      parts += 1;
    }
    const { files } = parts === 1 && folders.length > 0 ? (end.longer.get("") ?? newEnd()) : end;
    return { files, parts: files.length > 0 ? parts : 0 };
  };
}

const NO_FOLDER: ReadonlySet<string> = new Set(["", ".", ".."]);
