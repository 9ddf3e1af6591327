import { stat } from "node:fs/promises";
import { MagisError } from "../../model/magis-error.ts";
import { type GitCall, startGit } from "./start-git.ts";

/** A commit of a repository on this machine. */
export interface LocalCommit {
  readonly commit: string;
  /** the working copy differs from the commit that is checked out; false for a bare repository */
  readonly changed: boolean;
}

/**
 * Finds `revision` (HEAD when undefined) in the repository at `directory`.
 * Throws GIT_NOT_FOUND, with a sentence that says what to do, when it is not there or cannot be read.
 */
export async function findLocalCommit(
  directory: string,
  revision: string | undefined,
  how: Pick<GitCall, "environment" | "signal">,
): Promise<LocalCommit> {
  const found = await stat(directory).catch(() => undefined);
  if (!found?.isDirectory()) throw notFound(`There is no directory ${directory}.`);
  const git = (...args: string[]) => ask({ ...how, directory, args });

  const format = await git("rev-parse", "--show-object-format");
  if (format.code !== 0) {
    const [why = ""] = format.words.replace(/^fatal: /, "").split("\n");
    throw notFound(`git cannot read a repository in ${directory}: ${why}.`);
  }
  if (format.text !== "sha1") {
    throw notFound(`The repository in ${directory} names its objects by ${format.text}; only SHA-1 can be read.`);
  }
  const wanted = revision ?? "HEAD";
  const { code, text } = await git("rev-parse", "--verify", "--quiet", "--end-of-options", `${wanted}^{commit}`);
  if (code !== 0 && revision === undefined) throw notFound(`The repository in ${directory} has no commits yet.`);
  if (code !== 0) throw notFound(`There is no commit ${wanted} in ${directory}.`);
  const status = await git("status", "--porcelain");
  return { commit: text, changed: status.code === 0 && status.text !== "" };
}

async function ask(call: GitCall): Promise<{ readonly code: number; readonly text: string; readonly words: string }> {
  const pieces: Buffer[] = [];
  const { code, words } = await startGit(call, (bytes) => void pieces.push(bytes));
  return { code, words, text: Buffer.concat(pieces).toString("utf8").trim() };
}

const notFound = (message: string) => new MagisError("GIT_NOT_FOUND", message);
