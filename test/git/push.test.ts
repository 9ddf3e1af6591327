import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createOpenRepository } from "../../src/git/open-repository.ts";
import type { Repository } from "../../src/git/repository.ts";
import { createGitRepo, type GitRepo } from "./git-repo.ts";
import { type GitServer, startGitServer } from "./git-server.ts";

const AUTHOR = { name: "A <b>", email: "a@example.com" };

describe("pushing", () => {
  let repo: GitRepo;
  let server: GitServer;
  let base: string;
  let repository: Repository;
  let tokens = 0;

  beforeAll(async () => {
    repo = createGitRepo();
    repo.commit([{ path: "a", content: "0" }]);
    const files = Array.from({ length: 50 }, (_, i) => ({ path: `d${i % 5}/f${i}`, content: `${i}` }));
    base = repo.commit([...files, { path: "back\\slash", content: "" }]);
    server = await startGitServer(repo.root);
  });
  beforeEach(async () => {
    const token = async () => `t${tokens++}`;
    repository = await createOpenRepository()({ url: `${server.url}/repo.git`, commit: base, token });
  });
  afterEach(() => {
    repository.close();
    delete server.behaviour.token;
    writeFileSync(join(repo.dir, "hooks", "update"), "#!/bin/sh\nexit 0\n");
  });
  afterAll(async () => {
    await server.close();
    repo.remove();
  });

  const change = async (content: string, parents = [base]): Promise<string> => {
    const tree = await repository.writeTree([{ path: "d1/f1", content: Buffer.from(content) }]);
    return repository.writeCommit({
      tree,
      parents,
      message: content,
      author: AUTHOR,
      date: new Date(1_700_000_000_000),
    });
  };
  const objects = (): number => Number(/in-pack: (\d+)/.exec(repo.git(["count-objects", "-v"]).toString())?.[1]);

  it("sends only the new objects", async () => {
    repo.git(["config", "receive.unpackLimit", "1"]);
    const before = objects();
    const first = await change("one");
    const second = await change("two", [first]);
    await repository.push(second, "refs/heads/two");
    // Two commits; the first one's root, folder and file, and the second one's.
    expect(objects() - before).toBe(8);
    expect(repo.git(["fsck", "--strict"]).toString()).toBe("");
    expect(repo.git(["log", "-1", "--format=%an %ae %ct %P", second]).toString()).toBe(
      `A b a@example.com 1700000000 ${first}\n`,
    );
  });

  it("makes the same commit from the same date, and pushes it again from a new clone", async () => {
    const commit = await change("same");
    await repository.push(commit, "refs/heads/same");
    repository.close();
    repository = await createOpenRepository()({ url: `${server.url}/repo.git`, commit: base });
    expect(await change("same")).toBe(commit);
    await repository.push(commit, "refs/heads/same");
    await repository.push(commit, "refs/magis/staging/same");
  });

  it("advances a branch, and refuses when it has moved", async () => {
    const first = await change("first");
    await repository.push(first, "refs/heads/forward");
    const second = await change("second", [first]);
    await repository.push(second, "refs/heads/forward");
    const sibling = await change("sibling");
    await expect(repository.push(sibling, "refs/heads/forward")).rejects.toMatchObject({ code: "GIT_BRANCH_MOVED" });
    expect(repo.git(["rev-parse", "refs/heads/forward"]).toString().trim()).toBe(second);
  });

  it("makes a branch at the commit it was opened at", async () => {
    await repository.push(base, "refs/heads/at-base");
    expect(repo.git(["rev-parse", "refs/heads/at-base"]).toString().trim()).toBe(base);
  });

  it("notices a branch that moves while the pack is on its way", async () => {
    const commit = await change("late");
    repo.git(["update-ref", "refs/heads/race", base]);
    const hook = `#!/bin/sh\n[ "$1" = refs/heads/race ] && git update-ref refs/heads/race ${base}~1\nexit 0\n`;
    writeFileSync(join(repo.dir, "hooks", "update"), hook);
    chmodSync(join(repo.dir, "hooks", "update"), 0o755);
    await expect(repository.push(commit, "refs/heads/race")).rejects.toMatchObject({ code: "GIT_BRANCH_MOVED" });
  });

  it("passes on the server's own sentence when a hook refuses", async () => {
    const hook = "#!/bin/sh\nprintf '\\033[31mPlease open\\033[0m an issue first.\\n' >&2\nexit 1\n";
    writeFileSync(join(repo.dir, "hooks", "update"), hook);
    chmodSync(join(repo.dir, "hooks", "update"), 0o755);
    const error = await repository.push(await change("hooked"), "refs/heads/hooked").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "GIT_PUSH_REFUSED" });
    expect(String(error)).toContain("hook declined. It says: Please open an issue first.");
  });

  it("refuses names that are not full refs, and a name below an existing branch", async () => {
    const commit = await change("names");
    for (const ref of ["main", "refs/x", "refs/heads/a b", "refs/heads/a..b", "refs/heads/a\nb", "refs/heads/x.lock"]) {
      await expect(repository.push(commit, ref)).rejects.toMatchObject({ code: "GIT_PUSH_REFUSED" });
    }
    await expect(repository.push(commit, "refs/heads/main/below")).rejects.toMatchObject({ code: "GIT_PUSH_REFUSED" });
  });

  it("asks for a new token, and reports a refused one", async () => {
    const commit = await change("token");
    server.behaviour.token = `t${tokens}`;
    await expect(repository.push(commit, "refs/heads/token")).rejects.toMatchObject({ code: "GIT_TOKEN_REFUSED" });
    expect(new Set(server.authorizations.slice(-3)).size).toBe(3);
  });

  it("cannot be used after it was closed", async () => {
    repository.close();
    const { blob } = [...repository.entries.values()][0] ?? { blob: "" };
    await expect(repository.readBlob(blob)).rejects.toMatchObject({ code: "BLOB_MISSING" });
    await expect(change("closed")).rejects.toMatchObject({ code: "BLOB_MISSING" });
  });
});
