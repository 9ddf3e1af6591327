import fs from "node:fs";
import path from "node:path";
import git from "isomorphic-git";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";

const { ok, warning, skipped } = findingsOf(".env file");

/** Whether git would commit the file that holds the secrets, or has it already. `file` is absolute. */
export async function checkEnvFile(file: string): Promise<Finding> {
  if (!fs.existsSync(file)) return ok("There is none; the variables come from the environment.");
  try {
    const root = await git.findRoot({ fs, filepath: path.dirname(file) }).catch(() => undefined);
    if (root === undefined) return ok("It is in no git repository.");
    const filepath = path.relative(root, file).split(path.sep).join("/");
    const tracked = await git.listFiles({ fs, dir: root });
    if (tracked.includes(filepath)) {
      return warning(
        "Git keeps it, and with it the secrets it holds.",
        `Run git rm --cached ${filepath}, add it to .gitignore, and replace its secrets if anybody else has the repository.`,
      );
    }
    if (await git.isIgnored({ fs, dir: root, filepath })) return ok("Git ignores it.");
    return warning("Git would commit it with the secrets it holds.", `Add ${filepath} to .gitignore.`);
  } catch {
    return skipped("Whether git ignores it could not be read.");
  }
}
