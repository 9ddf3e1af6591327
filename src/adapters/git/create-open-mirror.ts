import { MagisError } from "../../model/magis-error.ts";
import type { Mirror, OpenMirror } from "../../ports/mirror.ts";
import type { TreeEntry } from "../../ports/repository.ts";
import { checkPatch } from "./check-patch.ts";
import { findMirror } from "./find-mirror.ts";
import { readBlobs } from "./read-blobs.ts";
import { type GitEnvironment, runGit } from "./run-git.ts";

/** Mirrors in `folder`, see `findMirror` for their names. `environment`: of git. */
export function createOpenMirror(folder: string, environment: GitEnvironment): OpenMirror {
  return async (repository) => {
    const place = await findMirror(folder, repository, environment);
    return place === undefined ? undefined : mirrorAt(place, environment);
  };
}

function mirrorAt(folder: string, environment: GitEnvironment): Mirror {
  return {
    folder,
    hasCommit: async (commit) =>
      (await runGit(["-C", folder, "cat-file", "-e", `${commit}^{tree}`], environment)).exitCode === 0,
    async entries(commit) {
      const { exitCode, out, err } = await runGit(["-C", folder, "ls-tree", "-r", "-z", "--long", commit], environment);
      if (exitCode !== 0) throw new MagisError("GIT_NOT_FOUND", `The mirror has no commit ${commit}.`, { err });
      return out
        .split("\0")
        .filter((line) => line !== "")
        .map(toEntry);
    },
    readBlobs: (blobs, take) => readBlobs(folder, { blobs, environment }, take),
    refusalOf: (commit, patch) => checkPatch(folder, { commit, patch }, environment),
  };
}

function toEntry(line: string): TreeEntry {
  const tab = line.indexOf("\t");
  const [mode = "", , blob = "", size = "-"] = line.slice(0, tab).split(/ +/);
  const known = /^\d+$/.test(size) ? { size: Number(size) } : {};
  return { path: line.slice(tab + 1), blob, mode: mode as TreeEntry["mode"], ...known };
}
