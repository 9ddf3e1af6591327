import { attempt } from "./attempt.ts";
import type { GithubRepository } from "./github-repository.ts";
import { isHttpFailure } from "./is-http-failure.ts";

/** GitHub names no more files in a comparison, and does not say that it left some out. */
const MAX_FILES = 300;

type Paths = readonly string[] | undefined;

/**
 * The paths whose content or mode differs between two commits, sorted.
 * GitHub compares `head` with the common ancestor, which tells the truth only where `base` is that ancestor:
 * then one request is enough. After a forced push, or when there may be more than 300 files, both trees are read.
 */
export function changedPaths(repository: GithubRepository, base: string, head: string): Promise<Paths> {
  return attempt(`compare ${base} with ${head}`, async () => {
    const compared = await orUndefined(byComparison(repository, base, head));
    return compared ?? orUndefined(byTrees(repository, base, head));
  });
}

async function byComparison({ client, owner, repo }: GithubRepository, base: string, head: string): Promise<Paths> {
  // All files stand on the first page whatever its size, which counts commits.
  const query = { owner, repo, basehead: `${base}...${head}`, per_page: 1, page: 1 };
  const { status, files } = (await client.rest.repos.compareCommitsWithBasehead(query)).data;
  const straight = status === "ahead" || status === "identical";
  if (!straight || files === undefined || files.length >= MAX_FILES) return undefined;
  return sorted(files.flatMap((file) => [file.filename, ...oldName(file)]));
}

/** A copy names the file it was made from too, and that one has not changed. */
function oldName(file: { readonly status: string; readonly previous_filename?: string }): readonly string[] {
  return file.status === "renamed" && file.previous_filename !== undefined ? [file.previous_filename] : [];
}

async function byTrees(repository: GithubRepository, base: string, head: string): Promise<Paths> {
  const [before, after] = await Promise.all([readTree(repository, base), readTree(repository, head)]);
  if (before === undefined || after === undefined) return undefined;
  const paths = new Set([...before.keys(), ...after.keys()]);
  return sorted([...paths].filter((path) => before.get(path) !== after.get(path)));
}

/** Path to mode and object of everything but folders; undefined when the tree is too large for one answer. */
async function readTree(
  { client, owner, repo }: GithubRepository,
  commit: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const { data } = await client.rest.git.getTree({ owner, repo, tree_sha: commit, recursive: "1" });
  if (data.truncated) return undefined;
  const leaves = data.tree.filter(({ type }) => type !== "tree");
  return new Map(leaves.map(({ path, mode, sha }) => [path, `${mode} ${sha}`]));
}

/** 404: a commit that is gone, or two without a common ancestor. 422: too much for GitHub to compare. */
async function orUndefined(paths: Promise<Paths>): Promise<Paths> {
  try {
    return await paths;
  } catch (error) {
    if (isHttpFailure(error) && [404, 422].includes(error.status)) return undefined;
    throw error;
  }
}

function sorted(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort();
}
