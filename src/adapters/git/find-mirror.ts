import { stat } from "node:fs/promises";
import path from "node:path";
import { type GitEnvironment, runGit } from "./run-git.ts";

/**
 * The mirror of `owner/name` in `folder`: the first of `owner__name.git`, `owner__name`, `owner+name`, `owner+name/repo`,
 * `owner/name.git` and `owner/name` that is a git repository of its own. Undefined when there is none.
 */
export async function findMirror(
  folder: string,
  repository: string,
  environment: GitEnvironment,
): Promise<string | undefined> {
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
