import type { Octokit } from "@octokit/rest";
import { botAuthor } from "../../model/bot-author.ts";
import { isMagisError, MagisError } from "../../model/error.ts";
import type { CommitApi, HostCommit } from "../../ports/code-host.ts";
import { type FoundText, readUtf8 } from "../../text/found-text.ts";
import { attempt, isHttpFailure, isRateLimited } from "./errors.ts";
import type { OwnWrite } from "./posted-fields.ts";
import type { GithubRepository } from "./repository.ts";

/** Branches and git objects of one repository on GitHub. */
export function createCommitApi(repository: GithubRepository): CommitApi {
  const { client, owner, repo } = repository;
  const { git, repos } = client.rest;

  const branchTip = (branch: string): Promise<string | undefined> =>
    attempt(`read branch ${branch}`, async () => {
      try {
        return (await git.getRef({ owner, repo, ref: `heads/${branch}` })).data.object.sha;
      } catch (error) {
        // GitHub answers 409 for a repository without commits.
        if (isHttpFailure(error) && [404, 409].includes(error.status)) return undefined;
        throw error;
      }
    });

  return {
    ...createObjectApi(repository),
    branchTip,
    changedPaths: (base, head) => changedPaths(repository, base, head),
    isAncestor: (commit, head) => isAncestor(repository, commit, head),
    mergeBase: (one, other) => mergeBase(repository, one, other),
    linesSince: (commit, head) => linesSince(repository, commit, head),
    readFile: (name, path) => readFile(repository, name, path),
    listFolder: (name, path) => listFolder(repository, name, path),

    defaultBranch: async () => {
      const { data } = await attempt("read the repository", () => repos.get({ owner, repo }));
      const name = data.default_branch;
      const commit = await branchTip(name);
      if (commit !== undefined) return { name, commit };
      throw new MagisError("HOST_NOT_FOUND", `The repository has no commits on its default branch ${name} yet.`);
    },

    createBranch: async (branch, commit) => {
      try {
        await attempt(`create branch ${branch}`, () =>
          git.createRef({ owner, repo, ref: `refs/heads/${branch}`, sha: commit }),
        );
      } catch (error) {
        if (!isMagisError(error, "HOST_REFUSED") || (await branchTip(branch)) !== commit) throw error;
      }
    },

    advanceBranch: (branch, commit) =>
      attempt(`advance branch ${branch}`, async () => {
        await git.updateRef({ owner, repo, ref: `heads/${branch}`, sha: commit, force: false });
      }),

    deleteRef: (ref) =>
      attempt(`delete ${ref}`, async () => {
        try {
          await git.deleteRef({ owner, repo, ref });
        } catch (error) {
          const status = isHttpFailure(error) ? error.status : 0;
          const absent = status === 404 || (status === 422 && /does not exist/i.test(String(error)));
          if (!absent) throw error;
        }
      }),
  };
}

type ObjectApi = Pick<CommitApi, "readCommit" | "readBlob" | "createBlob" | "createTree" | "createCommit">;

type TreeEntry = { path: string; mode: "100644" | "100755" | "040000" | "160000" | "120000" };

/** Reads and makes git objects of one repository through GitHub. */
function createObjectApi(repository: GithubRepository): ObjectApi {
  const { client, owner, repo } = repository;
  const { git } = client.rest;

  return {
    readCommit: (commit) =>
      attempt(`read commit ${commit}`, async () =>
        toHostCommit((await git.getCommit({ owner, repo, commit_sha: commit })).data),
      ),

    readBlob: (blob) =>
      attempt(`read blob ${blob}`, async () => {
        try {
          const { data } = await git.getBlob({ owner, repo, file_sha: blob });
          return new Uint8Array(Buffer.from(data.content, data.encoding === "base64" ? "base64" : "utf8"));
        } catch (error) {
          if (isHttpFailure(error) && error.status === 404) return undefined;
          throw error;
        }
      }),

    createBlob: (content) =>
      attempt("create a blob", async () => {
        const base64 = Buffer.from(content).toString("base64");
        return (await git.createBlob({ owner, repo, content: base64, encoding: "base64" })).data.sha;
      }),

    createTree: (base, entries) =>
      attempt("create a tree", async () => {
        const tree = entries.map(({ path, mode, blob }) => ({
          path,
          mode: mode as TreeEntry["mode"],
          type: mode === "160000" ? ("commit" as const) : ("blob" as const),
          sha: blob,
        }));
        return (await git.createTree({ owner, repo, base_tree: base, tree })).data.sha;
      }),

    createCommit: (message, tree, parents, closes) =>
      attempt("create a commit", async () => {
        const own: OwnWrite = { signer: botAuthor(repository), closes };
        const commit = { message, tree, parents: [...parents] };
        return toHostCommit((await git.createCommit({ owner, repo, ...commit, request: { own } })).data);
      }),
  };
}

