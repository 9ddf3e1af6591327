import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { runGit } from "./git/run-program.ts";
import { renderPull } from "./pulls/render-pull.ts";
import type { Fields, RepositoryState, Review, ReviewComment, WorldState } from "./state.ts";

export interface IssueComment extends Fields {
  id: number;
  body: string;
  user: { login: string; type: string };
}

export interface IssueRow extends Fields {
  number: number;
  title: string;
  body: string | null;
  state: string;
  locked: boolean;
  labels: { name: string }[];
}

export interface PullRow extends Fields {
  number: number;
  title: string;
  body: string | null;
  state: string;
  draft: boolean;
  merged: boolean;
  labels: { name: string }[];
  user: { login: string };
  head: { ref: string; sha: string };
  base: { ref: string; sha: string };
}

export interface ThreadView {
  id: string;
  path: string;
  line: number | null;
  resolved: boolean;
  outdated: boolean;
  comments: ReviewComment[];
}

/** Reads the world from outside, without a trace in the journal. */
export interface Reader {
  issue(number: number, repository?: string): Promise<IssueRow>;
  issueComments(number: number, repository?: string): Promise<IssueComment[]>;
  /** Open and closed ones, oldest first. */
  pullRequests(repository?: string): Promise<PullRow[]>;
  threads(pull: number, repository?: string): ThreadView[];
  reviews(pull: number, repository?: string): Review[];
  reactions(subject: string, repository?: string): { content: string; login: string }[];
  isMinimized(nodeId: string): boolean;
  /** Runs git in the first repository. */
  git(...args: string[]): Promise<string>;
  gitIn(repository: string, ...args: string[]): Promise<string>;
  diff(pull: number, repository?: string): Promise<string>;
  /** A folder with the files of `ref`, removed when the world is closed. */
  checkout(ref: string, repository?: string): Promise<string>;
}

/** Creates the reader; `repositoryOf` without a name gives the first repository. */
export function createReader(state: WorldState, repositoryOf: (name?: string) => RepositoryState): Reader {
  const read = async <T>(repo: RepositoryState, path: string) =>
    (await state.emulate.ask("GET", `/repos/${repo.owner}/${repo.name}${path}`)).body as T;
  const diff = (number: number, repo: RepositoryState) => {
    const pull = repo.pulls.get(number);
    if (pull === undefined) throw new Error(`no pull request ${number} in the world`);
    return repo.bare.git("diff", `${pull.baseSha}...${pull.headSha}`);
  };
  return {
    issue: (number, name) => read<IssueRow>(repositoryOf(name), `/issues/${number}`),
    issueComments: async (number, name) => {
      const all: IssueComment[] = [];
      for (let page = 1; ; page++) {
        const path = `/issues/${number}/comments?per_page=100&page=${page}`;
        const rows = await read<IssueComment[]>(repositoryOf(name), path);
        all.push(...rows);
        if (rows.length < 100) return all;
      }
    },
    pullRequests: (name) => {
      const repo = repositoryOf(name);
      return Promise.all([...repo.pulls.keys()].map((number) => renderPull(state, repo, number) as Promise<PullRow>));
    },
    threads: (pull, name) =>
      repositoryOf(name)
        .threads.filter((thread) => thread.pull === pull)
        .map(({ id, resolvedBy, outdated, comments }) => ({
          id,
          path: comments[0]?.path ?? "",
          line: comments[0]?.line ?? null,
          resolved: resolvedBy !== undefined,
          outdated,
          comments: [...comments],
        })),
    reviews: (pull, name) =>
      repositoryOf(name)
        .reviews.filter((one) => one.pull === pull)
        .map(({ row }) => row),
    reactions: (subject, name) =>
      repositoryOf(name)
        .reactions.filter((one) => one.subject === subject)
        .map(({ row }) => ({ content: row.content, login: row.user.login })),
    isMinimized: (nodeId) => [...state.repositories.values()].some((repo) => repo.minimized.has(nodeId)),
    git: (...args) => repositoryOf().bare.git(...args),
    gitIn: (name, ...args) => repositoryOf(name).bare.git(...args),
    diff: (pull, name) => diff(pull, repositoryOf(name)),
    checkout: async (ref, name) => {
      const parent = join(state.folder, "checkouts");
      await mkdir(parent, { recursive: true });
      const folder = await mkdtemp(join(parent, "files-"));
      await runGit(["clone", "--quiet", "--no-checkout", repositoryOf(name).bare.path, folder]);
      const sha = await repositoryOf(name).bare.git("rev-parse", ref);
      await runGit(["checkout", "--quiet", "--detach", sha], { cwd: folder });
      return folder;
    },
  };
}
