import type { LeftOut } from "./left-out.ts";
import { type Refusal, resolvePath, unknownPath } from "./paths.ts";
import type { LookupContext } from "./snapshot-files.ts";

/** What a folder holds, at any depth. */
export interface FoundFolder {
  /** with a final slash; "" is the top */
  readonly prefix: string;
  /** relative to the folder */
  readonly paths: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/** Finds what is in a folder; in the top without `written`. */
export function listFolder({ files }: LookupContext, written = ""): FoundFolder | Refusal {
  const resolved = resolvePath(written, files);
  if ("reason" in resolved) return resolved;
  const { path } = resolved;
  if (files.has(path)) return { reason: `${path} is a file: use read.` };
  const prefix = path === "" ? "" : `${path}/`;
  const leftOut = files.leftOut.filter((one) => one.path === path || one.path.startsWith(prefix));
  if (!files.hasFolder(path) && leftOut.length === 0) return { reason: unknownPath(files, path) };
  const below = files.paths.filter((one) => one.startsWith(prefix));
  return { prefix, paths: below.map((one) => one.slice(prefix.length)), leftOut };
}
