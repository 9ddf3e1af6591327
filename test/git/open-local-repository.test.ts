import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createOpenLocalRepository, findLocalCommit } from "../../src/git/open-local-repository.ts";
import { runProgramNow } from "../world/git/run-program.ts";
import { createGitRepo, type GitRepo } from "./git-repo.ts";

const environment = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
const how = { environment, signal: new AbortController().signal };
const open = (url: string, commit: string) => createOpenLocalRepository(environment)({ url, commit });

describe("a repository on this machine", () => {
  let repo: GitRepo;
  let folder: string;
  let first: string;
  let second: string;
  const git = (...args: string[]) =>
    runProgramNow({ command: "git", args, env: { ...process.env, ...environment }, cwd: folder, input: "" });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "magis-local-"));
    repo = createGitRepo();
    const inner = "1234567890".repeat(4);
    first = repo.commit([{ path: "a.txt", content: "one\n" }]);
    second = repo.commit([
      { path: "a.txt", content: "two\n" },
      { path: "a link", content: "a.txt", mode: "120000" },
      { path: "bin/grüße", content: "#!/bin/sh\n", mode: "100755" },
      { path: "inner", content: inner, mode: "160000" },
    ]);
    repo.git(["-c", "user.name=T", "-c", "user.email=t@example.com", "tag", "-a", "-m", "v1", "v1", first]);
    repo.git(["config", "uploadpack.allowFilter", "true"]);
  });
  afterAll(() => {
    repo.remove();
    rmSync(folder, { recursive: true });
  });

  it("is read at one commit, links, modes and submodules included", async () => {
    const repository = await open(repo.dir, second);
    const listed = [...repository.entries.values()].map(({ path, mode }) => `${mode} ${path}`);
    expect(listed).toEqual(["120000 a link", "100644 a.txt", "100755 bin/grüße", "160000 inner"]);
    const blob = repository.entries.get("a.txt")?.blob ?? "";
    expect(Buffer.from(await repository.readBlob(blob)).toString()).toBe("two\n");
    const tree = await repository.writeTree([{ path: "a.txt", content: Buffer.from("three\n") }]);
    expect(tree).toMatch(/^[0-9a-f]{40}$/);
    await expect(repository.push(second, "refs/heads/x")).rejects.toMatchObject({ code: "GIT_PUSH_REFUSED" });
    repository.close();
  });

  it("is found at HEAD, a branch, a tag or a commit, from anywhere within a working copy", async () => {
    const copy = join(folder, "copy");
    git("clone", "-q", repo.dir, copy);
    expect(await findLocalCommit(repo.dir, undefined, how)).toEqual({ commit: second, changed: false });
    expect(await findLocalCommit(repo.dir, "v1", how)).toEqual({ commit: first, changed: false });
    expect(await findLocalCommit(join(copy, "bin"), "main", how)).toEqual({ commit: second, changed: false });
    writeFileSync(join(copy, "new.txt"), "new\n");
    expect(await findLocalCommit(copy, first, how)).toEqual({ commit: first, changed: true });
    expect((await open(join(copy, "bin"), second)).entries.size).toBe(4);
    git("clone", "-q", "--depth", "1", `file://${repo.dir}`, join(folder, "shallow"));
    expect((await open(join(folder, "shallow"), second)).entries.size).toBe(4);
  });

  it("has changed where git keeps its index in two files", async () => {
    const split = join(folder, "split");
    git("clone", "-q", repo.dir, split);
    git("-C", split, "update-index", "--split-index");
    expect((await findLocalCommit(split, undefined, how)).changed).toBe(false);
    writeFileSync(join(split, "a.txt"), "changed\n");
    expect((await findLocalCommit(split, undefined, how)).changed).toBe(true);
  });

  it("has changed by a file of the same size, written in the second of the checkout", async () => {
    const secondOf = (path: string) => Math.floor(statSync(path).ctimeMs / 1000);
    let copy = "";
    let written = 0;
    for (let tried = 0; copy === "" || secondOf(join(copy, ".git/index")) !== written; tried++) {
      copy = join(folder, `quick-${tried}`);
      git("clone", "-q", repo.dir, copy);
      writeFileSync(join(copy, "a.txt"), "2wo\n");
      written = secondOf(join(copy, "a.txt"));
    }
    while (Math.floor(Date.now() / 1000) <= written) await wait(10);
    expect((await findLocalCommit(copy, undefined, how)).changed).toBe(true);
  });

  it("counts as changed when git cannot compare its working copy", async () => {
    const copy = join(folder, "damaged");
    git("clone", "-q", repo.dir, copy);
    writeFileSync(join(copy, ".git/index"), "no index");
    expect(await findLocalCommit(copy, undefined, how)).toEqual({ commit: second, changed: true });
  });

  it("is refused with a sentence when it cannot be read", async () => {
    const saying = (words: string) => ({ code: "GIT_NOT_FOUND", message: expect.stringContaining(words) });
    await expect(findLocalCommit(repo.dir, "nowhere", how)).rejects.toMatchObject(saying("no commit nowhere"));
    await expect(findLocalCommit(repo.dir, "--all", how)).rejects.toMatchObject(saying("no commit --all"));
    await expect(findLocalCommit(folder, undefined, how)).rejects.toMatchObject(
      saying("There is no git repository in"),
    );
    await expect(findLocalCommit(join(folder, "none"), undefined, how)).rejects.toMatchObject(saying("no directory"));
    git("init", "-q", join(folder, "empty"));
    await expect(findLocalCommit(join(folder, "empty"), undefined, how)).rejects.toMatchObject(
      saying("no commits yet"),
    );
    git("init", "-q", "--object-format=sha256", join(folder, "long"));
    await expect(findLocalCommit(join(folder, "long"), undefined, how)).rejects.toMatchObject(saying("only SHA-1"));
    const partial = join(folder, "partial");
    git("clone", "-q", "--no-checkout", "--filter=blob:none", `file://${repo.dir}`, partial);
    await expect(open(partial, second)).rejects.toMatchObject(saying("partial or damaged clone"));
    const gone = createOpenLocalRepository({ ...environment, PATH: folder });
    await expect(gone({ url: repo.dir, commit: second })).rejects.toMatchObject(saying("install it"));
  });

  it("ends with RUN_CANCELLED when aborted, and leaves out large files", async () => {
    const signal = AbortSignal.abort();
    const cancelled = createOpenLocalRepository(environment)({ url: repo.dir, commit: second, signal });
    await expect(cancelled).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    const small = createOpenLocalRepository(environment, { maxUnpackedBytes: 100 });
    await expect(small({ url: repo.dir, commit: second })).rejects.toMatchObject({ code: "GIT_PACK_TOO_LARGE" });
  });
});
