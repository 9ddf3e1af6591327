import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import type { TreeEntry } from "../../src/ports/repository.ts";
import { type MergedFile, mergeTrees, type TreeMerge } from "../../src/workflow/change/merge-trees.ts";
import type { Side } from "../../src/workflow/change/sides.ts";
import { git, listTree } from "../recall/git.ts";
import type { Backport } from "./list-backports.ts";

/** The same backport, made by git: `merge` with renames, from the picked commit's parent. */
export interface GitMerge {
  readonly clean: boolean;
  /** byte for byte what people committed */
  readonly asPeople: boolean;
  /** mode and blob by path; none for a conflict */
  readonly files: Files;
}

/** The files of a tree: mode and blob by path. */
export type Files = ReadonlyMap<string, string>;

/**
 * Merges as `git cherry-pick` does, with new objects in `scratch`. Undefined when git cannot: a mirror may lack large
 * files.
 */
export function mergeByGit(
  mirror: string,
  { before, onto, picked, commit }: Backport,
  scratch: string,
): GitMerge | undefined {
  const objects = git(mirror, "rev-parse", "--path-format=absolute", "--git-path", "objects").trim();
  const env = { ...process.env, GIT_OBJECT_DIRECTORY: scratch, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects, ...WHO };
  const run = (...words: string[]) =>
    execFileSync("git", ["-C", mirror, ...words], {
      encoding: "utf8",
      env,
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  const root = run("commit-tree", `${before}^{tree}`, "-m", "base");
  const [ours, theirs] = [onto, picked].map((one) => run("commit-tree", `${one}^{tree}`, "-p", root, "-m", "side"));
  const tree = mergedTree(() => run("merge-tree", "--write-tree", ours ?? "", theirs ?? ""));
  if (tree === "conflict") return { clean: false, asPeople: false, files: new Map() };
  if (tree === undefined) return undefined;
  const listed = run("ls-tree", "-r", "-z", tree).split("\0");
  const files = listed.map((line) => /^(\d+) \w+ (\w+)\t([\s\S]*)$/.exec(line) ?? []);
  return {
    clean: true,
    asPeople: tree === run("rev-parse", `${commit}^{tree}`),
    files: new Map(files.flatMap(([, mode, blob, file]) => (file ? [[file, `${mode} ${blob}`]] : []))),
  };
}

/** Git says by the exit code 1 that there is a conflict, and by others that it could not merge. */
function mergedTree(merge: () => string): string | "conflict" | undefined {
  try {
    return merge();
  } catch (error) {
    return (error as { readonly status?: number }).status === 1 ? "conflict" : undefined;
  }
}

const WHO = {
  GIT_AUTHOR_NAME: "bench",
  GIT_AUTHOR_EMAIL: "bench",
  GIT_COMMITTER_NAME: "bench",
  GIT_COMMITTER_EMAIL: "bench",
};

/** The same backport, made by ours. */
export interface OwnMerge {
  readonly merge: TreeMerge;
  readonly files: Files;
  /** of a clean merge: the paths that differ from what people committed */
  readonly differing: readonly string[];
}

export async function mergeByOurs(mirror: string, { before, onto, picked, commit }: Backport): Promise<OwnMerge> {
  const [base, ours, theirs] = [before, onto, picked].map((one) => sideAt(mirror, one)) as [Side, Side, Side];
  const merge = await mergeTrees({ base, ours, theirs }, { made: "ours" });
  const files = filesWith(ours, merge.files);
  return { merge, files, differing: differing(files, filesWith(sideAt(mirror, commit), [])) };
}

export function sideAt(mirror: string, commit: string): Side {
  const entries = listTree(mirror, commit).map((entry): [string, TreeEntry] => [entry.path, entry as TreeEntry]);
  return { entries: new Map(entries), readBlob: async (blob) => blobOf(mirror, blob) };
}

function blobOf(mirror: string, blob: string): Uint8Array | undefined {
  try {
    const args = ["-C", mirror, "cat-file", "blob", blob];
    return execFileSync("git", args, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return undefined;
  }
}

/** The files of a side with what a merge changes. */
export function filesWith(side: Side, merged: readonly MergedFile[]): Files {
  const made = new Map([...side.entries].map(([path, { mode, blob }]) => [path, `${mode} ${blob}`]));
  for (const { path, content, mode } of merged) {
    if (content === undefined) made.delete(path);
    else made.set(path, `${mode} ${blobId(content)}`);
  }
  return made;
}

/** The paths at which two trees differ. */
export function differing(one: Files, other: Files): readonly string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path));
}

const blobId = (content: Uint8Array) =>
  createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
