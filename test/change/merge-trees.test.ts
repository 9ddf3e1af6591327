import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { mergeTrees, type TreeMerge } from "../../src/change/merge-trees.ts";
import type { Side } from "../../src/change/sides.ts";
import type { TreeEntry } from "../../src/git/repository.ts";
import { createGitRepo, type FixtureFile, type GitRepo } from "../git/git-repo.ts";
import { fc } from "../seeded.ts";

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

const merge = (base: Files, ours: Files, theirs: Files): Promise<TreeMerge> =>
  mergeTrees({ base: sideOf(base), ours: sideOf(ours), theirs: sideOf(theirs) });

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
const INTO_GONE = "it is new in a folder that the other side has taken away";

describe("mergeTrees", () => {
  it.each<[what: string, base: Files, ours: Files, theirs: Files, merged: Files]>([
    ["a file that only they changed", { a: TEXT }, { a: TEXT }, { a: THEIRS }, { a: THEIRS }],
    ["a file that both changed", { a: TEXT }, { a: OURS }, { a: THEIRS }, { a: BOTH }],
    ["a file that they added", {}, { b: "" }, { a: TEXT }, { a: TEXT, b: "" }],
    ["a file that they deleted", { a: TEXT, b: "" }, { a: TEXT, b: "" }, { b: "" }, { b: "" }],
    ["the same file added by both", {}, { a: TEXT }, { a: TEXT }, { a: TEXT }],
    [
      "a mode that they changed, and lines that we did",
      { a: TEXT },
      { a: OURS },
      { a: `100755 ${TEXT}` },
      { a: `100755 ${OURS}` },
    ],
    ["a link that only they changed", { a: "120000 x" }, { a: "120000 x" }, { a: "120000 y" }, { a: "120000 y" }],
    ["a folder in place of a file", { a: TEXT }, { a: TEXT }, { "a/b": TEXT }, { "a/b": TEXT }],
  ])("merges %s", async (_what, base, ours, theirs, merged) => {
    const result = await merge(base, ours, theirs);
    expect(applied(ours, result)).toEqual(merged);
    expect(result).toMatchObject({ conflicts: [], declined: [], renewed: [] });
  });

  it("declines a new file in a folder that the other side moved", async () => {
    const [base, moved, added] = [{ "x/a": TEXT }, { "y/a": TEXT }, { "x/a": TEXT, "x/n": TEXT }];
    for (const [ours, theirs] of [
      [moved, added],
      [added, moved],
    ] as const)
      expect((await merge(base, ours, theirs)).declined).toEqual([{ path: "x/n", why: INTO_GONE }]);
  });

  it.each<[why: string, base: Files, ours: Files, theirs: Files]>([
    ["deleted or moved on the base, changed on the branch", { a: TEXT }, {}, { a: THEIRS }],
    ["deleted or moved on the base, changed on the branch", { a: TEXT }, { b: TEXT }, { a: THEIRS }],
    ["changed on the base, deleted or moved on the branch", { a: TEXT }, { a: OURS }, {}],
    ["changed on the base, deleted or moved on the branch", { a: TEXT }, { a: OURS }, { b: TEXT }],
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
    // What else they added may come in; nobody takes a merge of which something was declined.
    const { b: _, ...after } = applied(ours, result);
    const { b: __, ...before } = ours;
    expect(after).toEqual(before);
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
    ["test/__snapshots__/a.test.ts.snap", "// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing", "jest -u"],
    [
      "types.d.ts",
      "// This file is automatically generated by `npm run types:make`. Do not edit.",
      "npm run types:make",
    ],
    ["api.go", "// Code generated by mockgen -source api.go. DO NOT EDIT.", "mockgen -source api.go"],
    ["made.py", "# @generated by the script make_tables.py", "make_tables.py"],
    ["made.c", "/* @generated */", undefined],
  ])("keeps our %s as it is", async (path, header, command) => {
    const files = (text: string) => ({ [path]: `${header}\n${text}` });
    const [base, ours, theirs] = [files(TEXT), files(OURS), files(THEIRS)];
    const kept = await merge(base, ours, theirs);
    expect(kept).toMatchObject({ files: [], conflicts: [], declined: [], renewed: [{ path, command }] });
  });

  it("takes a lock file that only they changed", async () => {
    const result = await merge({ "yarn.lock": "1" }, { "yarn.lock": "1" }, { "yarn.lock": "2" });
    expect(applied({}, result)).toEqual({ "yarn.lock": "2" });
  });
});

describe("mergeTrees beside git merge-tree", () => {
  let repo: GitRepo;
  beforeAll(() => {
    repo = createGitRepo();
  });
  afterAll(() => repo.remove());

  const git = (...args: string[]) => repo.git(args).toString().trim();
  const fixture = (files: Files) =>
    Object.entries(files).map(([path, text]): FixtureFile => {
      const mode = (MODE.exec(text)?.[1] ?? "100644") as TreeEntry["mode"];
      return { path, mode, content: text.replace(MODE, "") };
    });
  const blobOf = (content: string) =>
    createHash("sha1")
      .update(`blob ${Buffer.byteLength(content)}\0${content}`)
      .digest("hex");
  /** As git lists a tree. */
  const listed = (files: Files) =>
    fixture(files)
      .map(({ path, mode, content }) => `${mode} blob ${blobOf(String(content))}\t${path}`)
      .sort();

  /** The merged files as git lists them; undefined for a conflict. */
  function mergeByGit(base: Files, ours: Files, theirs: Files): readonly string[] | undefined {
    const own = repo.commitAll([fixture(base), fixture(ours)], "ours");
    git("update-ref", "refs/heads/theirs", `${own}~1`);
    const other = repo.commit(fixture(theirs), "theirs");
    try {
      const tree = git("-c", "merge.renames=false", "merge-tree", "--write-tree", own, other);
      return git("ls-tree", "-r", tree).split("\n").filter(Boolean).sort();
    } catch {
      return undefined;
    }
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
        const byGit = mergeByGit(base, ours, theirs);
        const merged = await merge(base, ours, theirs);
        const isClean = merged.conflicts.length + merged.declined.length === 0;
        // Git puts a new file back into a folder that is gone.
        const isCautious = merged.declined.some(({ why }) => why === INTO_GONE);
        expect(isClean ? listed(applied(ours, merged)) : undefined).toEqual(isCautious ? undefined : byGit);
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});
