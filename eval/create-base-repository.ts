import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { runGit } from "./run-git.ts";

const DATE = "2026-01-01T00:00:00Z";

/** The same files have to give the same commit id everywhere. */
const IDENTITY = {
  GIT_AUTHOR_NAME: "Smoke",
  GIT_AUTHOR_EMAIL: "smoke@example.test",
  GIT_AUTHOR_DATE: DATE,
  GIT_COMMITTER_NAME: "Smoke",
  GIT_COMMITTER_EMAIL: "smoke@example.test",
  GIT_COMMITTER_DATE: DATE,
};

/**
 * Makes a bare repository at `mirror` whose only commit, on main, holds the files of `source`; gives its id.
 * Files that `source` itself ignores stay out: a test run there leaves some.
 */
export async function createBaseRepository(source: string, mirror: string): Promise<string> {
  await rm(mirror, { recursive: true, force: true });
  await mkdir(mirror, { recursive: true });
  await runGit(mirror, ["init", "--quiet", "--bare", "--template=", "--object-format=sha1", "--initial-branch=main"]);
  const git = (...args: string[]) =>
    runGit(source, ["--git-dir", mirror, "--work-tree", source, "-c", "core.autocrlf=false", ...args], IDENTITY);
  await git("add", "--all", ".");
  await git("commit", "--quiet", "--no-verify", "--no-gpg-sign", "--message", "The state that the issue is about");
  await rm(join(mirror, "index"));
  return (await git("rev-parse", "HEAD")).trim();
}
