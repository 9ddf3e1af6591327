import { getOrMake } from "./get-or-make.ts";

/** Files whose path ends as a mentioned path does, and how many of its last parts agree. */
export interface PathMatch {
  readonly files: readonly number[];
  readonly parts: number;
}

const INDEX_NAMES = new Set(["__init__", "index", "mod", "main", "lib"]);

const nothing: PathMatch = { files: [], parts: 0 };

/** A file's path as a module is named: no extension, no index file. */
function moduleParts(path: string): string[] {
  const parts = path.toLowerCase().split("/");
  const name = (parts.pop() as string).replace(/(?<=.)\.[^/]*$/, "");
  return parts.length > 0 && INDEX_NAMES.has(name) ? parts : [...parts, name];
}

function longest(files: readonly number[], partsOf: (file: number) => string[], wanted: readonly string[]): PathMatch {
  let best: number[] = [];
  let most = 0;
  for (const file of files) {
    const parts = partsOf(file);
    let same = 0;
    while (same < wanted.length && same < parts.length && parts.at(-1 - same) === wanted.at(-1 - same)) same++;
    if (same > most) [best, most] = [[], same];
    if (same === most && same > 0) best.push(file);
  }
  return { files: best, parts: most };
}

/**
 * Finds files by the end of their path, because a trace knows the path on another machine (`/usr/lib/x/y/z.py` is
 * `src/y/z.py`) and a module name knows no extension. Case does not count. Only names asked for are looked at closely.
 */
export function createPathMatcher(paths: readonly string[], names: ReadonlySet<string>) {
  const byName = new Map<string, number[]>();
  const byModule = new Map<string, number[]>();
  paths.forEach((path, file) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    if (names.has(name)) getOrMake(byName, name, () => []).push(file);
    const stem = name.includes(".", 1) ? name.slice(0, name.indexOf(".", 1)) : name;
    const module = INDEX_NAMES.has(stem) ? (moduleParts(path).at(-1) as string) : stem;
    if (names.has(module)) getOrMake(byModule, module, () => []).push(file);
  });

  return {
    /** Files a written path can mean. */
    path(written: string): PathMatch {
      const wanted = written
        .toLowerCase()
        .split("/")
        .filter((part) => part !== "" && part !== "." && part !== "..");
      const found = byName.get(wanted.at(-1) ?? "");
      return found === undefined
        ? nothing
        : longest(found, (file) => (paths[file] as string).toLowerCase().split("/"), wanted);
    },
    /** Files a module name can mean. */
    module(parts: readonly string[]): PathMatch {
      const wanted = parts.map((part) => part.toLowerCase());
      const found = byModule.get(wanted.at(-1) ?? "");
      return found === undefined ? nothing : longest(found, (file) => moduleParts(paths[file] as string), wanted);
    },
  };
}
