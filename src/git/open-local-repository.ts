import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { isMagisError, MagisError } from "../data/error.ts";
import { withNeutralRepository } from "./neutral-git.ts";
import { commitLinks, ObjectStore, packError } from "./object-store.ts";
import { PackReader } from "./pack-reader.ts";
import { listEntries } from "./read-tree.ts";
import {
  MAX_PAST,
  MAX_PAST_MESSAGE,
  MAX_PAST_PATHS,
  type OpenRepository,
  type Past,
  type PastCommit,
} from "./repository.ts";
import { type GitCall, readGit, runGit } from "./run-git.ts";
import { createGitRepository } from "./stored-repository.ts";
import { type GitLimits, gitLimits } from "./transport.ts";

/**
 * Reads one commit of a repository on this machine into memory: `url` is its directory. The installed git packs the
 * commit as for a clone of depth 1. The repository stays unchanged, and nothing can be pushed to it. Throws
 * GIT_NOT_FOUND when the commit or an object of it is missing, else what `OpenRepository` names.
 */
export function createOpenLocalRepository(
  environment: Readonly<Record<string, string | undefined>>,
  limits: Partial<GitLimits> = {},
): OpenRepository {
  const { maxUnpackedBytes } = gitLimits(limits);
  return async ({ url: directory, commit, signal = new AbortController().signal }) => {
    const store = new ObjectStore(maxUnpackedBytes);
    try {
      const args = ["pack-objects", "--stdout", "--revs", "-q", "--missing=allow-any"];
      const reader = new PackReader(store);
      const input = `--shallow ${commit}\n${commit}\n`;
      const call = { directory, args, input, environment, signal };
      const { code, message } = await runGit(call, (bytes) => reader.write(bytes));
      if (code !== 0) throw notFound(`git could not read commit ${commit} in ${directory}: ${message}`);
      reader.end();
      const entries = entriesOf(store, commit, directory);
      const past = () => localPast(directory, commit, { environment, signal });
      return createGitRepository({ commit, entries, store, transport: refusePush, past });
    } catch (error) {
      store.clear();
      throw error;
    }
  };
}

const LOG = [
  "log",
  "-z",
  "--no-renames",
  "--name-only",
  "--no-relative",
  "--no-show-signature",
  "--encoding=UTF-8",
  "--format=%x00%H%x00%B%x00",
  "-n",
  String(MAX_PAST),
];

/** The past of a commit of a repository on this machine; empty when git cannot read it. Throws RUN_CANCELLED. */
export async function localPast(
  directory: string,
  commit: string,
  how: Pick<GitCall, "environment" | "signal">,
): Promise<Past> {
  const log = (...args: readonly string[]) => readLog({ ...how, directory, args: [...LOG, ...args, commit] });
  const [history, landed] = await Promise.all([log("--no-merges"), log("--first-parent", "-m")]);
  return { history, landed };
}

async function readLog(call: GitCall): Promise<readonly PastCommit[]> {
  const { code, text } = await readGit(call);
  if (code !== 0) return [];
  // Neither messages nor paths hold a zero byte: each commit is id, message, "", paths, "".
  const past: PastCommit[] = [];
  const fields = text.split("\0");
  for (let at = 0; at < fields.length; ) {
    const id = fields[at++] ?? "";
    if (!/^[0-9a-f]{40}$/.test(id)) continue;
    const message = (fields[at++] ?? "").slice(0, MAX_PAST_MESSAGE).trim();
    const end = fields.indexOf("", at + 1);
    const paths = fields.slice(at + 1, end < 0 ? undefined : end).map((path, first) => (first ? path : path.slice(1)));
    at = end < 0 ? fields.length : end;
    if (paths.length > 0 && paths.length <= MAX_PAST_PATHS) past.push({ commit: id, message, paths });
  }
  return past;
}

