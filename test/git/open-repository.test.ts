import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createOpenByIsomorphicGit, createOpenRepository } from "../../src/git/open-repository.ts";
import { createGitRepo, type GitRepo } from "./git-repo.ts";
import { type GitServer, startGitServer } from "./git-server.ts";

const SUBMODULE = "1".repeat(40);

const ADAPTERS = [
  { name: "our own reader", createOpen: createOpenRepository },
  { name: "isomorphic-git", createOpen: createOpenByIsomorphicGit },
];

describe.each(ADAPTERS)("opening a repository by $name", ({ name, createOpen }) => {
  let repo: GitRepo;
  let server: GitServer;
  let first: string;
  let tip: string;
  const open = createOpen({ timeoutMs: 120_000 });

  beforeAll(async () => {
    repo = createGitRepo();
    // As GitHub does; isomorphic-git speaks the protocol that asks for it.
    repo.git(["config", "uploadpack.allowReachableSHA1InWant", "true"]);
    first = repo.commit([{ path: "old.txt", content: "old" }]);
    tip = repo.commit([
      { path: "empty", content: "" },
      { path: "run.sh", content: "#!/bin/sh\n", mode: "100755" },
      { path: "a link", content: "run.sh", mode: "120000" },
      { path: "sub", content: SUBMODULE, mode: "160000" },
      { path: 'dir/deep/ü "quoted"\nline\\back', content: "odd" },
      { path: "dir.txt", content: "sorts before dir/" },
      { path: "big.bin", content: Buffer.alloc(9_000_000, "0123456789abcdef!") },
    ]);
    server = await startGitServer(repo.root);
  });
  afterAll(async () => {
    await server.close();
    repo.remove();
  });

  it("gives every entry with mode, size and content", async () => {
    const repository = await open({ url: `${server.url}/repo.git`, commit: tip });
    const entries = [...repository.entries.values()];
    const listed = repo.git(["ls-tree", "-r", "-z", "-l", tip]).toString().split("\0").filter(Boolean);
    const ours = entries.map(({ path, mode, blob, size }) => {
      const type = mode === "160000" ? "commit" : "blob";
      return `${mode} ${type} ${blob} ${String(size ?? "-").padStart(7)}\t${path}`;
    });
    expect(ours).toEqual(listed);
    for (const { blob, mode } of entries) {
      if (mode === "160000") continue;
      expect(Buffer.from(await repository.readBlob(blob)).equals(repo.git(["cat-file", "blob", blob]))).toBe(true);
    }
    repository.close();
  });

  it("opens a commit that is not a tip, our own reader with one request", async () => {
    const before = server.log.length;
    const repository = await open({ url: `${server.url}/repo.git`, commit: first });
    expect([...repository.entries.keys()]).toEqual(["old.txt"]);
    const requests = ["GET /repo.git/info/refs?service=git-upload-pack", "POST /repo.git/git-upload-pack"];
    expect(server.log.slice(before)).toEqual(name === "isomorphic-git" ? requests : requests.slice(1));
    repository.close();
  });

  it("says that a commit is not there", async () => {
    const missing = open({ url: `${server.url}/repo.git`, commit: "1".repeat(40) });
    await expect(missing).rejects.toMatchObject({ code: "GIT_NOT_FOUND" });
    const named = open({ url: `${server.url}/repo.git`, commit: "main" });
    await expect(named).rejects.toMatchObject({ code: "GIT_NOT_FOUND" });
  });

  it("stops at its limit, and reports a broken connection", async () => {
    const small = createOpen({ timeoutMs: 120_000, maxUnpackedBytes: 1_000_000 });
    const opening = small({ url: `${server.url}/repo.git`, commit: tip });
    await expect(opening).rejects.toMatchObject({ code: "GIT_PACK_TOO_LARGE" });
    server.behaviour.breakAfter = 2_000;
    const broken = open({ url: `${server.url}/repo.git`, commit: tip });
    await expect(broken).rejects.toMatchObject({ code: expect.stringMatching(/^GIT_(?:PACK_CORRUPT|UNREACHABLE)$/) });
    delete server.behaviour.breakAfter;
  });

  it("ignores a user and password in the URL", async () => {
    const url = `${server.url.replace("//", "//user:secret@")}/repo.git/`;
    const repository = await open({ url, commit: first });
    expect([...repository.entries.keys()]).toEqual(["old.txt"]);
    expect(server.authorizations.at(-1)).toBeUndefined();
    repository.close();
  });

  it("stops at a few trees that expand to millions of paths", async () => {
    const blob = repo.git(["hash-object", "-w", "--stdin"], "x").toString().trim();
    let tree = `100644 blob ${blob}`;
    for (let depth = 0; depth < 10; depth++) {
      const lines = Array.from({ length: 10 }, (_, i) => `${tree}\t${i}\n`).join("");
      tree = `040000 tree ${repo.git(["mktree"], lines).toString().trim()}`;
    }
    const id = tree.split(" ")[2] ?? "";
    const ident = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
    const commit = repo
      .git([...ident, "commit-tree", "-m", "bomb", id])
      .toString()
      .trim();
    repo.git(["update-ref", "refs/heads/bomb", commit]);
    const opening = open({ url: `${server.url}/repo.git`, commit });
    await expect(opening).rejects.toMatchObject({ code: "GIT_PACK_TOO_LARGE" });
  });

  it("pushes a change that git finds sound", async () => {
    const repository = await open({ url: `${server.url}/repo.git`, commit: tip });
    const tree = await repository.writeTree([
      { path: "dir/new/file.txt", content: Buffer.from("new\n") },
      { path: "run.sh", content: Buffer.from("#!/bin/sh\nexit 0\n") },
      { path: "empty", content: null },
    ]);
    const author = { name: "A", email: "a@example.com" };
    const commit = await repository.writeCommit({ tree, parents: [tip], message: "change", author });
    await repository.push(commit, "refs/heads/magis/1");
    await repository.push(commit, "refs/magis/staging/1");
    await repository.push(commit, "refs/heads/magis/1");
    expect(repo.git(["rev-parse", "refs/heads/magis/1", "refs/magis/staging/1"]).toString()).toBe(
      `${commit}\n${commit}\n`,
    );
    expect(repo.git(["fsck", "--strict", "--full"]).toString()).toBe("");
    expect(repo.git(["diff", "--name-status", tip, commit]).toString()).toBe(
      "A\tdir/new/file.txt\nD\tempty\nM\trun.sh\n",
    );
    repository.close();
  });
});
