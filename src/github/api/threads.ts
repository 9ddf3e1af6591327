import { MagisError } from "../../model/error.ts";
import type { ReviewThread } from "../../ports/pull-requests.ts";
import { attempt } from "./errors.ts";
import type { GithubRepository } from "./repository.ts";

const COMMENTS =
  "pageInfo { hasNextPage endCursor } nodes { databaseId body createdAt diffHunk author { __typename login } }";

const THREADS = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewThreads(first: 50, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id isResolved isOutdated path line diffSide subjectType comments(first: 50) { ${COMMENTS} } }
      }
    }
  }
}`;

const MORE_COMMENTS = `query ($thread: ID!, $after: String) {
  node(id: $thread) { ... on PullRequestReviewThread { comments(first: 100, after: $after) { ${COMMENTS} } } }
}`;

interface Page<T> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly (T | null)[];
}

interface Comment {
  readonly databaseId: number | null;
  readonly body: string;
  readonly createdAt: string;
  readonly diffHunk: string;
  readonly author: { readonly __typename: string; readonly login: string } | null;
}

interface Thread {
  readonly id: string;
  readonly isResolved: boolean;
  readonly isOutdated: boolean;
  readonly path: string;
  readonly line: number | null;
  readonly diffSide: "LEFT" | "RIGHT";
  readonly subjectType: "LINE" | "FILE";
  readonly comments: Page<Comment>;
}

interface ThreadsAnswer {
  readonly repository: { readonly pullRequest: { readonly reviewThreads: Page<Thread> } | null } | null;
}

/** All review threads of a pull request, with all their comments, oldest first. */
export function listThreads(repository: GithubRepository, pullRequest: number): Promise<readonly ReviewThread[]> {
  const { client, owner, repo } = repository;
  const readThreads = async (after: string | null): Promise<Page<Thread>> => {
    const variables = { owner, repo, number: pullRequest, after };
    const answer = await client.graphql<ThreadsAnswer>(THREADS, variables);
    const threads = answer.repository?.pullRequest?.reviewThreads;
    if (!threads) throw new MagisError("HOST_NOT_FOUND", `GitHub has no pull request #${pullRequest} there.`);
    return threads;
  };
  const readComments = async (thread: string, after: string | null): Promise<Page<Comment>> =>
    (await client.graphql<{ node: { comments: Page<Comment> } }>(MORE_COMMENTS, { thread, after })).node.comments;

  return attempt(`list the review threads of #${pullRequest}`, async () => {
    const threads: ReviewThread[] = [];
    for (const thread of await readAll(await readThreads(null), readThreads)) {
      const comments = await readAll(thread.comments, (after) => readComments(thread.id, after));
      threads.push(toReviewThread(thread, comments));
    }
    return threads;
  });
}

async function readAll<T>(first: Page<T>, next: (after: string | null) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  for (let page = first; ; page = await next(page.pageInfo.endCursor)) {
    all.push(...page.nodes.filter((node) => node !== null));
    if (!page.pageInfo.hasNextPage || page.pageInfo.endCursor === null) return all;
  }
}

function toReviewThread(thread: Thread, comments: readonly Comment[]): ReviewThread {
  const onLine = thread.subjectType === "LINE";
  const shown = onLine && thread.diffSide === "RIGHT" && !thread.isOutdated;
  return {
    id: thread.id,
    resolved: thread.isResolved,
    outdated: thread.isOutdated,
    path: thread.path,
    ...(shown && thread.line !== null ? { line: thread.line } : {}),
    diffHunk: onLine ? (comments[0]?.diffHunk ?? "") : "",
    comments: comments.map((comment) => ({
      id: comment.databaseId ?? 0,
      author: loginOf(comment.author),
      byBot: comment.author?.__typename === "Bot",
      body: comment.body,
      createdAt: comment.createdAt,
    })),
  };
}

/** GraphQL leaves out the `[bot]` that REST appends to an app's login. */
function loginOf(author: Comment["author"]): string {
  if (author === null) return "ghost";
  return author.__typename === "Bot" && !author.login.endsWith("[bot]") ? `${author.login}[bot]` : author.login;
}
