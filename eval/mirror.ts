import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { MagisError } from "../src/data/error.ts";
import { withTemporaryFolder } from "../src/git/at-exit.ts";
import type { GitEnvironment } from "../src/git/neutral-git.ts";
import type { TreeEntry } from "../src/git/repository.ts";
import { readGit, runGit } from "../src/git/run-git.ts";

/** A read-only clone of a repository on this machine's disk. */
export interface Mirror {
  folder: string;
  hasCommit(commit: string): Promise<boolean>;
  /** When the commit was made, in seconds since the epoch. Throws MagisError GIT_NOT_FOUND. */
  committedAt(commit: string): Promise<number>;
  /** Every file of the commit. Throws MagisError GIT_NOT_FOUND. */
  entries(commit: string): Promise<readonly TreeEntry[]>;
  /** Passes each blob's content to `take` as it arrives, in any order. Throws MagisError BLOB_MISSING. */
  readBlobs(blobs: readonly string[], take: (blob: string, content: Uint8Array) => void): Promise<void>;
  /** Git's message when the patch does not apply to the commit (`git apply --check`); undefined when it does. */
  refusalOf(commit: string, patch: string): Promise<string | undefined>;
}

/** The mirror of `owner/name`; undefined when there is none. */
export type OpenMirror = (repository: string) => Promise<Mirror | undefined>;

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
    async hasCommit(commit) {
      const { code } = await readGit({ directory: folder, args: ["cat-file", "-e", `${commit}^{tree}`], environment });
      return code === 0;
    },
    async committedAt(commit) {
      const args = ["show", "--no-patch", "--format=%ct", commit];
      const { code, text, message } = await readGit({ directory: folder, args, environment });
      if (code !== 0) throw noCommit(commit, message);
      return Number(text.trim());
    },
    async entries(commit) {
      const args = ["ls-tree", "-r", "-z", "--long", commit];
      const { code, text, message } = await readGit({ directory: folder, args, environment });
      if (code !== 0) throw noCommit(commit, message);
      return text
        .split("\0")
        .filter((line) => line !== "")
        .map(toEntry);
    },
    readBlobs: (blobs, take) => readBlobs(folder, { blobs, environment }, take),
    refusalOf: (commit, patch) => checkPatch(folder, { commit, patch }, environment),
  };
}

function noCommit(commit: string, message: string): MagisError {
  return new MagisError("GIT_NOT_FOUND", `The mirror has no commit ${commit}.`, { message });
}

function toEntry(line: string): TreeEntry {
  const tab = line.indexOf("\t");
  const [mode = "", , blob = "", size = "-"] = line.slice(0, tab).split(/ +/);
  return {
    path: line.slice(tab + 1),
    blob,
    mode: mode as TreeEntry["mode"],
    size: /^\d+$/.test(size) ? Number(size) : undefined,
  };
}

/**
 * `git apply --check` of a patch on a commit, without a checkout: in the index of a temporary repository that borrows
 * the mirror's objects. Gives git's message when the patch does not apply, undefined when it does.
 * Throws MagisError GIT_NOT_FOUND when the commit cannot be read.
 */
async function checkPatch(
  mirror: string,
  { commit, patch }: { commit: string; patch: string },
  environment: GitEnvironment,
): Promise<string | undefined> {
  return withTemporaryFolder("magis-apply-", async (scratch) => {
    const { text: objects } = await readGit({
      directory: mirror,
      args: ["rev-parse", "--git-path", "objects"],
      environment,
    });
    await readGit({ args: ["init", "--quiet", "--bare", scratch], environment });
    const alternates = path.join(scratch, "objects", "info", "alternates");
    await writeFile(alternates, `${path.resolve(mirror, objects)}\n`);
    const inScratch = (args: readonly string[], input?: string) =>
      readGit({ args: ["--git-dir", scratch, ...args], environment, input });
    const read = await inScratch(["read-tree", commit]);
    if (read.code !== 0) throw noCommit(commit, read.message);
    const { code, message } = await inScratch(["apply", "--cached", "--check", "-"], patch);
    return code === 0 ? undefined : message;
  });
}

/**
 * The mirror of `owner/name` in `folder`: the first of `owner__name.git`, `owner__name`, `owner+name`,
 * `owner+name/repo`, `owner/name.git` and `owner/name` that is a git repository itself. Undefined when there is none.
 */
async function findMirror(
  folder: string,
  repository: string,
  environment: GitEnvironment,
): Promise<string | undefined> {
  // From a file of instances: it must not lead out of the folder.
  if (!/^\w[\w.-]*\/\w[\w.-]*$/.test(repository)) return undefined;
  const [owner = "", name = ""] = repository.split("/");
  const names = [`${owner}__${name}.git`, `${owner}__${name}`, `${owner}+${name}`, `${owner}+${name}/repo`];
  for (const one of [...names, `${owner}/${name}.git`, `${owner}/${name}`]) {
    const place = path.join(folder, one);
    if (await isRepository(place, environment)) return place;
  }
  return undefined;
}

/** By explicit git folders, since git would also find the repository of a parent folder. */
async function isRepository(place: string, environment: GitEnvironment): Promise<boolean> {
  const found = await stat(place).catch(() => undefined);
  if (!found?.isDirectory()) return false;
  const own = await Promise.all([place, path.join(place, ".git")].map(async (git) => isGitFolder(git, environment)));
  return own.includes(true);
}

async function isGitFolder(folder: string, environment: GitEnvironment): Promise<boolean> {
  const { code } = await readGit({ args: ["--git-dir", folder, "rev-parse", "--git-dir"], environment });
  return code === 0;
}

type Take = (blob: string, content: Uint8Array) => void;

/**
 * Reads many blobs through one `git cat-file --batch`, and hands them to `take` as they come.
 * Throws BLOB_MISSING for one that the repository lacks.
 */
async function readBlobs(
  folder: string,
  { blobs, environment }: { blobs: readonly string[]; environment: GitEnvironment },
  take: Take,
): Promise<void> {
  if (blobs.length === 0) return;
  let rest: Buffer = Buffer.alloc(0);
  let lacking = 0;
  let chunks: Buffer[] = [];
  const call = { directory: folder, args: ["cat-file", "--batch"], environment, input: `${blobs.join("\n")}\n` };
  await runGit(call, (chunk) => {
    chunks.push(chunk);
    lacking -= chunk.length;
    if (lacking > 0) return;
    rest = Buffer.concat([rest, ...chunks]);
    chunks = [];
    [rest, lacking] = takeWhole(rest, take);
  });
  if (rest.length > 0 || chunks.length > 0) throw new MagisError("BLOB_MISSING", "git ended in the middle of a blob.");
}

/** Hands on every complete blob; gives the rest, and at least how many bytes it lacks. */
function takeWhole(come: Buffer, take: Take): [rest: Buffer, lacking: number] {
  let at = 0;
  for (;;) {
    const end = come.indexOf(10, at);
    if (end < 0) return [come.subarray(at), 1];
    const [blob = "", kind, size] = come.toString("latin1", at, end).split(" ");
    if (kind !== "blob") throw new MagisError("BLOB_MISSING", `The mirror has no blob ${blob}.`, { blob });
    const after = end + 1 + Number(size);
    if (come.length <= after) return [come.subarray(at), after + 1 - come.length];
    take(blob, Uint8Array.prototype.slice.call(come, end + 1, after));
    at = after + 1;
  }
}
