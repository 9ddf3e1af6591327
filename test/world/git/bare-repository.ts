import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitRun, runGit } from "./run-git.ts";

/** The real git repository behind one of the world's repositories. */
export interface BareRepository {
  path: string;
  /** Runs git in it; gives standard output without the last line break. */
  git(...args: string[]): Promise<string>;
  /**
   * The same for a question that names everything by full object ids, so that its answer can never change: git is asked
   * once. The tests look at the same pull request hundreds of times while they wait.
   */
  fixed(...args: string[]): Promise<string>;
  /** The same with standard input or variables, as bytes. */
  run(args: string[], options?: GitRun): Promise<Buffer>;
  /** The id `revision` stands for, or undefined. */
  resolve(revision: string): Promise<string | undefined>;
  isAncestor(older: string, newer: string): Promise<boolean>;
  /** The object id of a full ref, or undefined. */
  tip(ref: string): Promise<string | undefined>;
  /** All refs: full name to object id. */
  refs(): Promise<Map<string, string>>;
}

const BY_ID = /^[0-9a-f]{40}(?:\^\{\w+\}|\^\d|:.*)?$/s;

/** A handle on the bare repository at `path`, which exists. */
export function bareRepository(path: string): BareRepository {
  const run = (args: string[], options: GitRun = {}) => runGit(args, { ...options, cwd: path });
  const git = async (...args: string[]) => (await run(args)).toString().replace(/\n$/, "");
  const answers = new Map<string, Promise<string>>();
  const fixed = (...args: string[]) => {
    const question = args.join("\0");
    const answer = answers.get(question) ?? git(...args);
    answers.set(question, answer);
    // What is not there may come.
    answer.catch(() => answers.delete(question));
    return answer;
  };
  const refs = async () => {
    const lines = (await git("for-each-ref", "--format=%(refname) %(objectname)")).split("\n").filter(Boolean);
    return new Map(lines.map((line) => line.split(" ") as [string, string]));
  };
  return {
    path,
    run,
    git,
    fixed,
    async resolve(revision) {
      if (revision.startsWith("-")) return undefined;
      const ask = BY_ID.test(revision) ? fixed : git;
      try {
        return await ask("rev-parse", "--verify", "--quiet", revision);
      } catch {
        return undefined;
      }
    },
    isAncestor: (older, newer) =>
      run(["merge-base", "--is-ancestor", older, newer]).then(
        () => true,
        () => false,
      ),
    refs,
    // Asked hundreds of times a test file: where git keeps a ref as a file, no process is started for it.
    async tip(ref) {
      const text = ref.includes("..") ? "" : await readFile(join(path, ref), "latin1").catch(() => "");
      return /^[0-9a-f]{40}\n$/.test(text) ? text.slice(0, -1) : (await refs()).get(ref);
    },
  };
}
