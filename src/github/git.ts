import { botAuthor } from "../data/bot-author.ts";
import { isMagisError, MagisError } from "../data/error.ts";
import type { CodeHost, HostCommit } from "./code-host.ts";
import { attempt, isHttpFailure } from "./errors.ts";
import type { OwnWrite } from "./posted-fields.ts";
import type { GithubRepository } from "./repository.ts";

export function branchTip({ client, owner, repo }: GithubRepository, branch: string): Promise<string | undefined> {
  return attempt(`read branch ${branch}`, async () => {
    try {
      return (await client.rest.git.getRef({ owner, repo, ref: `heads/${branch}` })).data.object.sha;
    } catch (error) {
      // GitHub answers 409 for a repository without commits.
      if (isHttpFailure(error) && [404, 409].includes(error.status)) return undefined;
      throw error;
    }
  });
}

export async function defaultBranch(github: GithubRepository): Promise<{ name: string; commit: string }> {
  const { client, owner, repo } = github;
  const { data } = await attempt("read the repository", () => client.rest.repos.get({ owner, repo }));
  const name = data.default_branch;
  const commit = await branchTip(github, name);
  if (commit !== undefined) return { name, commit };
  throw new MagisError("HOST_NOT_FOUND", `The repository has no commits on its default branch ${name} yet.`);
}

export async function createBranch(github: GithubRepository, branch: string, commit: string): Promise<void> {
  const { client, owner, repo } = github;
  try {
    await attempt(`create branch ${branch}`, () =>
      client.rest.git.createRef({ owner, repo, ref: `refs/heads/${branch}`, sha: commit }),
    );
  } catch (error) {
    if (!isMagisError(error, "HOST_REFUSED") || (await branchTip(github, branch)) !== commit) throw error;
  }
}

export function advanceBranch(
  { client, owner, repo }: GithubRepository,
  branch: string,
  commit: string,
): Promise<void> {
  return attempt(`advance branch ${branch}`, async () => {
    await client.rest.git.updateRef({ owner, repo, ref: `heads/${branch}`, sha: commit, force: false });
  });
}

export function deleteRef({ client, owner, repo }: GithubRepository, ref: string): Promise<void> {
  return attempt(`delete ${ref}`, async () => {
    try {
      await client.rest.git.deleteRef({ owner, repo, ref });
    } catch (error) {
      const status = isHttpFailure(error) ? error.status : 0;
      const absent = status === 404 || (status === 422 && /does not exist/i.test(String(error)));
      if (!absent) throw error;
    }
  });
}

export function readCommit({ client, owner, repo }: GithubRepository, commit: string): Promise<HostCommit> {
  return attempt(`read commit ${commit}`, async () =>
    toHostCommit((await client.rest.git.getCommit({ owner, repo, commit_sha: commit })).data),
  );
}

export function readBlob({ client, owner, repo }: GithubRepository, blob: string): Promise<Uint8Array | undefined> {
  return attempt(`read blob ${blob}`, async () => {
    try {
      const { data } = await client.rest.git.getBlob({ owner, repo, file_sha: blob });
      return new Uint8Array(Buffer.from(data.content, data.encoding === "base64" ? "base64" : "utf8"));
    } catch (error) {
      if (isHttpFailure(error) && error.status === 404) return undefined;
      throw error;
    }
  });
}

export function createBlob({ client, owner, repo }: GithubRepository, content: Uint8Array): Promise<string> {
  return attempt("create a blob", async () => {
    const base64 = Buffer.from(content).toString("base64");
    return (await client.rest.git.createBlob({ owner, repo, content: base64, encoding: "base64" })).data.sha;
  });
}

export function createTree(
  { client, owner, repo }: GithubRepository,
  base: string,
  entries: Parameters<CodeHost["createTree"]>[1],
): Promise<string> {
  return attempt("create a tree", async () => {
    const tree = entries.map(({ path, mode, blob }) => ({
      path,
      mode: mode as "100644" | "100755" | "040000" | "160000" | "120000",
      type: mode === "160000" ? ("commit" as const) : ("blob" as const),
      sha: blob,
    }));
    return (await client.rest.git.createTree({ owner, repo, base_tree: base, tree })).data.sha;
  });
}

export function createCommit(
  github: GithubRepository,
  message: string,
  tree: string,
  parents: readonly string[],
  closes?: number,
): Promise<HostCommit> {
  const { client, owner, repo } = github;
  return attempt("create a commit", async () => {
    const own: OwnWrite = { signer: botAuthor(github), closes };
    const commit = { message, tree, parents: [...parents] };
    return toHostCommit((await client.rest.git.createCommit({ owner, repo, ...commit, request: { own } })).data);
  });
}

function toHostCommit(commit: {
  sha: string;
  tree: { sha: string };
  parents: readonly { sha: string }[];
  author: { name: string };
  verification?: { verified: boolean };
}): HostCommit {
  return {
    id: commit.sha,
    tree: commit.tree.sha,
    parents: commit.parents.map((parent) => parent.sha),
    author: commit.author.name,
    verified: commit.verification?.verified ?? false,
  };
}

