import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createOpenRepository } from "../../src/git/open-repository.ts";
import { createGitRepo, type GitRepo } from "./git-repo.ts";
import { type GitServer, startGitServer } from "./git-server.ts";

describe("servers of every kind", () => {
  let repo: GitRepo;
  let server: GitServer;
  let tip: string;
  const open = createOpenRepository({ timeoutMs: 120_000 });
  const source = (commit: string) => ({ url: `${server.url}/repo.git/`, commit });

  beforeAll(async () => {
    repo = createGitRepo();
    repo.commit([{ path: "a", content: "1" }]);
    tip = repo.commit([
      { path: "a", content: "2" },
      { path: "giant", content: Buffer.alloc(50_000, "x") },
    ]);
    server = await startGitServer(repo.root);
  });
  beforeEach(() => {
    delete server.behaviour.protocol;
    server.log.length = 0;
  });
  afterAll(async () => {
    await server.close();
    repo.remove();
  });

  it("asks a server of the old protocol for the tip of a branch", async () => {
    server.behaviour.protocol = 1;
    const repository = await open(source(tip));
    expect([...repository.entries.keys()]).toEqual(["a", "giant"]);
    expect(Buffer.from(await repository.readBlob(repository.entries.get("a")?.blob ?? "")).toString()).toBe("2");
  });

  it("lets isomorphic-git clone where an answer is of an unknown form, and says so", async () => {
    server.behaviour.intercept = (request, response) => {
      if (request.headers["git-protocol"] === undefined) return false;
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<p>The gateway does not know this header.</p>");
      return true;
    };
    const warned: string[] = [];
    const log = { warn: (_data: object, message: string) => void warned.push(message) };
    const repository = await createOpenRepository({ timeoutMs: 120_000 }, log)(source(tip));
    delete server.behaviour.intercept;
    expect([...repository.entries.keys()]).toEqual(["a", "giant"]);
    expect(warned).toEqual(["the server answered in an unknown form, so isomorphic-git clones instead"]);
  });

  it("leaves giant blobs out where the server can, and gets them where it cannot", async () => {
    const limited = createOpenRepository({ blobLimit: 1_000 });
    const whole = await limited(source(tip));
    expect(whole.entries.get("giant")?.size).toBe(50_000);
    expect(server.log).toHaveLength(2);
    repo.git(["config", "uploadpack.allowFilter", "true"]);
    const partial = await limited(source(tip));
    const giant = partial.entries.get("giant");
    expect(giant).toEqual({ path: "giant", blob: whole.entries.get("giant")?.blob, mode: "100644" });
    await expect(partial.readBlob(giant?.blob ?? "")).rejects.toMatchObject({ code: "BLOB_MISSING" });
    const tree = await partial.writeTree([{ path: "a", content: Buffer.from("3") }]);
    const author = { name: "A", email: "a@example.com" };
    const commit = await partial.writeCommit({ tree, parents: [tip], message: "m", author });
    await partial.push(commit, `refs/heads/partial`);
    expect(repo.git(["ls-tree", "-r", "--name-only", commit]).toString()).toBe("a\ngiant\n");
  });
});
