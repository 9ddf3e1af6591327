import { describe, expect, it } from "@jest/globals";
import { fakeHosts } from "./open-fake-host.ts";
import type { Answer, Asked } from "./start-fake-github.ts";

const GIT = "/repos/octo/tools/git";
const refused = (message: string): Answer => ({ status: 422, body: { message } });
const ref = (sha: string): Answer => ({ body: { ref: "refs/heads/x", object: { type: "commit", sha } } });
const commit = { sha: "c1", tree: { sha: "t1" }, parents: [{ sha: "p1" }], author: { name: "magis[bot]" } };

describe("the commit api on GitHub", () => {
  const open = fakeHosts();
  const start = (routes: Record<string, Answer | ((asked: Asked) => Answer)>) =>
    open((asked) => {
      const route = routes[`${asked.method} ${asked.path}`];
      return typeof route === "function" ? route(asked) : route;
    });

  it("gives the default branch and its tip", async () => {
    const routes = {
      "GET /repos/octo/tools": { body: { default_branch: "dev/x" } },
      [`GET ${GIT}/ref/heads/dev/x`]: ref("c9"),
    };
    const { host } = await start(routes);
    expect(await host.defaultBranch()).toEqual({ name: "dev/x", commit: "c9" });
    expect(await host.branchTip("none")).toBeUndefined();
  });

  it("reports a repository without commits", async () => {
    const empty = { status: 409, body: { message: "Git Repository is empty." } };
    const { host } = await start({
      "GET /repos/octo/tools": { body: { default_branch: "main" } },
      [`GET ${GIT}/ref/heads/main`]: empty,
    });
    await expect(host.defaultBranch()).rejects.toMatchObject({
      code: "HOST_NOT_FOUND",
      message: "The repository has no commits on its default branch main yet.",
    });
  });

  it("reads and creates commits without naming an author", async () => {
    const { host, github } = await start({
      [`GET ${GIT}/commits/c1`]: { body: { ...commit, verification: { verified: true } } },
      [`POST ${GIT}/commits`]: { status: 201, body: commit },
    });
    const expected = { id: "c1", tree: "t1", parents: ["p1"], author: "magis[bot]" };
    expect(await host.readCommit("c1")).toEqual({ ...expected, verified: true });
    expect(await host.createCommit("fix: it", "t1", ["p1"])).toEqual({ ...expected, verified: false });
    expect(github.asked.at(-1)?.body).toEqual({ message: "fix: it", tree: "t1", parents: ["p1"] });
  });

  it("reads and writes blobs byte for byte", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const lines = Buffer.from(bytes).toString("base64").replace(/.{60}/g, "$&\n");
    const { host, github } = await start({
      [`GET ${GIT}/blobs/b1`]: { body: { content: lines, encoding: "base64" } },
      [`GET ${GIT}/blobs/b2`]: { body: { content: "grün", encoding: "utf-8" } },
      [`POST ${GIT}/blobs`]: { status: 201, body: { sha: "b3" } },
    });
    expect(await host.readBlob("b1")).toEqual(bytes);
    expect(await host.readBlob("b2")).toEqual(new TextEncoder().encode("grün"));
    expect(await host.readBlob("b9")).toBeUndefined();
    expect(await host.createBlob(bytes)).toBe("b3");
    expect(Buffer.from(String(github.asked.at(-1)?.body.content), "base64")).toEqual(Buffer.from(bytes));
  });

  it("creates a tree with changed and removed paths", async () => {
    const { host, github } = await start({ [`POST ${GIT}/trees`]: { status: 201, body: { sha: "t2" } } });
    const entries = [
      { path: "a.ts", mode: "100755", blob: "b1" },
      { path: "b.ts", mode: "100644", blob: null },
    ];
    expect(await host.createTree("t1", entries)).toBe("t2");
    expect(github.asked.at(-1)?.body).toEqual({
      base_tree: "t1",
      tree: [
        { path: "a.ts", mode: "100755", type: "blob", sha: "b1" },
        { path: "b.ts", mode: "100644", type: "blob", sha: null },
      ],
    });
  });

  it("accepts an existing branch only at the same commit", async () => {
    const { host } = await start({
      [`POST ${GIT}/refs`]: refused("Reference already exists"),
      [`GET ${GIT}/ref/heads/magis/issue-5`]: ref("c1"),
    });
    await host.createBranch("magis/issue-5", "c1");
    await expect(host.createBranch("magis/issue-5", "c2")).rejects.toMatchObject({ code: "HOST_REFUSED" });
  });

  it("never overwrites a branch that has moved", async () => {
    const { host, github } = await start({ [`PATCH ${GIT}/refs/heads/x`]: refused("Update is not a fast forward") });
    await expect(host.advanceBranch("x", "c2")).rejects.toMatchObject({
      code: "HOST_REFUSED",
      message: "GitHub refused to advance branch x: Update is not a fast forward",
    });
    expect(github.asked.at(-1)?.body).toEqual({ sha: "c2", force: false });
    expect(github.calls()).toHaveLength(1);
  });

  it("deletes refs, even ones that are gone already", async () => {
    const { host } = await start({
      [`DELETE ${GIT}/refs/magis/staging/1`]: { status: 204 },
      [`DELETE ${GIT}/refs/magis/staging/2`]: refused("Reference does not exist"),
      [`DELETE ${GIT}/refs/heads/kept`]: refused("Cannot delete protected branch"),
    });
    await host.deleteRef("magis/staging/1");
    await host.deleteRef("magis/staging/2");
    await host.deleteRef("magis/staging/3");
    await expect(host.deleteRef("heads/kept")).rejects.toMatchObject({ code: "HOST_REFUSED" });
  });
});