/** GitHub lists no more files in a comparison, and does not say when it leaves some out. */
const MAX_FILES = 300;

type Paths = readonly string[] | undefined;

/**
 * The paths whose content or mode differs between two commits, sorted. GitHub compares `head` with the common ancestor,
 * so its answer is right, and one request enough, only if `base` is that ancestor. After a forced push, or when there
 * may be more than 300 files, we read both trees.
 */
export function changedPaths(repository: GithubRepository, base: string, head: string): Promise<Paths> {
  return attempt(`compare ${base} with ${head}`, async () => {
    const compared = await orUndefined(byComparison(repository, base, head));
    return compared ?? orUndefined(byTrees(repository, base, head));
  });
}

/** Whether `commit` is in the history of `head`; false when GitHub no longer has it. */
export function isAncestor({ client, owner, repo }: GithubRepository, commit: string, head: string): Promise<boolean> {
  return attempt(`compare ${commit} with ${head}`, async () => {
    const query = { owner, repo, basehead: `${commit}...${head}`, per_page: 1, page: 1 };
    const compared = await orUndefined(client.rest.repos.compareCommitsWithBasehead(query));
    return compared?.data.status === "ahead" || compared?.data.status === "identical";
  });
}

export function mergeBase(
  { client, owner, repo }: GithubRepository,
  one: string,
  other: string,
): Promise<string | undefined> {
  return attempt(`find what ${one} and ${other} have in common`, async () => {
    const query = { owner, repo, basehead: `${one}...${other}`, per_page: 1, page: 1 };
    const compared = await orUndefined(client.rest.repos.compareCommitsWithBasehead(query));
    return compared?.data.merge_base_commit.sha;
  });
}

/** GitHub lists no more commits on a page of a comparison. */
const MAX_COMMITS = 250;

/** One request. A merge brings lines that nobody wrote on the branch, and GitHub counts them with the rest. */
export function linesSince(
  { client, owner, repo }: GithubRepository,
  commit: string,
  head: string,
): ReturnType<CodeHost["linesSince"]> {
  return attempt(`compare ${commit} with ${head}`, async () => {
    const query = { owner, repo, basehead: `${commit}...${head}`, per_page: MAX_COMMITS };
    const compared = await orUndefined(client.rest.repos.compareCommitsWithBasehead(query));
    if (compared === undefined) return { unknown: "GitHub no longer has the commits" };
    const { status, files = [], commits, ahead_by: ahead } = compared.data;
    if (status !== "ahead" && status !== "identical") return { unknown: "the branch's history was rewritten" };
    if (files.length >= MAX_FILES || ahead > commits.length)
      return { unknown: "too much was changed for GitHub to list" };
    if (commits.some(({ parents }) => parents.length > 1)) return { unknown: "another branch was merged into it" };
    return files.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
  });
}

async function byComparison({ client, owner, repo }: GithubRepository, base: string, head: string): Promise<Paths> {
  // The first page always has all files; its size counts only commits.
  const query = { owner, repo, basehead: `${base}...${head}`, per_page: 1, page: 1 };
  const { status, files } = (await client.rest.repos.compareCommitsWithBasehead(query)).data;
  const straight = status === "ahead" || status === "identical";
  if (!straight || files === undefined || files.length >= MAX_FILES) return undefined;
  return sorted(files.flatMap((file) => [file.filename, ...oldName(file)]));
}

/** The old path of a renamed file. A copy names its original, too, but that has not changed. */
function oldName(file: { status: string; previous_filename?: string }): readonly string[] {
  return file.status === "renamed" && file.previous_filename !== undefined ? [file.previous_filename] : [];
}

async function byTrees(repository: GithubRepository, base: string, head: string): Promise<Paths> {
  const [before, after] = await Promise.all([readTree(repository, base), readTree(repository, head)]);
  if (before === undefined || after === undefined) return undefined;
  const paths = new Set([...before.keys(), ...after.keys()]);
  return sorted([...paths].filter((path) => before.get(path) !== after.get(path)));
}

/** Mode and object by path, without folders; undefined when the tree is too large for one answer. */
async function readTree(
  { client, owner, repo }: GithubRepository,
  commit: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const { data } = await client.rest.git.getTree({ owner, repo, tree_sha: commit, recursive: "1" });
  if (data.truncated) return undefined;
  const leaves = data.tree.filter(({ type }) => type !== "tree");
  return new Map(leaves.map(({ path, mode, sha }) => [path, `${mode} ${sha}`]));
}

/** Undefined for 404 (a commit is gone, or there is no common ancestor) and 422 (too much for GitHub to compare). */
async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isHttpFailure(error) && [404, 422].includes(error.status)) return undefined;
    throw error;
  }
}

function sorted(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort();
}
