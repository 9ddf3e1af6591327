import { describe, expect, it } from "@jest/globals";
import { fakeHosts } from "./open-fake-host.ts";

const bot = { login: "magis[bot]", type: "Bot" };
const pull = (number: number, ref: string, more: object = {}) => ({
  number,
  html_url: `http://x/pull/${number}`,
  title: `t${number}`,
  body: null,
  state: "open",
  merged_at: null,
  draft: true,
  head: { ref, sha: `h${number}`, repo: { id: 1 } },
  base: { ref: "main", repo: { id: 1 } },
  user: bot,
  ...more,
});

describe("the pull request api on GitHub", () => {
  const start = fakeHosts();

  it("finds only its own pull requests by branch, on all pages", async () => {
    const fork = { head: { ref: "magis/issue-5-x", sha: "h", repo: { id: 2 } } };
    const { host, github } = await start(({ path, query }, base) => {
      if (path !== "/repos/octo/tools/pulls") return undefined;
      if (query.get("page") === "2")
        return { body: [pull(2, "magis/issue-5-old", { state: "closed", merged_at: "2026" })] };
      const body = [
        pull(9, "magis/issue-5-fix"),
        pull(8, "magis/issue-55-other"),
        pull(7, "magis/issue-5-person", { user: { login: "ada", type: "User" } }),
        pull(6, "magis/issue-5-x", fork),
        pull(5, "magis/issue-5-gone", { head: { ref: "magis/issue-5-gone", sha: "h", repo: null } }),
      ];
      return { body, headers: { link: `<${base}${path}?state=all&page=2>; rel="next"` } };
    });
    const found = await host.findOwnPullRequests("magis/issue-5-", "all");
    expect(found.map(({ number, open, merged }) => [number, open, merged])).toEqual([
      [9, true, false],
      [2, false, true],
    ]);
    expect(found[0]).toMatchObject({ branch: "magis/issue-5-fix", head: "h9", base: "main", byApp: true, draft: true });
    const first = github.asked.find(({ path }) => path === "/repos/octo/tools/pulls")?.query;
    expect(first?.get("state")).toBe("all");
    expect(first?.get("per_page")).toBe("100");
  });

  it.each([
    [[["CONFLICTING", "DIRTY"]], "conflicting"],
    [[["MERGEABLE", "CLEAN"]], "clean"],
    [[["MERGEABLE", "BEHIND"]], "behind"],
    [
      [
        ["UNKNOWN", "UNKNOWN"],
        ["CONFLICTING", "DIRTY"],
      ],
      "conflicting",
    ],
  ])("says how a pull request stands to its base: %j is %s", async (answers, standing) => {
    const left = [...answers];
    const { host } = await start(({ path }) => {
      if (path !== "/graphql" && path !== "/api/graphql") return undefined;
      const [mergeable, mergeStateStatus] = left.shift() ?? [];
      return { body: { data: { repository: { pullRequest: { mergeable, mergeStateStatus } } } } };
    });
    expect(await host.mergeability(9)).toBe(standing);
    expect(left).toEqual([]);
  });

  const wanted = { title: "Mend\nit", body: "text", branch: "magis/issue-5-fix", base: "main", draft: true };

  it("opens a pull request with the title on one line", async () => {
    const { host, github } = await start(({ method }) =>
      method === "POST" ? { status: 201, body: pull(3, "b") } : undefined,
    );
    expect((await host.openPullRequest(wanted)).number).toBe(3);
    expect(github.asked.at(-1)?.body).toEqual({
      title: "Mend it",
      body: "text",
      head: "magis/issue-5-fix",
      base: "main",
      draft: true,
    });
  });

  it("opens an ordinary pull request where GitHub allows no drafts", async () => {
    const { host, github } = await start(({ path, body }) => {
      if (path !== "/repos/octo/tools/pulls") return undefined;
      if (!body.draft) return { status: 201, body: pull(3, "b", { draft: false }) };
      const message = "Draft pull requests are not supported in this repository.";
      return { status: 422, body: { message: "Validation Failed", errors: [{ message }] } };
    });
    expect(await host.openPullRequest(wanted)).toMatchObject({ number: 3, draft: false });
    expect(github.calls()).toHaveLength(2);
  });

  it("says why GitHub refused a pull request", async () => {
    const message = "A pull request already exists for octo:magis/issue-5-fix.";
    const { host } = await start(({ path }) =>
      path === "/repos/octo/tools/pulls"
        ? {
            status: 422,
            body: {
              message: "Validation Failed",
              errors: [{ resource: "PullRequest", code: "custom", message }],
              documentation_url: "https://docs.github.com",
            },
          }
        : undefined,
    );
    await expect(host.openPullRequest(wanted)).rejects.toMatchObject({
      code: "HOST_REFUSED",
      message: `GitHub refused to open a pull request: Validation Failed: ${message}`,
      data: { status: 422, errors: [{ resource: "PullRequest", code: "custom", message }] },
    });
  });

  it("reads a pull request, and lists its commits with their authors", async () => {
    const commit = (sha: string, author: object | null) => ({ sha, author, commit: { author: { name: "Ada L." } } });
    const { host } = await start(({ path, query }, base) => {
      if (path === "/repos/octo/tools/pulls/3") return { body: pull(3, "magis/issue-5", { merged: false }) };
      if (path !== "/repos/octo/tools/pulls/3/commits") return undefined;
      if (query.get("page") === "2") return { body: [commit("c3", null)] };
      const body = [commit("c1", bot), commit("c2", { login: "ada", type: "User" })];
      return { body, headers: { link: `<${base}${path}?page=2>; rel="next"` } };
    });
    expect(await host.readPullRequest(3)).toMatchObject({ number: 3, head: "h3", byApp: true, draft: true });
    expect(await host.listCommits(3)).toEqual([
      { id: "c1", author: "magis[bot]", byApp: true },
      { id: "c2", author: "ada", byApp: false },
      { id: "c3", author: "Ada L.", byApp: false },
    ]);
    await expect(host.readPullRequest(4)).rejects.toMatchObject({ code: "HOST_NOT_FOUND" });
  });

  it("marks a draft ready by GraphQL, and leaves others alone", async () => {
    const { host, github } = await start(({ path, body }) => {
      const number = Number(/\/pulls\/(\d)$/.exec(path)?.[1]);
      if (number) return { body: pull(number, "b", { node_id: `PR_${number}`, draft: number === 3 }) };
      return path === "/api/graphql" && body.query ? { body: { data: {} } } : undefined;
    });
    await host.markReady(3);
    expect(github.asked.at(-1)?.body).toMatchObject({ variables: { pull: "PR_3" } });
    expect(github.asked.at(-1)?.body.query).toContain("markPullRequestReadyForReview");
    await host.markReady(4);
    expect(github.calls().at(-1)).toBe("GET /repos/octo/tools/pulls/4");
  });

  it("edits only the given fields", async () => {
    const body = "Closes #9, @ada";
    const { host, github } = await start(() => ({ body: pull(3, "b", { body }) }));
    await host.updatePullRequest(3, { body: `${body}\nnew @eve` });
    // A person's own text stays.
    expect(github.asked.at(-1)?.body).toEqual({ body: `${body}\nnew @\u200beve` });
    await host.updatePullRequest(3, { title: "t" });
    expect(github.asked.at(-1)?.body).toEqual({ title: "t" });
  });
});
