import { RE2JS } from "re2js";
import { asInTree } from "../../../search/tree-spelling.ts";
import { figure } from "../../../text/counted.ts";
import { countLeftOut, leftOutNote } from "./left-out.ts";
import type { SnapshotFiles } from "./snapshot-files.ts";

/** Why there is no answer, in a sentence. */
export interface Refusal {
  reason: string;
}

const MAX_LENGTH = 1_000;

/**
 * A path as models write it (`./a/b`, `/a/b`, `a//b/`, `a\b`, `a/../b`) as git writes it: relative to the top, no
 * final slash; "" is the top. What leads out of the repository is refused in words. `files` say how it is spelt.
 */
export function resolvePath(written: string, files: SnapshotFiles): { path: string } | Refusal {
  if (written.length > MAX_LENGTH)
    return { reason: `The path is longer than ${MAX_LENGTH} characters: give a folder or a glob.` };
  const parts: string[] = [];
  for (const part of written.trim().replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return { reason: `The path ${written} leads out of the repository.` };
  }
  const path = parts.join("/");
  const isKnown = files.has(path) || files.folders.has(path);
  return { path: isKnown ? path : asInTree(path, [...files.paths, ...files.leftOut.map((one) => one.path)]) };
}

const MAX = 8;

/** Says that there is no such file or folder, and which ones are most like it. */
export function unknownPath({ paths, folders }: SnapshotFiles, path: string): string {
  const near = nearest([...paths, ...[...folders].map((folder) => `${folder}/`)], path.toLowerCase());
  const known = `There is no file or folder ${path} among the files that may be seen.`;
  if (near.length > 0) return `${known} Nearest: ${near.join(", ")}`;
  let folder = path;
  while (!folders.has(folder)) folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
  return `${known} ${folder === "" ? "Read the path . to see what there is." : `There is a folder ${folder}/.`}`;
}

/** The same name elsewhere first, then names that hold this one's stem; those with more of the path's end first. */
function nearest(paths: readonly string[], written: string): string[] {
  // As search shows a place: `src/a.ts:12`.
  const wanted = written.replace(/:\d{1,7}(?:[:-]\d{1,7})?$/, "");
  const name = baseOf(wanted);
  const stem = name.replace(/(?<=.)\.[^.]*$/, "");
  const known = paths.map((path) => ({ path, lower: path.toLowerCase().replace(/\/$/, "") }));
  const same = known.filter(({ lower }) => baseOf(lower) === name);
  const found = same.length > 0 || stem.length < 3 ? same : known.filter(({ lower }) => baseOf(lower).includes(stem));
  return found
    .map(({ path, lower }) => ({ path, agreed: commonEnd(lower, wanted) }))
    .sort((a, b) => b.agreed - a.agreed)
    .slice(0, MAX)
    .map(({ path }) => path);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function commonEnd(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one.at(-1 - same) === other.at(-1 - same)) same++;
  return same;
}

export interface SelectedPaths {
  paths: readonly string[];
  /** says that these files are usually left out, and why */
  note?: string | undefined;
  /** names left-out files that were meant, too: for when nothing is found */
  ifNothing?: string | undefined;
}

/**
 * Selects the files of a path, folder or glob, all without it, in path order. Left-out files are selected only if
 * nothing else fits.
 */
export function selectPaths(files: SnapshotFiles, written = ""): SelectedPaths | Refusal {
  const resolved = resolvePath(written, files);
  if ("reason" in resolved) return resolved;
  const { path } = resolved;
  if (path === "") {
    const others = countLeftOut(files.leftOut.filter((one) => one.shown));
    return { paths: files.paths, ifNothing: others && `${others} Name one to look into it.` };
  }
  if (files.has(path)) return { paths: [path] };
  const exact = files.leftOut.find((one) => one.path === path);
  if (exact) return exact.shown ? { paths: [path], note: leftOutNote(exact) } : { reason: leftOutNote(exact) };
  const below = (other: string) => other.startsWith(`${path}/`);
  const isGlob = !files.folders.has(path) && !files.leftOut.some((one) => below(one.path)) && GLOB.test(path);
  const glob = isGlob ? RE2JS.compile(globPattern(path)) : undefined;
  const deeper = isGlob ? deeperFiles(files, path) : "";
  const isMeant = (other: string) => (glob ? glob.matches(other) : below(other));
  const paths = files.paths.filter(isMeant);
  const leftOut = files.leftOut.filter((one) => isMeant(one.path));
  const note = countLeftOut(leftOut);
  if (paths.length > 0) {
    const others = note && `${note} Name one to look into it.`;
    return { paths, ifNothing: [deeper, others].filter((part) => part !== "").join("\n") };
  }
  const shown = leftOut.filter((one) => one.shown).map((one) => one.path);
  if (shown.length > 0) return { paths: shown, note };
  if (note) return { reason: `${note} Their content is not shown.` };
  if (!glob) return { reason: unknownPath(files, path) };
  return { reason: `No file that may be seen has a path like ${path}.${deeper && ` ${deeper}`}` };
}

/** A pattern of paths. */
export const GLOB = /[*?{]/;

/** Says that a glob without `**` does not take files in deeper folders, and which glob does; "" if there are none. */
function deeperFiles({ paths }: SnapshotFiles, glob: string): string {
  const folder = glob.slice(0, glob.lastIndexOf("/") + 1);
  if (folder === "" || glob.includes("**")) return "";
  const deep = `${folder}**/${glob.slice(folder.length)}`;
  const [own, all] = [glob, deep].map((one) => RE2JS.compile(globPattern(one)));
  const count = paths.filter((path) => all?.matches(path) && !own?.matches(path)).length;
  return count === 0 ? "" : `Deeper folders were not searched: ${deep} takes ${figure(count, "more file")}.`;
}

/**
 * The regular expression (RE2) of a glob: `*` and `?` within a folder, `**` across folders, `{a,b}`; everything else
 * is itself. A glob without a slash is of names in any folder; one of a folder (`src/*`) takes what is below, too.
 */
function globPattern(glob: string): string {
  const parts = glob.match(/\*\*\/|\*+|\?|[{},]|[^*?{},]+/g) ?? [];
  let depth = 0;
  const body = parts.map((part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part.startsWith("*")) return part.length > 1 ? ".*" : "[^/]*";
    if (part === "?") return "[^/]";
    if (part === "{") depth += 1;
    if (part === "{") return "(?:";
    if (part === "}" && depth > 0) return [")", depth--][0];
    if (part === "," && depth > 0) return "|";
    return part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  });
  return `${glob.includes("/") ? "" : "(?:.*/)?"}${body.join("")}${")".repeat(depth)}(?:/.*)?`;
}
