import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createPathGuard } from "../../src/change/path-guard.ts";
import { createPathPolicy } from "../../src/change/path-policy.ts";
import { createOpenRepository } from "../../src/git/open-repository.ts";
import { bytesOf, textOf } from "../../src/git/read-tree.ts";
import { fc } from "../seeded.ts";
import { createGitRepo, type GitRepo } from "./git-repo.ts";
import { type GitServer, startGitServer } from "./git-server.ts";

/** Bytes as they come from Latin-1, Shift-JIS, cut UTF-8, an overlong slash, a surrogate; and what looks like them. */
const NAMES = [
  [0x63, 0x61, 0x66, 0xe9],
  [0x63, 0x61, 0x66, 0xe8],
  [0x93, 0xfa, 0x96, 0x7b],
  [0xe2, 0x82],
  [0xe2, 0x82, 0x41],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xff],
  [0xef, 0xbf, 0xbd],
  [0xef, 0xbf, 0xbd, 0x45, 0x39],
  [...Buffer.from("日本é")],
].map((bytes) => Buffer.from(bytes).toString("latin1"));

describe("names that are not UTF-8", () => {
  const name = fc
    .array(
      fc.oneof(
        fc.constantFrom(...NAMES),
        fc.integer({ min: 1, max: 255 }).map((byte) => String.fromCharCode(byte)),
      ),
    )
    .map((parts) => parts.join(""));

  it("are text that stands for these bytes alone", () => {
    fc.assert(
      fc.property(name, (bytes) => {
        const text = textOf(bytes);
        expect(bytesOf(text)).toBe(bytes);
        expect(text).not.toMatch(/\p{Cs}/u);
      }),
    );
    for (const readable of ["a.ts", "é", "日本", "🙂", "back\\xE9slash"])
      expect(textOf(Buffer.from(readable).toString("latin1"))).toBe(readable);
  });

  it("show what can be read of them", () => {
    expect(textOf("caf\xe9.txt")).toBe("caf\uFFFDE9.txt");
  });

  describe("in a repository", () => {
    let repo: GitRepo;
    let server: GitServer;
    let commit: string;
    const treeOf = (content: string) => {
      const blob = repo.git(["hash-object", "-w", "--stdin"], content).toString().trim();
      const line = (path: string) => Buffer.from(`100644 blob ${blob}\t${path}\0`, "latin1");
      const own = repo.git(["hash-object", "-w", "--stdin"], "old").toString().trim();
      const lines = NAMES.map((path) => Buffer.from(`100644 blob ${own}\t${path}\0`, "latin1"));
      return repo
        .git(["mktree", "-z"], Buffer.concat([...lines, line("plain.txt")]))
        .toString()
        .trim();
    };

    beforeAll(async () => {
      repo = createGitRepo();
      server = await startGitServer(repo.root);
      const identity = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
      commit = repo
        .git([...identity, "commit-tree", "-m", "bytes", treeOf("old")])
        .toString()
        .trim();
      repo.git(["update-ref", "refs/heads/main", commit]);
    });
    afterAll(async () => {
      await server.close();
      repo.remove();
    });

    const open = () => createOpenRepository()({ url: `${server.url}/repo.git`, commit });

    it("are each a file of its own, and stay what they are when another file changes", async () => {
      const repository = await open();
      expect(repository.entries.size).toBe(NAMES.length + 1);
      expect(await repository.writeTree([{ path: "plain.txt", content: Buffer.from("new") }])).toBe(treeOf("new"));
      repository.close();
    });

    it("are written back under their own bytes, as a merge does", async () => {
      const repository = await open();
      const changes = [...repository.entries.keys()].map((path) => ({ path, content: Buffer.from("old") }));
      expect(await repository.writeTree(changes)).toBe(treeOf("old"));
      repository.close();
    });

    it("are never edited, made or deleted, and it is said why", async () => {
      const repository = await open();
      const policy = createPathPolicy({});
      const guard = await createPathGuard(repository, policy);
      const odd = [...repository.entries.keys()].filter((path) => path.includes("\uFFFD"));
      expect(odd).toHaveLength(NAMES.length - 1);
      for (const path of [...odd, "new\uFFFDFF.txt"])
        for (const action of ["modify", "create", "delete"] as const)
          expect(guard({ path, action })?.reason).toMatch(/not in UTF-8/);
      repository.close();
    });

    it("cannot hide a path that leads out of the repository", async () => {
      const repository = await open();
      const path = ".g\uFFFDE2\uFFFD80\uFFFD8Cit/config";
      const written = repository.writeTree([{ path, content: Buffer.from("") }]);
      await expect(written).rejects.toThrow("not a safe path");
      repository.close();
    });
  });
});
