import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { Dirent } from "node:fs";
import { access, readdir, readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join, relative } from "node:path";
import { type GitRun, gitEnvironment, runGit } from "./run-program.ts";

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

interface GitObject {
  id: string;
  /** `commit`, `tree`, `blob` or `tag` */
  type: string;
  content: Buffer;
}

interface ObjectReader {
  /** The object that a revision names (`ID`, `ID^{tree}`, `BRANCH:PATH`), or undefined. */
  read(revision: string): Promise<GitObject | undefined>;
  close(): Promise<void>;
}

interface Question {
  answer(object: GitObject | undefined): void;
  fail(error: Error): void;
}

/**
 * Revisions that git takes for two questions, or for another one, and those at which it ends: relative paths and
 * upstreams, which a bare repository does not have.
 */
const UNANSWERABLE = /[\n\0]|\r$|^[^:]*@\{|^[^:]*:\.\.?(?:\/|$)/;

/**
 * Reads the objects of the bare repository at `path` through one `git cat-file --batch`, which starts with the first
 * question and sees what is written later, too. A process for each question would cost ten milliseconds of computing.
 */
function createObjectReader(path: string): ObjectReader {
  const questions: Question[] = [];
  let child: ChildProcessWithoutNullStreams | undefined;
  let received = Buffer.alloc(0);

  function start(): ChildProcessWithoutNullStreams {
    const started = spawn("git", ["cat-file", "--batch"], { cwd: path, env: gitEnvironment() });
    started.stdout.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (questions.length > 0 && takeAnswer());
      if (questions.length === 0) (started.stdout as Socket).unref();
    });
    const fail = (error: Error) => {
      if (child !== started) return;
      child = undefined;
      received = Buffer.alloc(0);
      for (const question of questions.splice(0)) question.fail(error);
    };
    started.on("error", fail);
    started.on("close", (code) => fail(new Error(`git cat-file ended with ${code}`)));
    started.stdin.on("error", () => undefined);
    started.stderr.resume();
    // A repository that nobody reads keeps no test alive.
    started.unref();
    for (const pipe of [started.stdin, started.stdout, started.stderr]) (pipe as Socket).unref();
    return started;
  }

  /** Answers the first question if its answer has arrived as a whole: `ID TYPE SIZE`, the content and a line break. */
  function takeAnswer(): boolean {
    const end = received.indexOf("\n");
    if (end < 0) return false;
    const [, id = "", type = "", size] = /^([0-9a-f]{40}) (\w+) (\d+)$/.exec(received.toString("utf8", 0, end)) ?? [];
    const length = size === undefined ? 0 : Number(size) + 1;
    if (received.length < end + 1 + length) return false;
    const content = received.subarray(end + 1, end + length);
    received = received.subarray(end + 1 + length);
    questions.shift()?.answer(size === undefined ? undefined : { id, type, content });
    return true;
  }

  return {
    read(revision) {
      if (UNANSWERABLE.test(revision)) return Promise.resolve(undefined);
      child ??= start();
      const { stdin, stdout } = child;
      return new Promise((answer, fail) => {
        questions.push({ answer, fail });
        (stdout as Socket).ref();
        stdin.write(`${revision}\n`);
      });
    },
    async close() {
      if (!child) return;
      const closed = once(child, "close");
      child.ref();
      child.stdin.end();
      await closed;
    },
  };
}
