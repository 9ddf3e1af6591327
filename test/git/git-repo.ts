import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgramNow } from "../world/git/run-program.ts";

/** A file to commit. A number as content makes a submodule entry. */
export interface FixtureFile {
  path: string;
  content: Buffer | string;
  mode?: "100644" | "100755" | "120000" | "160000";
}

/** A bare repository in a temporary folder, filled through git's own `fast-import`. */
export interface GitRepo {
  /** the folder that holds the repository, to be served */
  root: string;
  /** the repository itself, `root`/repo.git */
  dir: string;
  /** runs git in the repository, gives what it printed */
  git(args: readonly string[], input?: string | Buffer): Buffer;
  /** commits these files and no others on a branch; gives the commit's id */
  commit(files: readonly FixtureFile[], branch?: string): string;
  /** commits one version after the other on a branch, in one process; gives the last one's id */
  commitAll(versions: readonly (readonly FixtureFile[])[], branch: string): string;
  remove(): void;
}

const ENV = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };

/** A path as fast-import and update-index quote it: every byte that is not plain in octal. */
function quote(path: string): string {
  const bytes = [...Buffer.from(path)];
  return `"${bytes.map((b) => (/[\w./-]/.test(String.fromCharCode(b)) ? String.fromCharCode(b) : `\\${b.toString(8).padStart(3, "0")}`)).join("")}"`;
}

function data(content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from("\n")]);
}

/** A commit of these files and no others as fast-import takes it. */
function commitCommands(files: readonly FixtureFile[], head: string, { from }: { from: string }): Buffer[] {
  const parts = [Buffer.from(head), data("a commit\n"), Buffer.from(`${from}deleteall\n`)];
  for (const { path, content, mode = "100644" } of files) {
    if (mode === "160000") parts.push(Buffer.from(`M 160000 ${content} ${quote(path)}\n`));
    else parts.push(Buffer.from(`M ${mode} inline ${quote(path)}\n`), data(content));
  }
  return parts;
}

export function createGitRepo(): GitRepo {
  const root = mkdtempSync(join(tmpdir(), "magis-git-"));
  const dir = join(root, "repo.git");
  let time = 1_700_000_000;
  const run = (args: readonly string[], input: string | Buffer = ""): Buffer =>
    runProgramNow({ command: "git", args, env: { PATH: process.env.PATH, ...ENV }, input });
  run(["init", "-q", "--bare", "-b", "main", dir]);
  const git = (args: readonly string[], input?: string | Buffer): Buffer => run(["-C", dir, ...args], input);
  const known = new Set<string>();
  const isThere = (ref: string) => known.has(ref) || git(["for-each-ref", ref]).length > 0;

  function commitAll(versions: readonly (readonly FixtureFile[])[], branch: string): string {
    const ref = `refs/heads/${branch}`;
    const parts = versions.flatMap((files, at) => {
      const before = at === 0 ? `${ref}^0` : `:${at}`;
      const isFirst = at === 0 && !isThere(ref);
      return commitCommands(files, `commit ${ref}\nmark :${at + 1}\ncommitter T <t@example.com> ${time++} +0000\n`, {
        from: isFirst ? "" : `from ${before}\n`,
      });
    });
    known.add(ref);
    parts.push(Buffer.from(`get-mark :${versions.length}\n`));
    return git(["fast-import", "--quiet", "--force"], Buffer.concat(parts)).toString().trim();
  }

  return {
    root,
    dir,
    git,
    commit: (files, branch = "main") => commitAll([files], branch),
    commitAll,
    remove() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}
