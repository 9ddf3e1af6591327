import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { TreeEntry } from "../../../src/ports/repository.ts";
import { mergeTrees, type TreeMerge } from "../../../src/workflow/change/merge-trees.ts";
import type { Side } from "../../../src/workflow/change/sides.ts";
import { runProgramNow } from "../../world/git/run-program.ts";

/** Paths with their contents; a mode other than a plain file's stands before the content: `120000 target`. */
type Files = Readonly<Record<string, string>>;

const MODE = /^(100755|120000|160000) /;

function sideOf(files: Files): Side {
  const entries = new Map<string, TreeEntry>();
  const blobs = new Map<string, Uint8Array>();
  for (const [path, text] of Object.entries(files)) {
    const mode = (MODE.exec(text)?.[1] ?? "100644") as TreeEntry["mode"];
    const content = Buffer.from(text.replace(MODE, ""));
    const blob = content.toString("hex");
    blobs.set(blob, content);
    entries.set(path, { path, mode, blob, size: content.length });
  }
  return { entries, readBlob: async (blob) => blobs.get(blob) };
}

const merge = (base: Files, ours: Files, theirs: Files, made: "ours" | "theirs" = "ours"): Promise<TreeMerge> =>
  mergeTrees({ base: sideOf(base), ours: sideOf(ours), theirs: sideOf(theirs) }, { made });

/** Our files with what the merge changes. */
function applied(ours: Files, { files }: TreeMerge): Files {
  const made: Record<string, string> = { ...ours };
  for (const { path, content, mode } of files) {
    delete made[path];
    if (content) made[path] = `${mode === "100644" ? "" : `${mode} `}${Buffer.from(content).toString()}`;
  }
  return made;
}

const TEXT = "1\n2\n3\n4\n5\n";
const OURS = "one\n2\n3\n4\n5\n";
const THEIRS = "1\n2\n3\n4\nfive\n";
const BOTH = "one\n2\n3\n4\nfive\n";

/** Long enough that a changed line leaves it similar. */
const LONG = Array.from({ length: 12 }, (_, at) => `line ${at}\n`).join("");
const LONGER = `${LONG}one more\n`;
const IN_MOVED = "it is new in a folder that the other side moved";
const OTHER = Array.from({ length: 12 }, (_, at) => `something else ${at}\n`).join("");

