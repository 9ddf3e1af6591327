import { readWords } from "../data/own-files.ts";
import { getOrMake } from "./postings.ts";

/** An import as written, but with slashes: `./a` is relative to the file, `a/b` to the top of some source folder. */
interface WrittenImport {
  from: string;
  names: readonly string[];
}

/** The most files that one import may mean: a Go package is all of its files. */
const MAX_MEANT = 12;

const wordsOf = (kind: string): ReadonlySet<string> => new Set(readWords("module-names", kind).flat());

const INDEXES = wordsOf("folder");

const UNNAMED = wordsOf("unnamed");

const LANGUAGES = readWords("module-names", "language").map((extensions) => new Set(extensions));

const extensionOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1).toLowerCase();

/** The name that a file is imported by: its own, or that of its folder for `index` and the like. */
export function moduleOf(path: string): string {
  const [name = "", folder = name] = stemOf(path).split("/").reverse();
  return INDEXES.has(name) ? folder : name;
}

/**
 * Gives `resolve(from, import)`: the files of `paths` that an import in the file `from` means. Compares the ends of
 * paths, since too many kinds of files settle where a name begins (a source folder, a package, an alias). Relative
 * imports are looked up exactly first. Installed packages are not in `paths` and give no file.
 */
export function createImportResolver(
  paths: readonly string[],
): (from: string, written: WrittenImport) => readonly string[] {
  const index = indexPaths(paths);
  return (from, { from: written, names }) => {
    const language = LANGUAGES.find((extensions) => extensions.has(extensionOf(from)));
    const fitting = (files: readonly string[]) =>
      files.filter((path) => path !== from && (language?.has(extensionOf(path)) ?? true));
    const tries = [...names.slice(0, MAX_MEANT).map((name) => `${written}/${name}`), written];
    // Rust's paths begin with the crate's name, which no file has.
    if (from.endsWith(".rs")) tries.push(...tries.map((one) => one.replace(/^[^/]+\//, "")));
    if (/^\.{1,2}(?:\/|$)/.test(written)) {
      const exact = tries.flatMap((one) => fitting(atRelative(from, one, index)));
      if (exact.length > 0) return [...new Set(exact)].slice(0, MAX_MEANT);
    }
    const isGo = from.endsWith(".go");
    const meant = tries.map((one) => longest(wantedParts(one), isGo, index)).filter(({ files }) => files.length > 0);
    const most = Math.max(0, ...meant.map(({ agreed }) => agreed));
    const best = meant.filter(({ agreed }) => agreed === most).flatMap(({ files }) => files);
    return nearest(from, fitting([...new Set(best)])).slice(0, MAX_MEANT);
  };
}

/** Paths by lookup key. They are split into parts only when needed: a large repository has many. */
interface PathIndex {
  /** by the last part of the module name */
  byLast: ReadonlyMap<string, readonly string[]>;
  /** files that stand for their folder, by their full path without extension */
  indexes: ReadonlyMap<string, readonly string[]>;
  /** Go files by the last part of their folder */
  byFolder: ReadonlyMap<string, readonly string[]>;
}

function indexPaths(paths: readonly string[]): PathIndex {
  const byLast = new Map<string, string[]>();
  const indexes = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  for (const path of paths) {
    const slash = path.lastIndexOf("/");
    const stem = stemOf(path.slice(slash + 1));
    const plain = !INDEXES.has(stem) && !UNNAMED.has(stem);
    const last = plain ? normal(stem) : (moduleParts(stemOf(path)).at(-1) ?? "");
    getOrMake(byLast, last, () => []).push(path);
    if (!plain) getOrMake(indexes, stemOf(path), () => []).push(path);
    if (path.endsWith(".go")) getOrMake(byFolder, packageParts(path).at(-1) ?? "", () => []).push(path);
  }
  return { byLast, indexes, byFolder };
}

/** Go imports a file's folder. */
const packageParts = (path: string) => moduleParts(`${folderOf(path)}/x`).slice(0, -1);

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** A path without its extension; `.d.ts` counts as one. */
function stemOf(path: string): string {
  return path.replace(/(?<=[^/])\.(?:d\.[cm]?ts|\w+)$/, "");
}

const normal = (part: string) => part.toLowerCase().replaceAll("-", "_");

function moduleParts(stem: string): string[] {
  const parts = stem.split("/").map(normal);
  while (parts.length > 1 && INDEXES.has(parts.at(-1) ?? "")) parts.pop();
  const named = parts.filter((part, at) => at === parts.length - 1 || !UNNAMED.has(part));
  while (named.length > 1 && UNNAMED.has(named.at(-1) ?? "")) named.pop();
  return named;
}

/** `@scope/pkg/a.js` is scope/pkg/a. A scope is often part of a folder's name, which `longest` allows for. */
function wantedParts(written: string): string[] {
  const parts = written.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
  return moduleParts(stemOf(parts.map((part) => part.replace(/^[@~]/, "")).join("/")));
}

function atRelative(from: string, written: string, { byLast, indexes }: PathIndex): readonly string[] {
  const parts = folderOf(from).split("/");
  for (const part of written.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  const path = parts.filter((part) => part !== "").join("/");
  // In Rust, `mod a;` in x.rs means x/a.rs.
  const inner = from.endsWith(".rs") ? `${stemOf(from)}/${parts.at(-1)}` : path;
  const tries = [path, stemOf(path), `${path}/index`, `${path}/__init__`, `${path}/mod`, inner];
  const exactly = (stem: string) => [
    ...(indexes.get(stem) ?? []),
    ...(byLast.get(normal(stem.slice(stem.lastIndexOf("/") + 1))) ?? []).filter((one) => stemOf(one) === stem),
  ];
  for (const stem of tries) {
    const found = exactly(stem);
    if (found.length > 0) return found;
  }
  return [];
}

/** Files that share most of the last parts with what is wanted: at least two parts, or all. */
function longest(wanted: readonly string[], isGo: boolean, { byLast, byFolder }: PathIndex) {
  const index = isGo ? byFolder : byLast;
  const last = wanted.at(-1) ?? "";
  const scope = wanted.at(-2);
  const candidates = [
    ...(index.get(last) ?? []),
    ...(scope === undefined ? [] : (index.get(`${scope}_${last}`) ?? [])),
  ];
  let [agreed, files]: [number, string[]] = [0, []];
  for (const path of candidates) {
    const parts = isGo ? packageParts(path) : moduleParts(stemOf(path));
    let same = 0;
    while (same < wanted.length && same < parts.length && parts.at(-1 - same) === wanted.at(-1 - same)) same++;
    if (parts.at(-1) === `${scope}_${last}`) same = 2;
    const whole = same === wanted.length && parts.length - same <= 1;
    if (same < 2 && !whole) continue;
    if (same > agreed) [agreed, files] = [same, []];
    if (same === agreed) files.push(path);
  }
  return { agreed, files };
}

/** The paths that share most folders with the importing file. */
function nearest(from: string, paths: readonly string[]): readonly string[] {
  const own = from.split("/");
  const shared = (path: string) => {
    const parts = path.split("/");
    let same = 0;
    while (same < own.length - 1 && parts[same] === own[same]) same++;
    return same;
  };
  const most = Math.max(0, ...paths.map(shared));
  return paths.filter((path) => shared(path) === most || paths.length <= 2);
}
