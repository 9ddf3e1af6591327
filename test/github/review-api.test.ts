import { describe, expect, it } from "@jest/globals";
import type { ReviewThread } from "../../src/github/code-host.ts";
import { fakeHosts } from "./open-fake-host.ts";

const PULL = "/repos/octo/tools/pulls/3";
const GRAPHQL = "/api/graphql";
const MARKER = "<!-- magis:review -->";
const bot = { login: "magis[bot]", type: "Bot" };
const thread: ReviewThread = {
  id: "T1",
  resolved: false,
  outdated: false,
  path: "a.ts",
  line: 4,
  diffHunk: "@@",
  comments: [{ id: 11, author: "x", byBot: false, body: "b", createdAt: "2026-01-01T00:00:00Z" }],
};
const page = (nodes: unknown[], endCursor?: string) => ({
  nodes,
  pageInfo: { hasNextPage: endCursor !== undefined, endCursor: endCursor ?? null },
});
const comment = (databaseId: number, login: string, __typename = "User") => ({
  databaseId,
  body: `c${databaseId}`,
  createdAt: "2026-01-01T00:00:00Z",
  publishedAt: `2026-01-01T00:00:${databaseId}Z`,
  diffHunk: `@@ ${databaseId}`,
  author: { __typename, login },
});

