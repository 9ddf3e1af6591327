import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file to commit. A number as content makes a submodule entry. */
export interface FixtureFile {
  readonly path: string;
  readonly content: Buffer | string;
  readonly mode?: "100644" | "100755" | "120000" | "160000";
}

/** A bare repository in a temporary folder, filled through git's own `fast-import`. */
export interface GitRepo {
  /** the folder that holds the repository, to be served */
  readonly root: string;
  /** the repository itself, `root`/repo.git */
  readonly dir: string;
  /** runs git in the repository, gives what it printed */
  git(args: readonly string[], input?: string | Buffer): Buffer;
  /** commits these files and no others on a branch; gives the commit's id */
  commit(files: readonly FixtureFile[], branch?: string): string;
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

export function createGitRepo(): GitRepo {
  const root = mkdtempSync(join(tmpdir(), "magis-git-"));
  const dir = join(root, "repo.git");
  let time = 1_700_000_000;
  const run = (args: readonly string[], input?: string | Buffer): Buffer =>
    execFileSync("git", [...args], {
      env: { PATH: process.env.PATH, ...ENV },
      stdio: ["pipe", "pipe", "pipe"],
      maxBuffer: 2 ** 30,
      ...(input === undefined ? {} : { input }),
    });
  run(["init", "-q", "--bare", "-b", "main", dir]);
  const git = (args: readonly string[], input?: string | Buffer): Buffer => run(["-C", dir, ...args], input);

  return {
    root,
    dir,
    git,
    commit(files, branch = "main") {
      const ref = `refs/heads/${branch}`;
      const parents = git(["for-each-ref", "--format=%(objectname)", ref]).toString().trim();
      const parts = [Buffer.from(`commit ${ref}\ncommitter T <t@example.com> ${time++} +0000\n`), data("a commit\n")];
      if (parents) parts.push(Buffer.from(`from ${parents}\n`));
      parts.push(Buffer.from("deleteall\n"));
      for (const { path, content, mode = "100644" } of files) {
        if (mode === "160000") parts.push(Buffer.from(`M 160000 ${content} ${quote(path)}\n`));
        else parts.push(Buffer.from(`M ${mode} inline ${quote(path)}\n`), data(content));
      }
      git(["fast-import", "--quiet", "--force"], Buffer.concat(parts));
      return git(["rev-parse", ref]).toString().trim();
    },
    remove() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}
