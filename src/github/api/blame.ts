import { setTimeout as wait } from "node:timers/promises";
import { isMagisError } from "../../model/error.ts";
import type { BlamedFile, BlameReads } from "../../ports/blame.ts";
import type { GithubRepository } from "./client.ts";
import { attempt } from "./errors.ts";

/** GitHub itself gives up after so many milliseconds. */
const PATIENCE = 10_000;

const RANGES = `ranges {
  startingLine endingLine
  commit {
    oid messageHeadline committedDate changedFilesIfAvailable
    parents(first: 1) { totalCount }
    author { name user { login } }
  }
}`;

interface Range {
  readonly startingLine: number;
  readonly endingLine: number;
  readonly commit: {
    readonly oid: string;
    readonly messageHeadline: string;
    readonly committedDate: string;
    readonly changedFilesIfAvailable: number | null;
    readonly parents: { readonly totalCount: number };
    readonly author: { readonly name: string | null; readonly user: { readonly login: string } | null } | null;
  };
}

interface Answer {
  readonly repository: {
    readonly object: Readonly<Record<string, { readonly ranges: readonly Range[] } | undefined>> | null;
  } | null;
}

/** Where lines of a repository on GitHub come from: one query for all files. Undefined after ten seconds. */
export function createBlameApi({ client, owner, repo }: GithubRepository): BlameReads {
  return {
    async blame(commit, paths) {
      const names = paths.map((_, at) => `$path${at}: String!`).join(", ");
      const blames = paths.map((_, at) => `file${at}: blame(path: $path${at}) { ${RANGES} }`).join("\n");
      const query = `query ($owner: String!, $repo: String!, $commit: GitObjectID!, ${names}) {
        repository(owner: $owner, name: $repo) { object(oid: $commit) { ... on Commit { ${blames} } } }
      }`;
      const values = Object.fromEntries(paths.map((path, at) => [`path${at}`, path]));
      const answer = await inTime("say where lines come from", () =>
        client.graphql<Answer>(query, { owner, repo, commit, ...values }),
      );
      const found = answer?.repository?.object;
      return found ? paths.map((path, at) => fileOf(path, found[`file${at}`]?.ranges ?? [])) : undefined;
    },
    async diffOf(commit) {
      const answer = await inTime(`read the diff of commit ${commit}`, () =>
        client.rest.repos.getCommit({ owner, repo, ref: commit }),
      );
      const files = answer?.data.files ?? [];
      const diff = files.map(({ filename, patch = "" }) => `diff --git a/${filename} b/${filename}\n${patch}\n`);
      return answer ? diff.join("") : undefined;
    },
  };
}

/** Undefined where GitHub is away or takes longer: what comes later is not waited for. */
async function inTime<T>(action: string, work: () => Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  const asked = attempt(action, work).catch((error: unknown) => {
    if (isMagisError(error, "HOST_UNREACHABLE")) return undefined;
    throw error;
  });
  try {
    return await Promise.race([asked, wait(PATIENCE, undefined, { signal: timer.signal, ref: false })]);
  } finally {
    timer.abort();
  }
}

const fileOf = (path: string, ranges: readonly Range[]): BlamedFile => ({
  path,
  ranges: ranges.map(({ startingLine: start, endingLine: end, commit }) => ({
    start,
    end,
    commit: {
      id: commit.oid,
      title: commit.messageHeadline,
      date: commit.committedDate,
      author: commit.author?.user?.login ?? commit.author?.name ?? "",
      files: commit.changedFilesIfAvailable ?? undefined,
      first: commit.parents.totalCount === 0,
    },
  })),
});
