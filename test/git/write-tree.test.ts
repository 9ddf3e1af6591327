import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createOpenRepository } from "../../src/git/open-repository.ts";
import type { Repository } from "../../src/git/repository.ts";
import { fc } from "../seeded.ts";
import { createGitRepo, type FixtureFile, type GitRepo } from "./git-repo.ts";
import { type GitServer, startGitServer } from "./git-server.ts";

// Folder and file names have nothing in common, so that no file stands where a folder is wanted; "a", "a-" and "a.b"
// are in another order as folders.
const folder = fc.constantFrom("a", "a-", "A b", "ü", 'q"t', "back\\slash", "日本");
const name = fc.constantFrom("a.b", "a0", "f", "new\nline", "'", ".gitignore", "tab\t", "é");
const path = fc.tuple(fc.array(folder, { maxLength: 3 }), name).map(([folders, file]) => [...folders, file].join("/"));
const mode = fc.constantFrom("100644", "100755", "120000", "160000", undefined);
const file = fc
  .record({ path, mode, content: fc.string({ maxLength: 20 }) })
  .map(({ mode: given, ...rest }): FixtureFile => {
    if (given === "160000") return { ...rest, mode: given, content: "2".repeat(40) };
    return given ? { ...rest, mode: given } : rest;
  });
const files = fc.uniqueArray(file, { selector: (one) => one.path, maxLength: 12 });
const change = fc.record({ content: fc.option(fc.string({ maxLength: 20 })), executable: fc.option(fc.boolean()) });

describe("writing a tree", () => {
  let repo: GitRepo;
  let server: GitServer;
  const open = async (commit: string): Promise<Repository> =>
    createOpenRepository()({ url: `${server.url}/repo.git`, commit });

  beforeAll(async () => {
    repo = createGitRepo();
    server = await startGitServer(repo.root);
  });
  afterAll(async () => {
    await server.close();
    repo.remove();
  });

  it("gives the same id as git, whatever changes", async () => {
    const changes = fc.array(fc.tuple(change, fc.option(path), fc.nat()), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(files, changes, async (before, wanted) => {
        const after = new Map(before.map((one) => [one.path, one]));
        const made = new Map<string, { path: string; content: Buffer | null; mode?: "100644" | "100755" }>();
        for (const [{ content, executable }, fresh, index] of wanted) {
          const at = fresh ?? before[index % before.length]?.path;
          if (at === undefined || made.has(at) || after.get(at)?.mode === "160000") continue;
          const set = executable === null ? {} : { mode: executable ? ("100755" as const) : ("100644" as const) };
          made.set(at, { path: at, content: content === null ? null : Buffer.from(content), ...set });
          if (content === null) after.delete(at);
          else after.set(at, { ...after.get(at), path: at, content, ...set });
        }
        const commit = repo.commit(before, "before");
        const expected = repo
          .git(["rev-parse", `${repo.commit([...after.values()], "after")}^{tree}`])
          .toString()
          .trim();
        const repository = await open(commit);
        expect(await repository.writeTree([...made.values()])).toBe(expected);
        repository.close();
      }),
      { numRuns: 25 },
    );
  });

  it("allows a file to become a folder, and the reverse, when the rest is deleted", async () => {
    const repository = await open(
      repo.commit([
        { path: "file", content: "1" },
        { path: "dir/x", content: "2" },
        { path: "dir/y/z", content: "3" },
      ]),
    );
    const content = Buffer.from("new");
    const tree = await repository.writeTree([
      { path: "file", content: null },
      { path: "file/inside", content },
      { path: "dir/x", content: null },
      { path: "dir/y/z", content: null },
      { path: "dir", content },
    ]);
    const commit = await repository.writeCommit({
      tree,
      parents: [],
      message: "m",
      author: { name: "A", email: "a@b" },
    });
    await repository.push(commit, "refs/heads/swapped");
    expect(repo.git(["ls-tree", "-r", "--name-only", commit]).toString()).toBe("dir\nfile/inside\n");
    const refused = [
      [{ path: "file/below", content }],
      [{ path: "dir", content }],
      [{ path: "dir", content: null }],
      [
        { path: "dir/x", content: null },
        { path: "dir", content },
      ],
      [
        { path: "new", content },
        { path: "new/below", content },
      ],
      [
        { path: "new", content },
        { path: "new", content: null },
      ],
    ];
    for (const changes of refused) {
      await expect(repository.writeTree(changes)).rejects.toMatchObject({ code: "ANSWER_INVALID" });
    }
    // Deleting what is not there changes nothing.
    const same = await repository.writeTree([
      { path: "none/at/all", content: null },
      { path: "file/x", content: null },
    ]);
    expect(same).toBe(
      repo
        .git(["rev-parse", `${repository.commit}^{tree}`])
        .toString()
        .trim(),
    );
  });

  it.each([
    "",
    "/etc/passwd",
    "../x",
    "a/",
    "a\0b",
    "C:/x",
    ".git/config",
    "a/.GIT/hooks/x",
    ".git /x",
    ".g\u200cit/x",
    "git~1/x",
    ".git::$INDEX_ALLOCATION/x",
    "a\\.git\\config",
  ])("refuses the unsafe path %j", async (unsafe) => {
    const repository = await open(repo.commit([{ path: "file", content: "1" }]));
    const writing = repository.writeTree([{ path: unsafe, content: Buffer.from("x") }]);
    await expect(writing).rejects.toMatchObject({ code: "ANSWER_INVALID", data: { path: unsafe } });
    repository.close();
  });
});
