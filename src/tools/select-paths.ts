import { RE2JS } from "re2js";
import { globPattern } from "./glob-pattern.ts";
import { resolvePath } from "./resolve-path.ts";
import type { SnapshotFiles } from "./snapshot-files.ts";
import { unknownPath } from "./unknown-path.ts";

export type SelectedPaths = { readonly paths: readonly string[] } | { readonly reason: string };

/** The files that `written` means: a file, a folder, or a glob; all without it. In path order. */
export function selectPaths(files: SnapshotFiles, written = ""): SelectedPaths {
  const resolved = resolvePath(written);
  if ("reason" in resolved) return resolved;
  const { path } = resolved;
  if (path === "") return { paths: files.paths };
  if (files.has(path)) return { paths: [path] };
  if (files.hasFolder(path)) return { paths: files.paths.filter((other) => other.startsWith(`${path}/`)) };
  if (!/[*?{]/.test(path)) return { reason: unknownPath(files, path) };
  const glob = RE2JS.compile(globPattern(path));
  const paths = files.paths.filter((other) => glob.matches(other));
  return paths.length > 0 ? { paths } : { reason: `No file that may be seen has a path like ${path}.` };
}
