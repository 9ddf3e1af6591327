import { type GitRun, runGit } from "./run-git.ts";

/** The real git repository behind one of the world's repositories. */
export interface BareRepository {
  path: string;
  /** Runs git in it; gives standard output without the last line break. */
  git(...args: string[]): Promise<string>;
  /** The same with standard input or variables, as bytes. */
  run(args: string[], options?: GitRun): Promise<Buffer>;
  /** The id `revision` stands for, or undefined. */
  resolve(revision: string): Promise<string | undefined>;
  isAncestor(older: string, newer: string): Promise<boolean>;
  /** All refs: full name to object id. */
  refs(): Promise<Map<string, string>>;
}

/** A handle on the bare repository at `path`, which exists. */
export function bareRepository(path: string): BareRepository {
  const run = (args: string[], options: GitRun = {}) => runGit(args, { ...options, cwd: path });
  const git = async (...args: string[]) => (await run(args)).toString().replace(/\n$/, "");
  return {
    path,
    run,
    git,
    async resolve(revision) {
      if (revision.startsWith("-")) return undefined;
      try {
        return await git("rev-parse", "--verify", "--quiet", revision);
      } catch {
        return undefined;
      }
    },
    isAncestor: (older, newer) =>
      run(["merge-base", "--is-ancestor", older, newer]).then(
        () => true,
        () => false,
      ),
    async refs() {
      const lines = (await git("for-each-ref", "--format=%(refname) %(objectname)")).split("\n").filter(Boolean);
      return new Map(lines.map((line) => line.split(" ") as [string, string]));
    },
  };
}
