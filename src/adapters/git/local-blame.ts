import type { BlamedCommit, BlamedFile, BlamedRange, BlameReads } from "../../ports/blame.ts";
import { type GitCall, readGit } from "./run-git.ts";

/** How long git may look, in milliseconds. */
const PATIENCE = 10_000;

/** The most bytes of a diff: a larger one says nothing about single lines. */
const MAX_DIFF = 4 << 20;

/** Where the lines of a repository on this machine come from, by the installed git. */
export function createLocalBlame(
  directory: string,
  { environment, signal }: Pick<GitCall, "environment" | "signal">,
): BlameReads {
  const git = async (...args: readonly string[]) => {
    const within = AbortSignal.any([AbortSignal.timeout(PATIENCE), ...(signal ? [signal] : [])]);
    const read = await readGit({ directory, environment, args, signal: within }).catch((error: unknown) => {
      if (within.aborted && !signal?.aborted) return undefined;
      throw error;
    });
    return read?.code === 0 ? read.text : undefined;
  };
  return {
    async blame(commit, paths) {
      const files: BlamedFile[] = [];
      for (const path of paths) {
        const text = await git("blame", "--porcelain", commit, "--", path);
        if (text === undefined) return undefined;
        files.push({ path, ranges: readPorcelain(text) });
      }
      return files;
    },
    async diffOf(commit) {
      const text = await git("show", "--format=", "--no-color", "--no-ext-diff", "--first-parent", "-m", commit);
      return text === undefined || text.length > MAX_DIFF ? undefined : text;
    },
  };
}

/** `SHA LINE-THEN LINE-NOW [COUNT]` before each line; what is known of a commit follows where it is first named. */
function readPorcelain(text: string): readonly BlamedRange[] {
  const commits = new Map<string, Record<string, string>>();
  const lines: { readonly at: number; readonly id: string }[] = [];
  let facts: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const [, id = "", at] = /^([0-9a-f]{40}) \d+ (\d+)(?: \d+)?$/.exec(line) ?? [];
    if (at !== undefined) {
      facts = commits.get(id) ?? {};
      commits.set(id, facts);
      lines.push({ at: Number(at), id });
      continue;
    }
    const [, key = "", value = ""] = /^([a-z-]+)(?: (.*))?$/.exec(line) ?? [];
    if (key !== "") facts[key] ??= value;
  }
  const ranges: BlamedRange[] = [];
  for (const { at, id } of lines) {
    const last = ranges.at(-1);
    if (last?.commit.id === id && last.end === at - 1) ranges[ranges.length - 1] = { ...last, end: at };
    else ranges.push({ start: at, end: at, commit: commitOf(id, commits.get(id) ?? {}) });
  }
  return ranges;
}

const commitOf = (id: string, facts: Readonly<Record<string, string>>): BlamedCommit => ({
  id,
  title: facts.summary ?? "",
  date: new Date(Number(facts["committer-time"] ?? 0) * 1000).toISOString(),
  author: facts.author ?? "",
  first: facts.boundary !== undefined,
});
