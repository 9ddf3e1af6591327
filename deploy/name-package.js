import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Gives the package the name under which the repository `OWNER/REPO` may publish it. Only the release does that, in a checkout
 * of its own: what is committed is private.
 */
const [repository = "", server = "https://github.com"] = process.argv.slice(2);
if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Error("name the repository that releases: OWNER/REPO");

const file = join(import.meta.dirname, "..", "package.json");
const { private: _, ...manifest } = JSON.parse(readFileSync(file, "utf8"));
const page = `${server}/${repository}`;
const named = {
  ...manifest,
  name: `@${repository.toLowerCase()}`,
  homepage: `${page}#readme`,
  bugs: `${page}/issues`,
  repository: { type: "git", url: `git+${page}.git` },
  publishConfig: { access: "public", provenance: true },
};
writeFileSync(file, `${JSON.stringify(named, undefined, 2)}\n`);
