import { readWords } from "../data/own-files.ts";

/** An import as written, but with slashes: `./a` is relative to the file, `a/b` to the top of some source folder. */
interface WrittenImport {
  from: string;
  names: readonly string[];
}

const wordsOf = (kind: string): ReadonlySet<string> => new Set(readWords("module-names", kind).flat());

/** What stands for its folder, and folders that the names of modules leave out. */
const INDEXES = wordsOf("folder");

const UNNAMED = wordsOf("unnamed");

const SIGNATURES = wordsOf("signatures");

/** Whether a file only says what others implement: prototypes, types. */
export const holdsSignatures = (path: string): boolean => SIGNATURES.has(path.slice(stemOf(path).length + 1));

const LANGUAGES = readWords("module-names", "language").map((extensions) => new Set(extensions));

/** The name that a file is imported by: its own, or that of its folder for `index` and the like. */
export function moduleOf(path: string): string {
  const [name = "", folder = name] = stemOf(path).split("/").reverse();
  return INDEXES.has(name) ? folder : name;
}

/**
 * Whether an import in the file `from` may mean the file `path`. A relative one does if it leads there. Of others the
 * ends of both are compared, since too many kinds of files settle where a name begins (a source folder, a package, an
 * alias): the shorter one has to agree whole, and two parts at least or all that is written.
 */
export function mayImport(from: string, { from: written, names }: WrittenImport, path: string): boolean {
  const language = LANGUAGES.find((extensions) => extensions.has(extensionOf(from)));
  if (path === from || !(language?.has(extensionOf(path)) ?? true)) return false;
  const tries = [written, ...names.map((name) => `${written}/${name}`)];
  if (/^\.{1,2}(?:\/|$)/.test(written)) return tries.some((one) => leadsTo(path, one, from));
  // Go imports a file's folder.
  const own = moduleParts(from.endsWith(".go") ? `${folderOf(path)}/index` : path);
  // Rust's paths begin with the crate's name, which no file has.
  const least = from.endsWith(".rs") ? 1 : 2;
  return tries.some((one) => {
    const wanted = moduleParts(one.replace(/(?<=^|\/)[@~]/g, "").replace(/^\/+/, ""));
    const agreed = commonEnd(wanted, own);
    // A scope is often part of a folder's name.
    if (agreed === 0) return wanted.length > 1 && own.at(-1) === wanted.slice(-2).join("_");
    const isWhole = agreed === wanted.length && own.length <= agreed + 1;
    return agreed === Math.min(wanted.length, own.length) && (agreed >= least || isWhole);
  });
}

function leadsTo(path: string, written: string, from: string): boolean {
  const follow = (start: string) => {
    const parts = start.split("/");
    for (const part of written.split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "." && part !== "") parts.push(part);
    }
    return parts.filter((part) => part !== "").join("/");
  };
  // In Rust, `mod a;` in x.rs means x/a.rs.
  const starts = from.endsWith(".rs") ? [folderOf(from), stemOf(from)] : [folderOf(from)];
  const own = withoutIndex(stemOf(path));
  return starts.map(follow).some((meant) => own === withoutIndex(meant) || own === withoutIndex(stemOf(meant)));
}

const withoutIndex = (stem: string): string => {
  const parts = stem.split("/").map(normal);
  return (INDEXES.has(parts.at(-1) ?? "") ? parts.slice(0, -1) : parts).join("/");
};

const normal = (part: string) => part.toLowerCase().replaceAll("-", "_");

function moduleParts(path: string): readonly string[] {
  const parts = withoutIndex(stemOf(path)).split("/");
  const named = parts.filter((part) => part !== "" && !UNNAMED.has(part));
  return named.length > 0 ? named : parts.slice(-1);
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  let same = 0;
  while (same < one.length && same < other.length && one.at(-1 - same) === other.at(-1 - same)) same++;
  return same;
}

const extensionOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1).toLowerCase();

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** A path without its extension; `.d.ts` counts as one. */
const stemOf = (path: string): string => path.replace(/(?<=[^/])\.(?:d\.[cm]?ts|\w+)$/, "");
