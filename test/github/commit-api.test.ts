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

describe("comparing commits and reading files on GitHub", () => {
  const open = fakeHosts();
  const start = (routes: Record<string, Answer | ((asked: Asked) => Answer)>) =>
    open((asked) => {
      const route = routes[`${asked.method} ${asked.path}`];
      return typeof route === "function" ? route(asked) : route;
    });

  const COMPARE = "GET /repos/octo/tools/compare/c1...c2";
  const tree = (id: string, entries: Record<string, string>, truncated = false) => ({
    [`GET ${GIT}/trees/${id}`]: {
      body: {
        tree: Object.entries(entries).map(([path, sha]) => ({
          path,
          sha,
          mode: path.endsWith(".sh") ? sha.slice(0, 6) : "100644",
          type: sha === "t" ? "tree" : "blob",
        })),
        truncated,
      },
    },
  });
  const trees = {
    ...tree("c1", { src: "t", "src/a.ts": "1", "src/b.ts": "2", "x.sh": "100644" }),
    ...tree("c2", { src: "t", "src/a.ts": "1", "src/c.ts": "2", "x.sh": "100755" }),
  };

  it("compares a commit with its ancestor in one request, and gives both names of a renamed file", async () => {
    const files = [
      { filename: "z.ts", status: "modified" },
      { filename: "new.ts", status: "renamed", previous_filename: "old.ts" },
      { filename: "copy.ts", status: "copied", previous_filename: "same.ts" },
    ];
    const { host, github } = await start({ [COMPARE]: { body: { status: "ahead", files } } });
    expect(await host.changedPaths("c1", "c2")).toEqual(["copy.ts", "new.ts", "old.ts", "z.ts"]);
    expect(github.calls()).toEqual([COMPARE]);
  });

  it.each([
    ["ahead", true],
    ["identical", true],
    ["behind", false],
    ["diverged", false],
  ])("takes a commit for part of a head's history when that is %s: %s", async (status, isPart) => {
    const { host } = await start({ [COMPARE]: { body: { status, merge_base_commit: { sha: "c0" } } } });
    expect([await host.isAncestor("c1", "c2"), await host.mergeBase("c1", "c2")]).toEqual([isPart, "c0"]);
    expect([await host.isAncestor("c1", "gone"), await host.mergeBase("c1", "gone")]).toEqual([false, undefined]);
  });

  describe("lines since a commit", () => {
    const files = [
      { filename: "a.ts", status: "modified", additions: 3, deletions: 2 },
      { filename: "b.ts", status: "added", additions: 4, deletions: 0 },
    ];
    const commits = [{ parents: [{}] }];
    const compared = { status: "ahead", ahead_by: 1, commits, files };

    it.each<[string, Answer, unknown]>([
      ["added and removed", { body: compared }, 9],
      ["none", { body: { ...compared, status: "identical", ahead_by: 0, commits: [], files: [] } }, 0],
      ["not after a forced push", { body: { ...compared, status: "diverged" } }, expect.stringContaining("rewritten")],
      [
        "not after a merge",
        { body: { ...compared, commits: [{ parents: [{}, {}] }] } },
        expect.stringContaining("merged"),
      ],
      [
        "not of more commits than are listed",
        { body: { ...compared, ahead_by: 2 } },
        expect.stringContaining("too much"),
      ],
      [
        "not of more files than are listed",
        { body: { ...compared, files: Array(300).fill(files[0]) } },
        expect.stringContaining("too much"),
      ],
      [
        "not of commits that are gone",
        { status: 404, body: { message: "Not Found" } },
        expect.stringContaining("no longer"),
      ],
    ])("%s", async (_, answer, expected) => {
      const { host, github } = await start({ [COMPARE]: answer });
      const lines = await host.linesSince("c1", "c2");
      expect(typeof lines === "number" ? lines : lines.unknown).toEqual(expected);
      expect(github.calls()).toEqual([COMPARE]);
    });
  });

  it.each([
    ["the base is not an ancestor", { body: { status: "diverged", files: [] } }],
    ["GitHub names no files", { body: { status: "ahead" } }],
    ["the head is the ancestor", { body: { status: "behind", files: [] } }],
    [
      "GitHub may have left out files",
      { body: { status: "ahead", files: Array(300).fill({ filename: "a", status: "added" }) } },
    ],
    ["the commits share no ancestor", { status: 404, body: { message: "No common ancestor" } }],
  ])("compares the trees when %s", async (_, compared: Answer) => {
    const { host } = await start({ [COMPARE]: compared, ...trees });
    expect(await host.changedPaths("c1", "c2")).toEqual(["src/b.ts", "src/c.ts", "x.sh"]);
  });

  it("gives undefined when it cannot list every change", async () => {
    const diverged = { [COMPARE]: { body: { status: "diverged", files: [] } } };
    const { host } = await start({ ...diverged, ...trees, ...tree("c2", { "src/a.ts": "1" }, true) });
    expect(await host.changedPaths("c1", "c2")).toBeUndefined();
    expect(await host.changedPaths("c1", "gone")).toBeUndefined();
  });

  const FILE = "/contents/.github/magis.yml";
  const file = (text: string, more: object = {}): Answer => ({
    body: { type: "file", encoding: "base64", content: Buffer.from(text).toString("base64"), ...more },
  });

  it("reads text files, says what else stands there, and gives undefined for what is out of reach", async () => {
    const { host } = await start({
      [`GET /repos/octo/tools${FILE}`]: file("label: grün\n"),
      "GET /repos/octo/tools/contents/large": file("", { encoding: "none" }),
      "GET /repos/octo/tools/contents/folder": { body: [{ type: "file" }] },
      "GET /repos/octo/tools/contents/linked/magis.yml": file("label: x\n", { name: "magis.yml" }),
      "GET /repos/octo/tools/contents/linked": { body: [{ name: "magis.yml", type: "symlink" }] },
      "GET /repos/octo/tools/contents/link": { body: { type: "symlink", target: "../x" } },
      "GET /repos/octo/tools/contents/wide": file("\ufeffl\0a\0"),
      "GET /repos/octo/tools/contents/broken": { status: 422, body: { message: "No." } },
    });
    expect(await host.readFile("tools", ".github/magis.yml")).toBe("label: grün\n");
    expect(await host.readFile("tools", "none")).toBeUndefined();
    for (const path of ["large", "folder", "link", "wide", "linked/magis.yml"])
      expect(await host.readFile("tools", path)).toEqual({ unreadable: expect.any(String) });
  });

  it("lists a folder's names, and none of anything else", async () => {
    const { host } = await start({
      "GET /repos/octo/tools/contents": { body: [{ name: "AI_POLICY.md" }, { name: ".github", type: "dir" }] },
      [`GET /repos/octo/tools${FILE}`]: file("label: x\n"),
    });
    expect(await host.listFolder("tools", "")).toEqual(["AI_POLICY.md", ".github"]);
    for (const path of [".github/magis.yml", "none"]) expect(await host.listFolder("tools", path)).toEqual([]);
    expect(await host.listFolder("none", "")).toEqual([]);
  });

  it("asks for a separate token for another repository only when it needs one", async () => {
    const hidden = (text: string) => (asked: Asked) =>
      asked.authorization === "token ghs_42_T.1" ? { status: 404, body: { message: "Not Found" } } : file(text);
    const { host, github } = await start({
      "GET /repos/octo/public/contents/.github": { body: [{ name: "magis.yml", type: "file" }] },
      [`GET /repos/octo/public${FILE}`]: file("public"),
      [`GET /repos/octo/.github${FILE}`]: hidden("private"),
    });
    const wanted = () =>
      github.asked.filter(({ path }) => path.endsWith("/access_tokens")).map(({ body }) => body.repositories);
    expect(await host.readFile("public", ".github/magis.yml")).toBe("public");
    expect(wanted()).toEqual([["tools"]]);
    expect(await host.readFile(".github", ".github/magis.yml")).toBe("private");
    expect(wanted()).toEqual([["tools"], [".github"]]);
    const last = github.asked.filter(({ path }) => path.endsWith("/access_tokens")).at(-1);
    expect(last?.body).toMatchObject({ permissions: { contents: "read" } });
    expect(await host.readFile("none", ".github/magis.yml")).toBeUndefined();
  });

  it("treats a repository without the app as out of reach, and other failures as faults", async () => {
    const refusal = { status: 422, body: { message: "There is at least one repository that is not accessible." } };
    const identity = ({ path, body }: Asked): Answer | undefined => {
      if (path === "/app") return { body: { id: 42, slug: "magis" } };
      if (!path.endsWith("/access_tokens")) return undefined;
      if (String(body.repositories) !== "tools") return refusal;
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      return { status: 201, body: { token: "ghs_1", expires_at, permissions: {} } };
    };
    const { host } = await open(
      ({ path }) => (path.includes("broken") ? { status: 500, body: { message: "Oh." } } : undefined),
      { identity, maxWaitSeconds: 0 },
    );
    expect(await host.readFile(".github", ".github/magis.yml")).toBeUndefined();
    await expect(host.readFile(".github", "broken")).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
  });
});
