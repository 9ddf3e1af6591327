import { rm } from "node:fs/promises";
import { join } from "node:path";
import { runGit } from "./run-git.ts";

/**
 * Applies the test patch in the file `patch` to the checkout `target`, over whatever a model did to the same files:
 * they are first set back to the base commit, and deleted where that has none.
 */
export async function applyTestPatch(target: string, patch: string): Promise<void> {
  const lines = await runGit(target, ["apply", "--numstat", "-z", patch]);
  const paths = lines.split("\0").flatMap((line) => line.split("\t")[2] ?? []);
  if (paths.length === 0) return;
  for (const path of paths) await rm(join(target, path), { recursive: true, force: true });
  const known = await runGit(target, ["ls-tree", "-r", "-z", "--name-only", "HEAD", "--", ...paths]);
  const before = known.split("\0").filter((path) => path !== "");
  if (before.length > 0) await runGit(target, ["checkout", "--quiet", "HEAD", "--", ...before]);
  await runGit(target, ["apply", "--whitespace=nowarn", patch]);
}