describe("mergeTrees", () => {
  it.each<[what: string, base: Files, ours: Files, theirs: Files, merged: Files]>([
    ["a file that only they changed", { a: TEXT }, { a: TEXT }, { a: THEIRS }, { a: THEIRS }],
    ["a file that only we changed", { a: TEXT }, { a: OURS }, { a: TEXT }, { a: OURS }],
    ["a file that both changed", { a: TEXT }, { a: OURS }, { a: THEIRS }, { a: BOTH }],
    ["a file that they added", {}, { b: "" }, { a: TEXT }, { a: TEXT, b: "" }],
    ["a file that they deleted", { a: TEXT, b: "" }, { a: TEXT, b: "" }, { b: "" }, { b: "" }],
    ["a file that both deleted", { a: TEXT, b: "" }, { b: "" }, { b: "" }, { b: "" }],
    ["the same file added by both", {}, { a: TEXT }, { a: TEXT }, { a: TEXT }],
    [
      "a mode that they changed, and lines that we did",
      { a: TEXT },
      { a: OURS },
      { a: `100755 ${TEXT}` },
      { a: `100755 ${OURS}` },
    ],
    ["a link that only they changed", { a: "120000 x" }, { a: "120000 x" }, { a: "120000 y" }, { a: "120000 y" }],
    ["a file that they moved", { a: TEXT }, { a: TEXT }, { "b/a": TEXT }, { "b/a": TEXT }],
    ["a folder in place of a file", { a: TEXT }, { a: TEXT }, { "a/b": TEXT }, { "a/b": TEXT }],
  ])("merges %s", async (_what, base, ours, theirs, merged) => {
    const result = await merge(base, ours, theirs);
    expect(applied(ours, result)).toEqual(merged);
    expect(result).toMatchObject({ conflicts: [], declined: [], renewed: [] });
  });

  it.each<[what: string, base: Files, ours: Files, theirs: Files, merged: Files]>([
    ["that the branch moved and they changed", { a: LONG }, { b: LONG }, { a: LONGER }, { b: LONGER }],
    ["that the branch moved and changed", { a: LONG }, { b: `0\n${LONG}` }, { a: LONGER }, { b: `0\n${LONGER}` }],
    ["that they moved and the branch changed", { a: LONG }, { a: LONGER }, { b: LONG }, { b: LONGER }],
    ["that they deleted, and the branch perhaps moved", { a: LONG }, { b: LONG, c: LONG }, {}, { b: LONG, c: LONG }],
    ["that both moved to one place", { a: LONG }, { b: `0\n${LONG}` }, { b: LONGER }, { b: `0\n${LONGER}` }],
    ["that they moved and the branch has as it was", { a: LONG }, { a: LONG }, { b: LONGER }, { b: LONGER }],
    [
      "that the branch moved and they left alone",
      { a: LONG, c: TEXT },
      { b: LONG, c: TEXT },
      { a: LONG, c: OURS },
      { b: LONG, c: OURS },
    ],
    [
      "of a folder that the branch moved",
      { "x/a": LONG, "x/b": OTHER },
      { "y/a": LONG, "y/b": OTHER },
      { "x/a": LONGER, "x/b": OTHER },
      { "y/a": LONGER, "y/b": OTHER },
    ],
    [
      "with the same name among equal ones",
      { "x/a": LONG, "x/b": LONG },
      { "y/a": LONG, "y/b": LONG },
      { "x/a": LONGER, "x/b": LONG },
      { "y/a": LONGER, "y/b": LONG },
    ],
  ])("follows a file %s", async (_what, base, ours, theirs, merged) => {
    const result = await merge(base, ours, theirs);
    expect(applied(ours, result)).toEqual(merged);
    expect(result).toMatchObject({ conflicts: [], declined: [] });
  });

  it.each<[why: string, base: Files, ours: Files, theirs: Files]>([
    ["both sides moved it to different places", { a: LONG }, { b: LONG }, { c: LONG }],
    ["moved here, deleted there", { a: LONG }, { b: LONG }, {}],
    ["deleted here, moved there", { a: LONG }, {}, { b: LONG }],
    ["it was moved to where the other side has another file", { a: LONG }, { b: LONG }, { a: LONGER, b: TEXT }],
    ["it was moved to where the other side has another file", { a: LONG }, { a: LONGER, b: TEXT }, { b: LONG }],
    ["moved there, and both sides changed the same lines", { a: LONG }, { a: `x${LONG}` }, { b: `y${LONG}` }],
    ["it seems to have moved, and it is not clear where to", { a: LONG }, { b: LONG, c: LONG }, { a: LONGER }],
    [
      "it seems to have moved, and it is not clear where to",
      { a: LONG },
      { b: `0\n${LONG}`, c: `${LONG}0\n` },
      { a: LONGER },
    ],
    ["deleted here, changed there", { a: LONG }, { b: OTHER }, { a: LONGER }],
  ])("declines, since names do not go together: %s", async (why, base, ours, theirs) => {
    expect((await merge(base, ours, theirs)).declined).toContainEqual({ path: "a", why });
  });

  it("declines a new file in a folder that the other side moved", async () => {
    const [base, moved, added] = [{ "x/a": LONG }, { "y/a": LONG }, { "x/a": LONG, "x/n": TEXT }];
    for (const [ours, theirs] of [
      [moved, added],
      [added, moved],
    ] as const)
      expect((await merge(base, ours, theirs)).declined).toEqual([{ path: "x/n", why: IN_MOVED }]);
  });

  it("gives the conflicts of a moved file where the branch has it, and says where that is", async () => {
    const result = await merge({ a: LONG }, { b: `x${LONG}` }, { a: `y${LONG}` });
    expect(result).toMatchObject({ conflicts: [{ path: "b" }], declined: [], moved: [{ from: "a", to: "b" }] });
  });

  it("compares a bounded number of files, however many there are", async () => {
    let read = 0;
    const many = (word: string) =>
      Object.fromEntries(
        Array.from({ length: 400 }, (_, at) => [
          `${word}/${at}`,
          Array.from({ length: 20 }, (_, line) => `${word} ${at} ${line}\n`).join(""),
        ]),
      );
    const [base, ours, theirs] = [sideOf(many("x")), sideOf(many("y")), sideOf({})];
    const counting = (side: Side): Side => ({
      ...side,
      readBlob(blob) {
        read += 1;
        return side.readBlob(blob);
      },
    });
    await mergeTrees({ base: counting(base), ours: counting(ours), theirs }, { made: "ours" });
    expect(read).toBeLessThan(600);
  });

  it.each<[why: string, base: Files, ours: Files, theirs: Files]>([
    ["deleted here, changed there", { a: TEXT }, {}, { a: THEIRS }],
    ["changed here, deleted there", { a: TEXT }, { a: OURS }, {}],
    ["a binary file that both sides changed", { a: "\0" }, { a: "\0\0" }, { a: "\0\0\0" }],
    [
      "a link, submodule or file in Git LFS that both sides changed",
      { a: "120000 x" },
      { a: "120000 y" },
      { a: "120000 z" },
    ],
    ["a link, submodule or file in Git LFS that both sides changed", { a: TEXT }, { a: "160000 y" }, { a: THEIRS }],
    [
      "a link, submodule or file in Git LFS that both sides changed",
      { a: "version https://git-lfs.github.com/spec/v1\n1\n" },
      { a: "version https://git-lfs.github.com/spec/v1\n2\n" },
      { a: "version https://git-lfs.github.com/spec/v1\n3\n" },
    ],
    ["a submodule", { a: "160000 x" }, { a: "160000 x" }, { a: "160000 y" }],
    ["a file where the other side has a folder", {}, { "a/b": TEXT }, { a: TEXT }],
  ])("declines: %s", async (why, base, ours, theirs) => {
    const result = await merge(base, ours, theirs);
    expect(result.declined).toEqual([{ path: "a", why }]);
    expect(applied(ours, result)).toEqual(ours);
  });

  it("gives the hunks of a file that both changed at the same place", async () => {
    const { conflicts, files } = await merge(
      { a: TEXT, b: TEXT },
      { a: OURS, b: OURS },
      { a: "uno\n2\n3\n4\n5\n", b: THEIRS },
    );
    expect(files.map(({ path }) => path)).toEqual(["b"]);
    expect(conflicts).toMatchObject([
      { path: "a", mode: "100644", hunks: [{ base: ["1\n"], ours: ["one\n"], theirs: ["uno\n"], line: 1 }] },
    ]);
    expect(Buffer.from(conflicts[0]?.resolve([["1!\n"]]) ?? []).toString()).toBe("1!\n2\n3\n4\n5\n");
  });

  it.each<[path: string, header: string, command: string | undefined]>([
    ["package-lock.json", "{", "npm install"],
    ["sub/Cargo.lock", "", "cargo update --workspace"],
    ["test/__snapshots__/a.test.ts.snap", "// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing", undefined],
    [
      "types.d.ts",
      "// This file is automatically generated by `npm run types:make`. Do not edit.",
      "npm run types:make",
    ],
    ["api.go", "// Code generated by mockgen -source api.go. DO NOT EDIT.", "mockgen -source api.go"],
    ["made.py", "# @generated by the script make_tables.py", "the script make_tables.py"],
    ["made.c", "/* @generated */", undefined],
  ])("takes one side's %s as it is", async (path, header, command) => {
    const files = (text: string) => ({ [path]: `${header}\n${text}` });
    const [base, ours, theirs] = [files(TEXT), files(OURS), files(THEIRS)];
    const kept = await merge(base, ours, theirs);
    expect(kept).toMatchObject({ files: [], conflicts: [], declined: [], renewed: [{ path, command }] });
    expect(applied(ours, await merge(base, ours, theirs, "theirs"))).toEqual(theirs);
  });

  it("takes a lock file that only they changed", async () => {
    const result = await merge({ "yarn.lock": "1" }, { "yarn.lock": "1" }, { "yarn.lock": "2" });
    expect(applied({}, result)).toEqual({ "yarn.lock": "2" });
  });
});

