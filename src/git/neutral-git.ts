import { copyFile, lstat, mkdir, readdir, symlink, utimes, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import { join } from "node:path";
import { withTemporaryFolder } from "./at-exit.ts";

export type GitEnvironment = Readonly<Record<string, string | undefined>>;

/** What a program needs to start and to find its files; no secrets. */
const NEEDED = /^(?:PATH|HOME|USERPROFILE|SYSTEMROOT|COMSPEC|PATHEXT|TMPDIR|TMP|TEMP|LD_LIBRARY_PATH)$/i;

function allowedEnvironment(environment: GitEnvironment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => NEEDED.test(name)));
}

/**
 * The environment for git on an untrusted repository: no settings but the repository's own, no writes, and no network,
 * for which git would run a command that those settings name.
 */
export function neutralEnvironment(environment: GitEnvironment): Record<string, string | undefined> {
  return {
    ...allowedEnvironment(environment),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    // Older versions of git would fetch what a partial clone lacks, by `core.sshCommand`.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
    LC_ALL: "C",
  };
}

/**
 * Settings on the command line, which override the repository's own. The repository may belong to somebody else, since
 * nothing of it is run.
 */
export const NEUTRAL_SETTINGS: readonly string[] = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  `core.hooksPath=${devNull}`,
  "-c",
  "safe.directory=*",
  "-c",
  "core.quotePath=false",
  "--no-pager",
];

/**
 * Makes a temporary repository with our settings and the objects, references and index of the one at `gitdir`
 * (`common`: of its main working copy) for `use`. Filters that files name have no command here.
 */
export async function withNeutralRepository<T>(
  { gitdir, common }: { gitdir: string; common: string },
  use: (directory: string) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder("magis-git-", async (scratch) => {
    const settings = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfilemode = ${process.platform !== "win32"}\n`;
    await writeFile(join(scratch, "config"), settings);
    await mkdir(join(scratch, "info"));
    for (const name of ["objects", "refs"]) await symlink(join(common, name), join(scratch, name), "junction");
    // An index may be split: what seldom changes is in a file of its own.
    const shared = (await readdir(gitdir)).filter((name) => name.startsWith("sharedindex."));
    const files = [
      ...["HEAD", "index", ...shared].map((name) => [join(gitdir, name), name] as const),
      ...["packed-refs", "shallow", "info/exclude"].map((name) => [join(common, name), name] as const),
    ];
    for (const [from, name] of files) await copyWithTime(from, join(scratch, name));
    return use(scratch);
  });
}

/**
 * Copies a file, if it is one, with its time, read before and rounded down: git reads the files that changed in the
 * second of the index or later, and takes the others to be unchanged when size and time are.
 */
async function copyWithTime(from: string, to: string): Promise<void> {
  const found = await lstat(from).catch(() => undefined);
  if (!found?.isFile()) return;
  await copyFile(from, to);
  const time = Math.floor(found.mtimeMs / 1000);
  await utimes(to, time, time);
}
