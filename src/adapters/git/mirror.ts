import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { MagisError } from "../../model/error.ts";
import type { Mirror, OpenMirror, TreeEntry } from "../../ports/repository.ts";
import { withTemporaryFolder } from "../at-exit.ts";
import { programOf } from "../programs.ts";
import { type GitEnvironment, NEUTRAL_SETTINGS, neutralEnvironment } from "./neutral-git.ts";

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

/**
 * `git apply --check` of a patch on a commit, without a checkout: in the index of a temporary repository that borrows the
 * mirror's objects. Gives what git says when the patch does not apply, undefined when it does.
 * Throws MagisError GIT_NOT_FOUND when the commit cannot be read.
 */
async function checkPatch(
  mirror: string,
  { commit, patch }: { readonly commit: string; readonly patch: string },
  environment: GitEnvironment,
): Promise<string | undefined> {
  return withTemporaryFolder("magis-apply-", async (scratch) => {
    const objects = (await runGit(["-C", mirror, "rev-parse", "--git-path", "objects"], environment)).out.trim();
    await runGit(["init", "--quiet", "--bare", scratch], environment);
    const alternates = path.join(scratch, "objects", "info", "alternates");
    await writeFile(alternates, `${path.resolve(mirror, objects)}\n`);
    const inScratch = ["--git-dir", scratch];
    const read = await runGit([...inScratch, "read-tree", commit], environment);
    if (read.exitCode !== 0) {
      throw new MagisError("GIT_NOT_FOUND", `The mirror has no commit ${commit}.`, { err: read.err });
    }
    const { exitCode, err } = await runGit([...inScratch, "apply", "--cached", "--check", "-"], environment, patch);
    return exitCode === 0 ? undefined : err.trim();
  });
}

/**
 * The mirror of `owner/name` in `folder`: the first of `owner__name.git`, `owner__name`, `owner+name`, `owner+name/repo`,
 * `owner/name.git` and `owner/name` that is a git repository of its own. Undefined when there is none.
 */
async function findMirror(
  folder: string,
  repository: string,
  environment: GitEnvironment,
): Promise<string | undefined> {
  // It comes from a file of instances: nothing that leads out of the folder is a repository's name.
  if (!/^\w[\w.-]*\/\w[\w.-]*$/.test(repository)) return undefined;
  const [owner = "", name = ""] = repository.split("/");
  const names = [`${owner}__${name}.git`, `${owner}__${name}`, `${owner}+${name}`, `${owner}+${name}/repo`];
  for (const one of [...names, `${owner}/${name}.git`, `${owner}/${name}`]) {
    const place = path.join(folder, one);
    if (await isRepository(place, environment)) return place;
  }
  return undefined;
}

/** A folder without a repository of its own lies in that of a parent folder, which is not meant. */
async function isRepository(place: string, environment: GitEnvironment): Promise<boolean> {
  const found = await stat(place).catch(() => undefined);
  if (!found?.isDirectory()) return false;
  const own = await Promise.all([place, path.join(place, ".git")].map(async (git) => isGitFolder(git, environment)));
  return own.includes(true);
}

async function isGitFolder(folder: string, environment: GitEnvironment): Promise<boolean> {
  const { exitCode } = await runGit(["--git-dir", folder, "rev-parse", "--git-dir"], environment);
  return exitCode === 0;
}

type Take = (blob: string, content: Uint8Array) => void;

/**
 * Content of many blobs through one `git cat-file --batch`, given to `take` as they come.
 * Throws MagisError BLOB_MISSING for one that the repository does not hold.
 */
async function readBlobs(
  folder: string,
  { blobs, environment }: { readonly blobs: readonly string[]; readonly environment: GitEnvironment },
  take: Take,
): Promise<void> {
  if (blobs.length === 0) return;
  const child = spawn(programOf("git", environment), [...NEUTRAL_SETTINGS, "-C", folder, "cat-file", "--batch"], {
    env: neutralEnvironment(environment),
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => child.kill());
  child.stdin.end(`${blobs.join("\n")}\n`);
  let rest: Buffer = Buffer.alloc(0);
  let lacking = 0;
  let chunks: Buffer[] = [];
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    lacking -= chunk.length;
    if (lacking > 0) continue;
    rest = Buffer.concat([rest, ...chunks]);
    chunks = [];
    [rest, lacking] = takeWhole(rest, take);
  }
  if (rest.length > 0 || chunks.length > 0) throw new MagisError("BLOB_MISSING", "git ended in the middle of a blob.");
}

/** Hands on every whole blob of what has come; gives what is left, and how many bytes it lacks at least. */
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

export interface GitEnd {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Runs git and gives what it says, whatever its exit code. Rejects when there is no git. */
async function runGit(args: readonly string[], environment: GitEnvironment, input = ""): Promise<GitEnd> {
  const child = spawn(programOf("git", environment), [...NEUTRAL_SETTINGS, "-c", "core.quotePath=false", ...args], {
    env: neutralEnvironment(environment),
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A git that has read enough closes its input; its exit code says the rest.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const closed = once(child, "close") as Promise<[number | null]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { exitCode: code ?? 1, out, err };
}
