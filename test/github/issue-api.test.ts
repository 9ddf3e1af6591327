import { describe, expect, it } from "@jest/globals";
import { isNamedAfter } from "../../src/github/pulls-about.ts";
import { fakeHosts } from "./open-fake-host.ts";
import type { Answer, Asked } from "./start-fake-github.ts";

const MARKER = "<!-- magis:run 5 -->";
const bot = { login: "magis[bot]", type: "Bot" };
const comment = (id: number, user: object | null, body: string, more: object = {}) => ({
  id,
  user,
  body,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-02T00:00:00Z",
  ...more,
});

describe("the issue api on GitHub", () => {
  const start = fakeHosts();

  it("reads an issue into the port's fields", async () => {
    const { host } = await start(({ path }) =>
      path === "/repos/octo/tools/issues/5"
        ? {
            body: {
              number: 5,
              title: "It breaks",
              body: null,
              user: null,
              html_url: "http://x/5",
              state: "open",
              locked: true,
              labels: ["bug", { name: "magis" }],
              assignees: [{ login: "bob" }],
              type: { name: "Bug" },
            },
          }
        : undefined,
    );
    expect(await host.readIssue(5)).toEqual({
      number: 5,
      title: "It breaks",
      body: "",
      author: "ghost",
      url: "http://x/5",
      open: true,
      locked: true,
      isPullRequest: false,
      labels: ["bug", "magis"],
      assignees: ["bob"],
      type: "Bug",
    });
  });

  const relative = (number: number, repository: string) => ({
    number,
    title: "T",
    body: "B",
    user: null,
    html_url: "",
    state: "closed",
    locked: false,
    labels: [],
    updated_at: "2026-01-01T00:00:00Z",
    repository_url: `https://api.github.com/repos/${repository}`,
  });
  const family = { parent: true, children: 2 };

  it("reads the parent and the sub-issues that are the repository's own, in one request each", async () => {
    const { host, github } = await start(({ path }) => {
      if (path === "/repos/octo/tools/issues/5/parent") return { body: relative(3, "Octo/Tools") };
      if (path !== "/repos/octo/tools/issues/5/sub_issues") return undefined;
      return { body: [relative(8, "octo/secret"), relative(9, "octo/tools")] };
    });
    const found = await host.relativesOf({ number: 5, family });
    expect(found.map(({ relation, number, open }) => [relation, number, open])).toEqual([
      ["parent", 3, false],
      ["sub-issue", 9, false],
    ]);
    expect(github.calls()).toHaveLength(2);
  });

  it.each([404, 410, 403])(
    "has no relatives where they are answered %d, and asks for none that are not",
    async (status) => {
      const { host, github } = await start(() => ({ status, body: { message: "No." } }));
      expect(await host.relativesOf({ number: 5, family })).toEqual([]);
      const asked = github.asked.length;
      expect(await host.relativesOf({ number: 5 })).toEqual([]);
      expect(github.asked).toHaveLength(asked);
    },
  );

  it("tells a pull request from an issue", async () => {
    const pull_request = { url: "http://x/pulls/6" };
    const { host } = await start(() => ({
      body: { number: 6, title: "t", state: "closed", labels: [], pull_request },
    }));
    expect(await host.readIssue(6)).toMatchObject({ isPullRequest: true, open: false });
  });

  const twoPages =
    (first: object[], second: object[]) =>
    ({ path, query }: Asked, base: string): Answer | undefined => {
      if (path !== "/repos/octo/tools/issues/5/comments") return undefined;
      if (query.get("page") === "2") return { body: second };
      return { body: first, headers: { link: `<${base}${path}?per_page=100&page=2>; rel="next"` } };
    };

  it("lists the comments on all pages, oldest first", async () => {
    const ada = { login: "ada", type: "User" };
    const { host } = await start(twoPages([comment(1, ada, "a")], [comment(2, null, "b"), comment(3, bot, "c")]));
    const comments = await host.listComments(5);
    expect(comments.map(({ id, author, byBot }) => [id, author, byBot])).toEqual([
      [1, "ada", false],
      [2, "ghost", false],
      [3, "magis[bot]", true],
    ]);
  });

  it.each([
    ["OWNER", true],
    ["MEMBER", true],
    ["COLLABORATOR", true],
    ["CONTRIBUTOR", false],
    ["FIRST_TIME_CONTRIBUTOR", false],
    ["NONE", false],
    [undefined, undefined],
  ])("decides whether an author with the association %s is a maintainer: %s", async (association, byMaintainer) => {
    const said = { ...comment(1, { login: "ada", type: "User" }, "a"), author_association: association };
    const { host } = await start(twoPages([said], []));
    expect((await host.listComments(5))[0]?.byMaintainer).toBe(byMaintainer);
  });

  it("finds its own comment on a later page, past forged markers", async () => {
    const forged = [
      comment(1, { login: "mallory", type: "User" }, MARKER),
      comment(2, { login: "magis", type: "User" }, MARKER),
      comment(3, { login: "magis[bot]", type: "User" }, MARKER),
      comment(4, { login: "other[bot]", type: "Bot" }, MARKER),
      comment(5, { login: "mallory", type: "User" }, MARKER, { performed_via_github_app: { id: 42 } }),
      comment(6, bot, MARKER, { performed_via_github_app: { id: 43 } }),
      comment(7, null, MARKER),
    ];
    const { host } = await start(
      twoPages(forged, [comment(8, bot, "no marker"), comment(9, bot, `text ${MARKER}`), comment(10, bot, MARKER)]),
    );
    expect((await host.findOwnComment(5, MARKER))?.id).toBe(9);
  });

  it.each([
    ["a standard role", { role_name: "maintain", permission: "write" }, "maintain"],
    ["triage", { role_name: "triage", permission: "read" }, "triage"],
    ["a custom role", { role_name: "Release Captain", permission: "write" }, "write"],
    ["an answer without role", { permission: "admin" }, "admin"],
    ["an unknown permission", { role_name: "x", permission: "y" }, "none"],
  ])("reads the permission from %s", async (_, body, expected) => {
    const { host } = await start(({ path }) =>
      path === "/repos/octo/tools/collaborators/helper[bot]/permission" ? { body } : undefined,
    );
    expect(await host.permissionOf("helper[bot]")).toBe(expected);
    expect(await host.permissionOf("stranger")).toBe("none");
  });

  it("adds reactions to issues and comments that may have them already", async () => {
    const { host, github } = await start(({ method }) =>
      method === "POST" ? { status: 200, body: { id: 1 } } : undefined,
    );
    await host.react({ comment: 9 }, "eyes");
    await host.react({ issue: 5 }, "rocket");
    expect(github.calls()).toEqual([
      "POST /repos/octo/tools/issues/comments/9/reactions",
      "POST /repos/octo/tools/issues/5/reactions",
    ]);
    expect(github.asked.at(-1)?.body).toEqual({ content: "rocket" });
  });

  it("cuts a comment that is too long, and keeps the marker at its end", async () => {
    const { host, github } = await start(({ method, body }) =>
      method === "POST" ? { status: 201, body: comment(1, bot, String(body.body)) } : undefined,
    );
    const made = await host.createComment(5, `${"x".repeat(70_000)}\n${MARKER}`);
    expect(github.asked.at(-1)?.body.body).toHaveLength(65_536);
    expect(made.body).toContain(MARKER);
  });

  it("has a text rendered, and takes nothing for it that GitHub itself has not answered", async () => {
    const { host, github } = await start(({ path, body }) => {
      if (path !== "/markdown") return undefined;
      if (body.text === "refused") return { status: 422, body: { message: "No." } };
      const headers: Record<string, string> = body.text === "by a proxy" ? {} : { "x-github-request-id": "1" };
      return { text: "<p>a</p>", headers: { ...headers, "content-type": "text/html" } };
    });
    const all = ["*a*", "by a proxy", "refused"].map((text) => host.renderText(text));
    expect(await Promise.all(all)).toEqual(["<p>a</p>", undefined, undefined]);
    expect(github.asked.find(({ path }) => path === "/markdown")?.body).toMatchObject({ mode: "gfm" });
  });

  it("hides a comment as outdated", async () => {
    const { host, github } = await start(({ path }) => (path === "/api/graphql" ? { body: { data: {} } } : undefined));
    await host.minimiseComment("IC_5");
    expect(github.asked.at(-1)?.body.variables).toEqual({ comment: "IC_5" });
    expect(github.asked.at(-1)?.body.query).toContain("classifier: OUTDATED");
  });
});

describe("a branch", () => {
  it.each([
    "fix-12",
    "ana/issue_12-rounding",
    "12-rounding",
    "issue12",
    "fix/gh-12",
    "feature/12",
    "fixes-#12",
    "bug-012",
  ])("called %s is named after issue 12", (branch) => expect(isNamedAfter(branch, 12)).toBe(true));

  it.each(["release-12", "v1.12", "fix-123", "fix-112", "12.4", "node-12", "bump-12-to-13", "main"])(
    "called %s is not",
    (branch) => expect(isNamedAfter(branch, 12)).toBe(false),
  );
});