/** Only a partial clone may lack a blob, and git would have to fetch it first. */
function entriesOf(store: ObjectStore, commit: string, directory: string) {
  const object = store.get(commit);
  if (object?.type !== "commit") throw packError(`commit ${commit} is missing`);
  const lacks = `The repository in ${directory} lacks files of commit ${commit}: it is a partial or damaged clone. Check the commit out, or clone it whole.`;
  try {
    const entries = listEntries(store, commitLinks(store.content(object)).tree, true);
    const isWhole = [...entries.values()].every(({ size, mode }) => size !== undefined || mode === "160000");
    if (isWhole) return entries;
  } catch (error) {
    if (!isMagisError(error, "GIT_PACK_CORRUPT")) throw error;
  }
  throw notFound(lacks);
}

const notFound = (message: string) => new MagisError("GIT_NOT_FOUND", message);

async function refusePush(): Promise<never> {
  throw new MagisError("GIT_PUSH_REFUSED", "Nothing is pushed to a local repository.");
}

/** A commit of a repository on this machine. */
export interface LocalCommit {
  commit: string;
  /** the working copy differs from the commit that is checked out, or git cannot tell; false for a bare repository */
  changed: boolean;
}

/**
 * Finds `revision` (HEAD when undefined) in the repository at `directory`. `own`: files that do not count as changes of
 * its working copy.
 * Throws GIT_NOT_FOUND, saying what to do, when it is missing or cannot be read.
 */
export async function findLocalCommit(
  directory: string,
  revision: string | undefined,
  { own = [], ...how }: Pick<GitCall, "environment" | "signal"> & { own?: readonly string[] },
): Promise<LocalCommit> {
  const found = await stat(directory).catch(() => undefined);
  if (!found?.isDirectory()) throw notFound(`There is no directory ${directory}.`);
  const git = (...args: string[]) => readGit({ ...how, directory, args });

  const format = await git("rev-parse", "--show-object-format");
  if (format.code !== 0) {
    const [why = ""] = format.message.replace(/^fatal: /, "").split("\n");
    const isNone = /^not a git repository/.test(why);
    throw notFound(
      isNone
        ? `There is no git repository in ${directory} or above it: give --repo the directory of a clone.`
        : `git cannot read a repository in ${directory}: ${why}.`,
    );
  }
  if (format.text !== "sha1") {
    throw notFound(`The repository in ${directory} names its objects by ${format.text}; only SHA-1 can be read.`);
  }
  const wanted = revision ?? "HEAD";
  const { code, text } = await git("rev-parse", "--verify", "--quiet", "--end-of-options", `${wanted}^{commit}`);
  if (code !== 0 && revision === undefined) throw notFound(`The repository in ${directory} has no commits yet.`);
  if (code !== 0) throw notFound(`There is no commit ${wanted} in ${directory}.`);
  return { commit: text, changed: await isChanged(git, own) };
}

/**
 * Runs git with our settings in place of the repository's: to compare files, git would run the filters that those name.
 */
async function isChanged(
  git: (...args: string[]) => ReturnType<typeof readGit>,
  own: readonly string[],
): Promise<boolean> {
  const places = await git("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--show-toplevel");
  const [gitdir, common, worktree] = places.text.split("\n");
  if (places.code !== 0 || !gitdir || !common || !worktree) return false;
  const left = (await Promise.all(own.map((file) => placeIn(worktree, file)))).filter((place) => place !== undefined);
  return withNeutralRepository({ gitdir, common }, async (neutral) => {
    const paths = [":(top)", ...left.map((place) => `:(exclude,top,literal)${place}`)];
    const args = ["status", "--porcelain", "--ignore-submodules=all", "--", ...paths];
    const { code, text } = await git("--git-dir", neutral, "--work-tree", worktree, ...args);
    return code !== 0 || text !== "";
  });
}

/** A file's path in a working copy, as git writes it; undefined when elsewhere. It need not exist. */
async function placeIn(worktree: string, file: string): Promise<string | undefined> {
  const given = path.resolve(file);
  const folder = await realpath(path.dirname(given)).catch(() => path.dirname(given));
  const place = path.relative(await realpath(worktree), path.join(folder, path.basename(given)));
  const isInside = place !== "" && place.split(path.sep)[0] !== ".." && !path.isAbsolute(place);
  return isInside ? place.split(path.sep).join("/") : undefined;
}
