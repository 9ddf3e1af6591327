import type { Dirent } from "node:fs";
import { access, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { createObjectReader, type ObjectReader } from "./object-reader.ts";
import { type GitRun, runGit } from "./run-git.ts";

/** The real git repository behind one of the world's repositories. */
export interface BareRepository extends ObjectReader {
  path: string;
  /** Runs git in it; gives the standard output without the last line break. */
  git(...args: string[]): Promise<string>;
  /**
   * The same for a question by full object ids, whose answer never changes: asks git only once. Tests read the same
   * pull request hundreds of times while they wait.
   */
  fixed(...args: string[]): Promise<string>;
  /** The same with standard input or variables, and with bytes as output. */
  run(args: string[], options?: GitRun): Promise<Buffer>;
  /** The object id of `revision`, or undefined. */
  resolve(revision: string): Promise<string | undefined>;
  isAncestor(older: string, newer: string): Promise<boolean>;
  /** The object id of a full ref, or undefined. */
  tip(ref: string): Promise<string | undefined>;
  /** All refs: full name to object id. */
  refs(): Promise<Map<string, string>>;
}

/** A handle on the bare repository at `path`, which exists. */
export function bareRepository(path: string): BareRepository {
  const run = (args: string[], options: GitRun = {}) => runGit(args, { ...options, cwd: path });
  const git = async (...args: string[]) => (await run(args)).toString().replace(/\n$/, "");
  const answers = new Map<string, Promise<string>>();
  const reader = createObjectReader(path);
  const fixed = (...args: string[]) => {
    const question = args.join("\0");
    const answer = answers.get(question) ?? git(...args);
    answers.set(question, answer);
    // A missing object may appear later.
    answer.catch(() => answers.delete(question));
    return answer;
  };
  // Read refs from git's files instead of starting a process: a test file asks for them hundreds of times.
  const packed = async () => {
    const text = await readFile(join(path, "packed-refs"), "latin1").catch(() => "");
    const lines = text.split("\n").filter((line) => /^[0-9a-f]{40} /.test(line));
    return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]));
  };
  const ownFile = async (ref: string) => {
    const text = ref.includes("..") ? "" : await readFile(join(path, ref), "latin1").catch(() => "");
    return /^[0-9a-f]{40}\n$/.test(text) ? text.slice(0, -1) : undefined;
  };
  const tip = async (ref: string) => (await ownFile(ref)) ?? (await packed()).get(ref);
  /** Reads the folder again when git removes one with its last ref meanwhile. */
  const refFiles = async (): Promise<readonly Dirent[]> => {
    for (;;) {
      try {
        return await readdir(join(path, "refs"), { recursive: true, withFileTypes: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        // Without the folder of all refs the repository is gone.
        await access(join(path, "refs"));
      }
    }
  };
  const refs = async () => {
    const found = await packed();
    const files = await refFiles();
    for (const file of files.filter((one) => one.isFile())) {
      const ref = relative(path, join(file.parentPath, file.name));
      const id = await ownFile(ref);
      if (id !== undefined) found.set(ref, id);
    }
    return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return {
    path,
    run,
    git,
    fixed,
    ...reader,
    async resolve(revision) {
      const named = revision.startsWith("refs/") ? await tip(revision) : undefined;
      return named ?? (await reader.read(revision))?.id;
    },
    isAncestor: (older, newer) =>
      run(["merge-base", "--is-ancestor", older, newer]).then(
        () => true,
        () => false,
      ),
    refs,
    tip,
  };
}