function toHostCommit(commit: {
  readonly sha: string;
  readonly tree: { readonly sha: string };
  readonly parents: readonly { readonly sha: string }[];
  readonly author: { readonly name: string };
  readonly verification?: { readonly verified: boolean };
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
function changedPaths(repository: GithubRepository, base: string, head: string): Promise<Paths> {
  return attempt(`compare ${base} with ${head}`, async () => {
    const compared = await orUndefined(byComparison(repository, base, head));
    return compared ?? orUndefined(byTrees(repository, base, head));
  });
}

/** Whether `commit` is in the history of `head`; false when GitHub no longer has it. */
function isAncestor({ client, owner, repo }: GithubRepository, commit: string, head: string): Promise<boolean> {
  return attempt(`compare ${commit} with ${head}`, async () => {
    const query = { owner, repo, basehead: `${commit}...${head}`, per_page: 1, page: 1 };
    const compared = await orUndefined(client.rest.repos.compareCommitsWithBasehead(query));
    return compared?.data.status === "ahead" || compared?.data.status === "identical";
  });
}

function mergeBase({ client, owner, repo }: GithubRepository, one: string, other: string): Promise<string | undefined> {
  return attempt(`find what ${one} and ${other} have in common`, async () => {
    const query = { owner, repo, basehead: `${one}...${other}`, per_page: 1, page: 1 };
    const compared = await orUndefined(client.rest.repos.compareCommitsWithBasehead(query));
    return compared?.data.merge_base_commit.sha;
  });
}

/** GitHub lists no more commits on a page of a comparison. */
const MAX_COMMITS = 250;

/** One request. A merge brings lines that nobody wrote on the branch, and GitHub counts them with the rest. */
function linesSince(
  { client, owner, repo }: GithubRepository,
  commit: string,
  head: string,
): ReturnType<CommitApi["linesSince"]> {
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
function oldName(file: { readonly status: string; readonly previous_filename?: string }): readonly string[] {
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

/**
 * A text file of `owner/<name>` on its default branch; undefined when it is missing or out of reach. A run's token
 * reaches only its own repository and public ones. For another private repository we ask for a token of its own, which
 * GitHub gives if the app is installed there, too. GitHub follows a link to a file of the same repository, and only a
 * listing of the folder tells: a link is not read, since the rules that hold for its path do not hold for what it names.
 */
async function readFile(repository: GithubRepository, name: string, path: string): Promise<FoundText | undefined> {
  const data = await contentsOf(repository, name, path);
  if (data === undefined) return undefined;
  if (Array.isArray(data)) return { unreadable: "is a folder" };
  if (data.type !== "file") return { unreadable: "is a link or a submodule" };
  // Above 1 MB the encoding is "none", and the content is empty.
  if (data.encoding !== "base64") return { unreadable: "is larger than 1 MB" };
  const folder = await contentsOf(repository, name, path.slice(0, Math.max(0, path.lastIndexOf("/"))));
  const listed = Array.isArray(folder) ? folder.find((entry) => entry.name === data.name) : undefined;
  if (listed?.type === "symlink") return { unreadable: "is a link" };
  return readUtf8(Buffer.from(data.content, "base64"));
}

/** The names in a folder, reached like a file; none when there is no such folder. */
async function listFolder(repository: GithubRepository, name: string, path: string): Promise<readonly string[]> {
  const data = await contentsOf(repository, name, path);
  return Array.isArray(data) ? data.map((entry) => entry.name) : [];
}

function contentsOf(repository: GithubRepository, name: string, path: string): Promise<Contents | undefined> {
  const { client, readerFor, owner, repo } = repository;
  return attempt(`read ${path || "the root"} of ${owner}/${name}`, async () => {
    const place = { owner, repo: name, path };
    // In its own repository, only a file that is not there may count as none.
    if (name.toLowerCase() === repo.toLowerCase()) return contents(client, place, isMissing);
    return (await contents(client, place, isOutOfReach)) ?? contents(readerFor(name), place, isOutOfReach);
  });
}

type Contents = Awaited<ReturnType<Octokit["rest"]["repos"]["getContent"]>>["data"];

async function contents(
  client: Octokit,
  place: { readonly owner: string; readonly repo: string; readonly path: string },
  isNone: (error: unknown) => boolean,
): Promise<Contents | undefined> {
  try {
    return (await client.rest.repos.getContent(place)).data;
  } catch (error) {
    if (isNone(error)) return undefined;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => isHttpFailure(error) && error.status === 404;

/** GitHub answers the request for a token with 422 when the app is not installed on that repository. */
function isOutOfReach(error: unknown): boolean {
  return isHttpFailure(error) && [403, 404, 422].includes(error.status) && !isRateLimited(error);
}