describe("reviews and threads on GitHub", () => {
  const start = fakeHosts();

  it("sends one review with all its line comments", async () => {
    const { host, github } = await start(({ method }) => (method === "POST" ? { body: { id: 1 } } : undefined));
    const line = { path: "a.ts", line: 4, side: "RIGHT", body: "why?" } as const;
    await host.createReview(3, "h1", "two things", [line, { ...line, line: 9, side: "LEFT" }]);
    expect(github.calls()).toEqual([`POST ${PULL}/reviews`]);
    expect(github.asked.at(-1)?.body).toEqual({
      commit_id: "h1",
      event: "COMMENT",
      body: "two things",
      comments: [line, { ...line, line: 9, side: "LEFT" }],
    });
    await host.createFileComment(3, "h1", "b.ts", "whole file");
    expect(github.asked.at(-1)?.body).toEqual({
      commit_id: "h1",
      path: "b.ts",
      subject_type: "file",
      body: "whole file",
    });
  });

  it("finds its own review, not a stranger's with the same marker", async () => {
    const reviews = [
      { id: 1, user: { login: "mallory", type: "User" }, body: MARKER },
      { id: 2, user: { login: "magis[bot]", type: "Bot" }, body: MARKER },
    ];
    const { host } = await start(({ path, query }, base) => {
      if (path !== `${PULL}/reviews`) return undefined;
      if (query.get("page") === "2") return { body: reviews.slice(1) };
      return { body: reviews.slice(0, 1), headers: { link: `<${base}${path}?page=2>; rel="next"` } };
    });
    expect(await host.findOwnReview(3, MARKER)).toEqual({ id: 2 });
    expect(await host.findOwnReview(3, "other")).toBeUndefined();
  });

  it("lists all pages of threads and comments, and gives bots their full login", async () => {
    const of = (id: string, comments: unknown) => ({
      id,
      isResolved: id === "T2",
      isOutdated: false,
      path: "a.ts",
      line: 4,
      diffSide: "RIGHT",
      subjectType: "LINE",
      comments,
    });
    const { host, github } = await start(({ path, body }) => {
      if (path !== GRAPHQL) return undefined;
      const { thread, after } = body.variables as { thread?: string; after: string | null };
      if (thread) return { body: { data: { node: { comments: page([comment(12, "ada")]) } } } };
      const reviewThreads = after
        ? page([of("T2", page([{ ...comment(21, "x"), author: null }]))])
        : page([of("T1", page([comment(11, "magis", "Bot")], "C1"))], "P1");
      return { body: { data: { repository: { pullRequest: { reviewThreads } } } } };
    });
    const said = (id: number, author: string, byBot: boolean) => ({
      id,
      author,
      byBot,
      body: `c${id}`,
      createdAt: `2026-01-01T00:00:${id}Z`,
    });
    const place = { outdated: false, path: "a.ts", line: 4 };
    expect(await host.listThreads(3)).toEqual([
      {
        id: "T1",
        resolved: false,
        diffHunk: "@@ 11",
        ...place,
        comments: [said(11, "magis[bot]", true), said(12, "ada", false)],
      },
      { id: "T2", resolved: true, diffHunk: "@@ 21", ...place, comments: [said(21, "ghost", false)] },
    ]);
    expect(github.calls()).toEqual([`POST ${GRAPHQL}`, `POST ${GRAPHQL}`, `POST ${GRAPHQL}`]);
  });

  it("orders a thread by when its comments were published", async () => {
    const draft = { ...comment(11, "ada"), publishedAt: "2026-01-01T00:00:30Z" };
    const node = { id: "T1", subjectType: "FILE", comments: page([draft, comment(12, "ben")]) };
    const reviewThreads = page([node]);
    const { host } = await start(() => ({ body: { data: { repository: { pullRequest: { reviewThreads } } } } }));
    const [thread] = await host.listThreads(3);
    expect(thread?.comments.map(({ id, createdAt }) => [id, createdAt])).toEqual([
      [12, "2026-01-01T00:00:12Z"],
      [11, "2026-01-01T00:00:30Z"],
    ]);
  });

  it.each([
    ["outdated", { isOutdated: true }, { outdated: true, diffHunk: "@@ 11" }],
    ["on a removed line", { diffSide: "LEFT" }, { outdated: false, diffHunk: "@@ 11" }],
    ["on a file", { subjectType: "FILE", line: null }, { outdated: false, diffHunk: "" }],
  ])("gives no line in the new version for a thread that is %s", async (_, shown, expected) => {
    const known = { id: "T1", isResolved: false, isOutdated: false, path: "a.ts", line: 4 };
    const node = { ...known, diffSide: "RIGHT", subjectType: "LINE", comments: page([comment(11, "ada")]), ...shown };
    const reviewThreads = page([node]);
    const { host } = await start(() => ({ body: { data: { repository: { pullRequest: { reviewThreads } } } } }));
    const [thread] = await host.listThreads(3);
    expect(thread).toMatchObject(expected);
    expect(thread?.line).toBeUndefined();
  });

  it("lists all pages of submitted reviews, without pending ones", async () => {
    const review = (id: number, state: string, user: object | null = { login: "ada", type: "User" }) => ({
      id,
      state,
      user,
      body: `r${id}`,
      submitted_at: `2026-01-0${id}T00:00:00Z`,
    });
    const { host } = await start(({ path, query }, base) => {
      if (path !== `${PULL}/reviews`) return undefined;
      if (query.get("page") === "2") return { body: [review(4, "DISMISSED", null), review(5, "COMMENTED", bot)] };
      const body = [review(1, "APPROVED"), review(2, "PENDING"), review(3, "CHANGES_REQUESTED")];
      return { body, headers: { link: `<${base}${path}?page=2>; rel="next"` } };
    });
    const reviews = await host.listReviews(3);
    expect(reviews.map(({ id, state, author, byBot }) => [id, state, author, byBot])).toEqual([
      [1, "approved", "ada", false],
      [3, "changes-requested", "ada", false],
      [4, "dismissed", "ghost", false],
      [5, "commented", "magis[bot]", true],
    ]);
    expect(reviews[0]).toMatchObject({ body: "r1", submittedAt: "2026-01-01T00:00:00Z" });
  });

  it("repeats a query after a fault, but never a mutation", async () => {
    const { host, github } = await start(() => {
      if (github.calls().length !== 2) return { status: 502, body: { message: "Bad Gateway" } };
      return { body: { data: { repository: { pullRequest: { reviewThreads: page([]) } } } } };
    });
    expect(await host.listThreads(3)).toEqual([]);
    expect(github.calls()).toHaveLength(2);
    await expect(host.resolveThread(thread)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
    expect(github.calls()).toHaveLength(3);
  });

  it("replies by in_reply_to", async () => {
    const { host, github } = await start(({ method }) =>
      method === "GET" ? { body: { head: { sha: "h2" } } } : { status: 201, body: { id: 12 } },
    );
    await host.replyToThread(3, thread, "done");
    expect(github.calls()).toEqual([`GET ${PULL}`, `POST ${PULL}/comments`]);
    expect(github.asked.at(-1)?.body).toEqual({ body: "done", commit_id: "h2", path: "a.ts", in_reply_to: 11 });
  });

  it("replies by GraphQL when GitHub refuses in_reply_to", async () => {
    const { host, github } = await start(({ method, path }) => {
      if (method === "GET") return { body: { head: { sha: "h2" } } };
      if (path !== GRAPHQL) return { status: 403, body: { message: "Resource not accessible by integration" } };
      return { body: { data: { addPullRequestReviewThreadReply: { comment: { id: "x" } } } } };
    });
    await host.replyToThread(3, thread, "done");
    expect(github.asked.at(-1)?.body.variables).toEqual({ thread: "T1", body: "done" });
  });

  it("does not reply again after a fault, since the first reply may exist", async () => {
    const { host, github } = await start(({ method }) =>
      method === "GET" ? { body: { head: { sha: "h2" } } } : { drop: "at once" },
    );
    await expect(host.replyToThread(3, thread, "done")).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
    expect(github.calls()).toEqual([`GET ${PULL}`, `POST ${PULL}/comments`]);
  });

  it.each([
    ["NOT_FOUND", "HOST_NOT_FOUND"],
    ["FORBIDDEN", "HOST_REFUSED"],
    ["RATE_LIMITED", "HOST_UNREACHABLE"],
  ])("turns GraphQL's %s into %s", async (type, code) => {
    const errors = [{ type, message: "Could not resolve to a node." }];
    const { host } = await start(({ path }) => (path === GRAPHQL ? { body: { data: null, errors } } : undefined));
    await expect(host.resolveThread(thread)).rejects.toMatchObject({ code });
  });

  it("resolves a thread", async () => {
    const { host, github } = await start(() => ({ body: { data: { resolveReviewThread: { thread: { id: "T1" } } } } }));
    await host.resolveThread(thread);
    expect(github.asked.at(-1)?.body.variables).toEqual({ thread: "T1" });
  });
});
