import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { MagisError } from "../../model/magis-error.ts";
import { type GitEnvironment, runGit } from "./run-git.ts";

/**
 * `git apply --check` of a patch on a commit, without a checkout: in the index of a temporary repository that borrows the
 * mirror's objects. Gives what git says when the patch does not apply, undefined when it does.
 * Throws MagisError GIT_NOT_FOUND when the commit cannot be read.
 */
export async function checkPatch(
  mirror: string,
  { commit, patch }: { readonly commit: string; readonly patch: string },
  environment: GitEnvironment,
): Promise<string | undefined> {
  const scratch = await mkdtemp(path.join(tmpdir(), "magis-apply-"));
  try {
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
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
