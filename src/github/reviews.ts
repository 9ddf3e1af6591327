import { isHostRefusal, MagisError } from "../data/error.ts";
import type { HostReview, LineComment, ReviewThread, ThreadComment } from "./code-host.ts";
import { attempt } from "./errors.ts";
import { FULL, type GithubRepository, htmlOf, isOwn } from "./repository.ts";

const RESOLVE = `mutation ($thread: ID!) {
  resolveReviewThread(input: { threadId: $thread }) { thread { id isResolved } }
}`;

export function findOwnReview(
  github: GithubRepository,
  pullRequest: number,
  marker: string,
): Promise<{ id: number } | undefined> {
  const { client, owner, repo } = github;
  return attempt(`look for the app's review of #${pullRequest}`, async () => {
    const query = { owner, repo, pull_number: pullRequest, per_page: 100 };
    for await (const { data } of client.paginate.iterator(client.rest.pulls.listReviews, query)) {
      const found = data.find((review) => review.body?.includes(marker) && isOwn(github, review));
      if (found) return { id: found.id };
    }
    return undefined;
  });
}

export function createReview(
  { client, owner, repo }: GithubRepository,
  pullRequest: number,
  head: string,
  body: string,
  comments: readonly LineComment[],
): Promise<void> {
  return attempt(`review pull request #${pullRequest}`, async () => {
    await client.rest.pulls.createReview({
      owner,
      repo,
      pull_number: pullRequest,
      commit_id: head,
      event: "COMMENT",
      body,
      comments: comments.map(({ path, line, side, body }) => ({ path, line, side, body })),
    });
  });
}

export function createFileComment(
  { client, owner, repo }: GithubRepository,
  pullRequest: number,
  head: string,
  path: string,
  body: string,
): Promise<void> {
  return attempt(`comment on a file of pull request #${pullRequest}`, async () => {
    const target = { owner, repo, pull_number: pullRequest, commit_id: head, path };
    await client.rest.pulls.createReviewComment({ ...target, subject_type: "file", body });
  });
}

export function resolveThread({ client }: GithubRepository, thread: ReviewThread): Promise<void> {
  return attempt("resolve a review thread", async () => {
    await client.graphql(RESOLVE, { thread: thread.id });
  });
}

/** GitHub's states of submitted reviews; one still being written (PENDING) is not submitted. */
const STATES: Readonly<Record<string, HostReview["state"]>> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes-requested",
  COMMENTED: "commented",
  DISMISSED: "dismissed",
};

/** The submitted reviews of a pull request, oldest first. */
export function listReviews(repository: GithubRepository, pullRequest: number): Promise<readonly HostReview[]> {
  const { client, owner, repo } = repository;
  return attempt(`list the reviews of #${pullRequest}`, async () => {
    const query = { owner, repo, pull_number: pullRequest, per_page: 100, ...FULL };
    const rows = await client.paginate(client.rest.pulls.listReviews, query);
    return rows.flatMap((row) => {
      const state = STATES[row.state];
      if (state === undefined) return [];
      const review: HostReview = {
        id: row.id,
        author: row.user?.login ?? "ghost",
        byBot: row.user?.type === "Bot",
        state,
        body: row.body ?? "",
        html: htmlOf(row),
        commit: row.commit_id ?? undefined,
        submittedAt: row.submitted_at ?? "",
      };
      return [review];
    });
  });
}

const REPLY = `mutation ($thread: ID!, $body: String!) {
  addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $thread, body: $body }) { comment { id } }
}`;

/**
 * Replies by REST, or by GraphQL if that is refused: not every version of GitHub lets apps use both. Falls back only on
 * a refusal; after an error the reply may exist, and the caller looks before it repeats.
 */
export async function replyToThread(
  repository: GithubRepository,
  pullRequest: number,
  thread: ReviewThread,
  body: string,
): Promise<void> {
  const { client, owner, repo } = repository;
  const action = `reply in a review thread of #${pullRequest}`;
  const first = thread.comments[0];
  if (!first) throw new MagisError("HOST_NOT_FOUND", `GitHub could not ${action}: the thread has no comment.`);
  try {
    await attempt(action, async () => {
      // GitHub's schema requires commit and path, although a reply takes both from its thread.
      const pull = await client.rest.pulls.get({ owner, repo, pull_number: pullRequest });
      const place = { owner, repo, pull_number: pullRequest, commit_id: pull.data.head.sha, path: thread.path };
      await client.rest.pulls.createReviewComment({ ...place, in_reply_to: first.id, body });
    });
  } catch (error) {
    if (!isHostRefusal(error)) throw error;
    await attempt(action, () => client.graphql(REPLY, { thread: thread.id, body }));
  }
}

const COMMENTS =
  "pageInfo { hasNextPage endCursor } nodes { databaseId body bodyHTML createdAt publishedAt diffHunk originalCommit { oid } author { __typename login } }";

const THREADS = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewThreads(first: 50, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id isResolved isOutdated path line startLine diffSide subjectType comments(first: 50) { ${COMMENTS} } }
      }
    }
  }
}`;

const MORE_COMMENTS = `query ($thread: ID!, $after: String) {
  node(id: $thread) { ... on PullRequestReviewThread { comments(first: 100, after: $after) { ${COMMENTS} } } }
}`;

interface Page<T> {
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: readonly (T | null)[];
}

interface Comment {
  databaseId: number | null;
  body: string;
  bodyHTML: string;
  createdAt: string;
  publishedAt: string | null;
  diffHunk: string;
  originalCommit: { oid: string } | null;
  author: { __typename: string; login: string } | null;
}

interface Thread {
  id: string;
  isResolved: boolean;
  isOutdated: boolean;
  path: string;
  line: number | null;
  startLine: number | null;
  diffSide: "LEFT" | "RIGHT";
  subjectType: "LINE" | "FILE";
  comments: Page<Comment>;
}

interface ThreadsAnswer {
  repository: { pullRequest: { reviewThreads: Page<Thread> } | null } | null;
}

/** All review threads of a pull request, with all their comments, those that others saw first before the others. */
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
    line: shown ? (thread.line ?? undefined) : undefined,
    startLine: shown ? (thread.startLine ?? undefined) : undefined,
    diffHunk: onLine ? (comments[0]?.diffHunk ?? "") : "",
    comments: comments.map(toThreadComment).sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt)),
  };
}

function toThreadComment(comment: Comment): ThreadComment {
  return {
    id: comment.databaseId ?? 0,
    author: loginOf(comment.author),
    byBot: comment.author?.__typename === "Bot",
    body: comment.body,
    html: comment.bodyHTML,
    commit: comment.originalCommit?.oid,
    // Others see a draft of a review only from when it is submitted.
    createdAt: comment.publishedAt ?? comment.createdAt,
  };
}

/** Adds the `[bot]` that REST appends to an app's login and GraphQL leaves out. */
function loginOf(author: Comment["author"]): string {
  if (author === null) return "ghost";
  return author.__typename === "Bot" && !author.login.endsWith("[bot]") ? `${author.login}[bot]` : author.login;
}
