import { describe, expect, it } from "@jest/globals";
import { markers } from "../../src/data/marks.ts";
import { initialState } from "../../src/data/run-state.ts";
import type { HostPullRequest } from "../../src/github/code-host.ts";
import { trackingComment } from "../../src/report/tracking-comment.ts";
import { readDeclined } from "../../src/run/declined.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";
import { sampleRequest } from "../fakes/sample-request.ts";

const RUN = "acme/shop#7@first";
const BUDGET = { money: 5, tokens: 1_000, minutes: 1 };
const PATCH = "@@ -1,3 +1,3 @@ function roundCents(value) {\n-@@ -1 +1 @@ old\n+new\n@@ -9 +9,2 @@ class Money {\n+a";

/** A host with pull request 5 for issue 7, and the bot's comment on the issue that says so. */
async function hostWith(pull: Partial<HostPullRequest> = {}) {
  const { host, state, faults } = createFakeHost({});
  const request = sampleRequest();
  const pullRequest = { number: 5, url: "https://github.com/acme/shop/pull/5" };
  const result = { kind: "published", pullRequest, openThreads: 0 } as const;
  const body = trackingComment({ ...request, root: RUN }, { ...initialState(), pullRequest, result }, BUDGET);
  state.pullRequests.push({
    ...pullRequest,
    title: "fix: it",
    body: `${markers.run(RUN)}\nFixes #7`,
    open: false,
    merged: false,
    createdAt: "2026-01-01T00:00:00Z",
    draft: false,
    branch: "magis/issue-7-it",
    head: "1".repeat(40),
    base: "main",
    author: host.login,
    byApp: true,
    ...pull,
  });
  state.changes.set(5, [
    { path: "src/money.js", added: 12, removed: 3, patch: PATCH },
    { path: "logo.png", added: 0, removed: 0, patch: "" },
  ]);
  await host.createComment(7, body);
  const comments = await host.listComments(7);
  state.comments.length = 0;
  return { host, state, faults, read: () => readDeclined(7, comments, host) };
}

describe("an earlier pull request that was closed unmerged", () => {
  it("is outlined, with what people who may write said on it", async () => {
    const { host, state, read } = await hostWith();
    const said = { id: 1, byBot: false, state: "changes-requested", pullRequest: 5, lines: [] } as const;
    state.reviews.push({
      ...said,
      author: "olga",
      body: "Not **here**.<!-- x -->",
      submittedAt: "2026-01-03T00:00:00Z",
    });
    state.reviews.push({ ...said, author: "rita", body: "I like it.", submittedAt: "2026-01-03T00:00:00Z" });
    await host.createFileComment(5, "", "src/money.js", "QA's words");
    state.threads[0]?.comments.push({
      id: 2,
      author: "tom",
      byBot: false,
      body: "Too wide.",
      createdAt: "2026-01-02T00:00:00Z",
    });
    await host.createComment(5, "A comment of the bot.");
    host.permissionOf = async (login: string) => (login === "rita" ? "read" : "write");
    expect(await read()).toEqual({
      number: 5,
      outline: "src/money.js +12 -3\n  function roundCents(value) {\n  class Money {\nlogo.png +0 -0",
      said: [
        { author: "tom", path: "src/money.js", body: "Too wide." },
        { author: "olga", path: undefined, body: "Not **here**." },
      ],
    });
  });

  it("takes at most 4,000 characters, and keeps the last words", async () => {
    const { state, read } = await hostWith();
    const changes = Array.from({ length: 30 }, (_, at) => ({
      path: `${"p".repeat(200)}${at}`,
      added: 1,
      removed: 1,
      patch: PATCH,
    }));
    state.changes.set(5, changes);
    for (let at = 0; at < 30; at++)
      state.reviews.push({
        id: at,
        author: "olga",
        byBot: false,
        state: "commented",
        body: `${at} ${"w".repeat(2_000)}`,
        submittedAt: `2026-01-03T00:00:${String(at).padStart(2, "0")}Z`,
        pullRequest: 5,
        lines: [],
      });
    const { outline, said } = (await read()) ?? { outline: "", said: [] };
    expect(outline.length + said.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(4_000);
    expect(said.map(({ body }) => body.split(" ")[0])).toEqual(["27", "28", "29"]);
  });

  it.each<[string, Partial<HostPullRequest>]>([
    ["open", { open: true }],
    ["merged", { merged: true }],
    ["somebody else's", { byApp: false }],
    ["for another issue", { body: markers.run("acme/shop#8@first") }],
    ["taken back by the bot", { body: "Fixes #7" }],
    ["gone", { number: 6 }],
  ])("does not count when it is %s", async (_what, pull) => {
    expect(await (await hostWith(pull)).read()).toBeUndefined();
  });

  it("costs no request where the bot's comments name none", async () => {
    const { host } = createFakeHost({});
    host.readPullRequest = () => Promise.reject(new Error("asked"));
    const comment = { id: 1, nodeId: "n", byBot: true, createdAt: "", updatedAt: "" };
    const forged = { ...comment, author: "eve", body: `${markers.run(RUN)}\n\n### MAGIS opened pull request #5` };
    const other = { ...comment, author: host.login, body: "### MAGIS opened pull request #5" };
    expect(await readDeclined(7, [forged, other], host)).toBeUndefined();
  });
});