describe("mergeTrees beside git merge-tree", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "magis-trees-"));
    git(["init", "-q", "--bare"]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function git(args: readonly string[], input: string | Uint8Array = ""): string {
    const who = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a" };
    const env = { ...process.env, ...who, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
    return runProgramNow({ command: "git", args, cwd: folder, env, input }).toString().trim();
  }

  function commitOf(files: Files, parents: readonly string[]): string {
    const index = join(folder, "index");
    rmSync(index, { force: true });
    const inIndex = (args: readonly string[], input: string) =>
      runProgramNow({ command: "git", args, cwd: folder, env: { ...process.env, GIT_INDEX_FILE: index }, input })
        .toString()
        .trim();
    const lines = Object.entries(files).map(([path, text]) => {
      const mode = MODE.exec(text)?.[1] ?? "100644";
      return `${mode} ${git(["hash-object", "-w", "--stdin"], text.replace(MODE, ""))}\t${path}\n`;
    });
    inIndex(["update-index", "--add", "--index-info"], lines.join(""));
    const tree = inIndex(["write-tree"], "");
    return git(["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-m", "x"]);
  }

  /** The merged files; undefined for a conflict. */
  function mergeByGit(base: Files, ours: Files, theirs: Files, renames: boolean): Files | undefined {
    const root = commitOf(base, []);
    const [own, other] = [commitOf(ours, [root]), commitOf(theirs, [root])];
    let tree: string;
    try {
      tree = git(["-c", `merge.renames=${renames}`, "merge-tree", "--write-tree", own, other]);
    } catch {
      return undefined;
    }
    const listed = git(["ls-tree", "-r", tree]).split("\n");
    const files = listed.flatMap((line) => {
      const [, mode, blob, path] = /^(\d+) blob (\S+)\t(.*)$/.exec(line) ?? [];
      if (!path || !blob) return [];
      const content = runProgramNow({
        command: "git",
        args: ["cat-file", "blob", blob],
        cwd: folder,
        env: process.env,
        input: "",
      });
      return [[path, `${mode === "100644" ? "" : `${mode} `}${content}`] as const];
    });
    return Object.fromEntries(files);
  }

  it("merges what git merges, to the same tree", () => {
    const text = fc.constantFrom(TEXT, OURS, THEIRS, BOTH, "other\n", `100755 ${TEXT}`);
    const files = fc
      .dictionary(fc.constantFrom("a", "b", "c/d", "c/e", "f"), text, { minKeys: 1, maxKeys: 5 })
      // git follows renames: no two paths share a line.
      .map(
        (all): Files =>
          Object.fromEntries(Object.entries(all).map(([path, one]) => [path, one.replaceAll("\n", ` ${path}\n`)])),
      );
    return fc.assert(
      fc.asyncProperty(files, files, files, async (base, ours, theirs) => {
        const byGit = mergeByGit(base, ours, theirs, false);
        const merged = await merge(base, ours, theirs);
        const isClean = merged.conflicts.length + merged.declined.length === 0;
        expect(isClean ? applied(ours, merged) : undefined).toEqual(byGit);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it("follows what git follows, to the same tree, and declines what git does", () => {
    const paths = ["a", "x/a", "x/b", "y/a", "y/b", "z"];
    const texts = ["red", "blue", "green"].map((word) =>
      Array.from({ length: 10 }, (_, at) => `${word} ${at}\n`).join(""),
    );
    const base = fc.uniqueArray(fc.constantFrom(...paths), { minLength: 1, maxLength: 3 });
    /** What a side does with each file: where it is then, and a line that is added to it. */
    const deed = fc.record({
      to: fc.oneof({ weight: 3, arbitrary: fc.constant("") }, fc.constantFrom(...paths)),
      line: fc.constantFrom("", "first\n", "last\n"),
      isGone: fc.integer({ min: 0, max: 7 }).map((at) => at === 0),
    });
    const deeds = fc.array(deed, { minLength: 3, maxLength: 3 });
    const apply = (files: Files, all: readonly { to: string; line: string; isGone: boolean }[]): Files | undefined => {
      const made: Record<string, string> = {};
      for (const [at, [path, text]] of Object.entries(files).entries()) {
        const { to = "", line = "", isGone = false } = all[at] ?? {};
        const place = to || path;
        if (isGone) continue;
        if (place in made) return undefined;
        made[place] = line === "first\n" ? line + text : text + line;
      }
      return made;
    };
    return fc.assert(
      fc.asyncProperty(base, deeds, deeds, async (names, one, other) => {
        const old: Files = Object.fromEntries(names.map((path, at) => [path, texts[at] ?? ""]));
        const [ours, theirs] = [apply(old, one), apply(old, other)];
        fc.pre(ours !== undefined && theirs !== undefined);
        const merged = await merge(old, ours ?? {}, theirs ?? {});
        const isClean = merged.conflicts.length + merged.declined.length === 0;
        const byGit = mergeByGit(old, ours ?? {}, theirs ?? {}, true);
        // Where new files and moved folders meet, git goes further than we do.
        const isCautious = merged.declined.some(({ why }) => why === IN_MOVED);
        expect(isClean ? applied(ours ?? {}, merged) : undefined).toEqual(isCautious ? undefined : byGit);
      }),
      { numRuns: Number(process.env.RUNS ?? 40) },
    );
  }, 120_000);
});
