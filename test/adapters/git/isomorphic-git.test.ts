import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import git from "isomorphic-git";
import { ObjectStore } from "../../../src/adapters/git/object-store.ts";
import { type Gitdir, openGitdir } from "../../../src/adapters/git/open-repository.ts";
import { gitLimits } from "../../../src/adapters/git/transport.ts";
import { createGitRepo, type GitRepo } from "./git-repo.ts";
import { type GitServer, startGitServer } from "./git-server.ts";

describe("isomorphic-git on our file system and plug-in", () => {
  let repo: GitRepo;
  let server: GitServer;
  let commit: string;
  let at: Gitdir;

  beforeAll(async () => {
    repo = createGitRepo();
    repo.commit([{ path: "old", content: "old" }]);
    commit = repo.commit([
      { path: "a.txt", content: "one\n" },
      { path: "dir/b.txt", content: "two\n" },
    ]);
    server = await startGitServer(repo.root);
    at = await openGitdir({ url: `${server.url}/repo.git`, commit }, gitLimits(), new ObjectStore(2 ** 30));
  });
  afterAll(async () => {
    await server.close();
    repo.remove();
  });

  it("reads the log, trees and blobs", async () => {
    const log = await git.log({ ...at, ref: commit });
    expect(log.map(({ oid }) => oid)).toEqual([commit]);
    const { blob } = await git.readBlob({ ...at, oid: commit, filepath: "dir/b.txt" });
    expect(Buffer.from(blob).toString()).toBe("two\n");
    expect(await git.expandOid({ ...at, oid: commit.slice(0, 10) })).toBe(commit);
    await expect(git.readObject({ ...at, oid: "0".repeat(39).concat("1") })).rejects.toMatchObject({
      code: "NotFoundError",
    });
  });

  it("commits, compares and pushes", async () => {
    const written = await git.writeBlob({ ...at, blob: Buffer.from("three\n") });
    const { tree } = await git.readTree({ ...at, oid: commit });
    const changed = tree.map((entry) => (entry.path === "a.txt" ? { ...entry, oid: written } : entry));
    const next = await git.commit({
      ...at,
      tree: await git.writeTree({ ...at, tree: changed }),
      parent: [commit],
      ref: "refs/heads/work",
      message: "next",
      author: { name: "A", email: "a@example.com" },
    });
    const different: string[] = [];
    await git.walk({
      ...at,
      trees: [git.TREE({ ref: commit }), git.TREE({ ref: next })],
      map: async (path, [before, after]) => {
        if ((await before?.type()) === "blob" && (await before?.oid()) !== (await after?.oid())) different.push(path);
      },
    });
    expect(different).toEqual(["a.txt"]);
    await git.push({ ...at, remote: "origin", ref: "refs/heads/work", remoteRef: "refs/heads/work" });
    expect(repo.git(["rev-parse", "refs/heads/work"]).toString().trim()).toBe(next);
    expect(repo.git(["fsck", "--strict"]).toString()).toBe("");
  });
});
