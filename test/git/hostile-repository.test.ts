import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createOpenMirror } from "../../eval/mirror.ts";
import { createOpenLocalRepository, findLocalCommit } from "../../src/git/open-local-repository.ts";

const environment = { ...process.env, ANTHROPIC_API_KEY: "a-secret-key", GIT_CONFIG_GLOBAL: "/dev/null" };
const signal = new AbortController().signal;

let folder: string;
let copy: string;
const marks = () => readdirSync(join(folder, "marks"));
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
    cwd: copy,
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    stdio: "pipe",
  }).toString();

/** A program that leaves a mark, the environment in it, and hands on what it is given. */
function trap(name: string): string {
  const file = join(folder, `trap-${name}`);
  writeFileSync(file, `#!/bin/sh\nenv > '${join(folder, "marks", name)}'\ncat\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Commits made before anything of the repository is hostile. */
function makeRepository(): string {
  mkdirSync(copy);
  git("init", "-q", "-b", "main");
  writeFileSync(join(copy, "a.txt"), "one\n");
  writeFileSync(join(copy, ".gitattributes"), "* filter=evil diff=evil merge=evil\n");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  return git("rev-parse", "HEAD").trim();
}

const SETTINGS: readonly (readonly [name: string, key: string])[] = [
  ["clean", "filter.evil.clean"],
  ["smudge", "filter.evil.smudge"],
  ["process", "filter.evil.process"],
  ["textconv", "diff.evil.textconv"],
  ["diff", "diff.evil.command"],
  ["external", "diff.external"],
  ["fsmonitor", "core.fsmonitor"],
  ["ssh", "core.sshCommand"],
  ["pager", "core.pager"],
  ["log-pager", "pager.log"],
  ["status-pager", "pager.status"],
  ["editor", "core.editor"],
  ["askpass", "core.askPass"],
  ["proxy", "core.gitProxy"],
  ["alternates", "core.alternateRefsCommand"],
  ["hook", "uploadpack.packObjectsHook"],
  ["helper", "credential.helper"],
  ["gpg", "gpg.program"],
  ["merge", "merge.evil.driver"],
];

/** Everything that a repository's own settings can name to be run, by each way that they can be given. */
function makeHostile(): void {
  const lines = SETTINGS.map(([name, key]) => [key, trap(name)] as const);
  for (const [key, command] of lines) git("config", key, command);
  git("config", "log.showSignature", "true");
  for (const name of ["status", "rev-parse", "pack-objects", "log"])
    git("config", `alias.${name}`, `!${trap(`alias-${name}`)}`);
  const included = join(folder, "included");
  writeFileSync(included, `[filter "evil"]\n\tclean = ${trap("included")}\n\trequired = true\n`);
  git("config", "include.path", included);
  git("config", "extensions.partialClone", "origin");
  git("config", "remote.origin.promisor", "true");
  git("config", "remote.origin.url", `ext::${trap("remote")}`);
  git("config", "protocol.ext.allow", "always");
  const hooks = join(folder, "hooks");
  mkdirSync(hooks);
  for (const name of ["post-index-change", "reference-transaction", "fsmonitor-watchman", "post-checkout"]) {
    for (const place of [hooks, join(copy, ".git", "hooks")]) {
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, name), `#!/bin/sh\nenv > '${join(folder, "marks", `hook-${name}`)}'\n`, {
        mode: 0o755,
      });
    }
  }
  git("config", "core.hooksPath", hooks);
  for (const name of marks()) rmSync(join(folder, "marks", name));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "magis-hostile-"));
  copy = join(folder, "copy");
  mkdirSync(join(folder, "marks"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a repository whose settings name programs", () => {
  it("is read and compared with its working copy without running any of them", async () => {
    const commit = makeRepository();
    makeHostile();
    const open = createOpenLocalRepository(environment);
    expect(await findLocalCommit(copy, undefined, { environment, signal })).toEqual({ commit, changed: false });
    const repository = await open({ url: copy, commit });
    expect(repository.entries.size).toBe(2);
    expect(await repository.history()).toEqual([{ commit, message: "first", paths: [".gitattributes", "a.txt"] }]);
    // Git looks into a file only when its times are others than the index says: then it would ask the filter.
    utimesSync(join(copy, "a.txt"), 1, 1);
    expect(await findLocalCommit(copy, "main", { environment, signal })).toEqual({ commit, changed: false });
    writeFileSync(join(copy, "a.txt"), "two\n");
    expect(await findLocalCommit(copy, undefined, { environment, signal })).toEqual({ commit, changed: true });
    expect(marks()).toEqual([]);
    // That they are traps that work: git itself falls into one.
    expect(() => git("status", "--porcelain")).toThrow();
    expect(marks()).not.toEqual([]);
  });

  it("is not asked for missing objects", async () => {
    makeRepository();
    makeHostile();
    const missing = "1".repeat(40);
    await expect(findLocalCommit(copy, missing, { environment, signal })).rejects.toMatchObject({
      code: "GIT_NOT_FOUND",
    });
    await expect(createOpenLocalRepository(environment)({ url: copy, commit: missing })).rejects.toThrow();
    expect(marks()).toEqual([]);
  });

  it("is found through its working copies", async () => {
    const commit = makeRepository();
    git("worktree", "add", "-q", join(folder, "second"));
    makeHostile();
    mkdirSync(join(copy, "inner"));
    for (const place of [join(folder, "second"), join(copy, "inner")]) {
      expect(await findLocalCommit(place, undefined, { environment, signal })).toEqual({ commit, changed: false });
    }
    writeFileSync(join(folder, "second", "a.txt"), "three\n");
    expect((await findLocalCommit(join(folder, "second"), undefined, { environment, signal })).changed).toBe(true);
    expect(marks()).toEqual([]);
  });

  it("is a mirror that runs nothing", async () => {
    const commit = makeRepository();
    makeHostile();
    mkdirSync(join(folder, "mirrors"));
    execFileSync("cp", ["-r", copy, join(folder, "mirrors", "octo__cat")]);
    const mirror = await createOpenMirror(join(folder, "mirrors"), environment)("octo/cat");
    const entries = (await mirror?.entries(commit)) ?? [];
    expect(entries.map(({ path }) => path)).toEqual([".gitattributes", "a.txt"]);
    const contents: string[] = [];
    await mirror?.readBlobs(
      entries.map(({ blob }) => blob),
      (_, content) => contents.push(Buffer.from(content).toString()),
    );
    expect(contents).toHaveLength(2);
    const patch = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
    expect(await mirror?.refusalOf(commit, patch)).toBeUndefined();
    expect(await mirror?.hasCommit("1".repeat(40))).toBe(false);
    expect(marks()).toEqual([]);
  });

  it.each(["../octo/cat", "octo/..", "./cat", "octo/cat/..", "-x/cat", "octo/-x", "/octo/cat", "octo"])(
    "is no mirror by the name %s",
    async (name) => {
      makeRepository();
      expect(await createOpenMirror(join(folder, "none"), environment)(name)).toBeUndefined();
      expect(existsSync(join(folder, "none"))).toBe(false);
    },
  );
});
