import type { SnapshotFiles } from "./snapshot-files.ts";

const MAX = 8;

/** Says that there is no such file or folder, and which ones are most like it. */
export function unknownPath({ paths, hasFolder }: SnapshotFiles, path: string): string {
  const near = nearest(paths, path.toLowerCase());
  const known = `There is no file or folder ${path} among the files that may be seen.`;
  if (near.length > 0) return `${known} Nearest: ${near.join(", ")}`;
  let folder = path;
  while (!hasFolder(folder)) folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
  return `${known} ${folder === "" ? "Use list to see what there is." : `There is a folder ${folder}/.`}`;
}

/** The same name elsewhere first, then names that hold this one's stem; those with more of the path's end first. */
function nearest(paths: readonly string[], wanted: string): string[] {
  const name = baseOf(wanted);
  const stem = name.replace(/(?<=.)\.[^.]*$/, "");
  const same = paths.filter((path) => baseOf(path.toLowerCase()) === name);
  const found =
    same.length > 0 || stem.length < 3 ? same : paths.filter((path) => baseOf(path.toLowerCase()).includes(stem));
  return found
    .map((path) => ({ path, agreed: commonEnd(path.toLowerCase(), wanted) }))
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
