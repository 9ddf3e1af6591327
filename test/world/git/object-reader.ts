import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { gitEnvironment } from "./run-git.ts";

export interface GitObject {
  id: string;
  /** `commit`, `tree`, `blob` or `tag` */
  type: string;
  content: Buffer;
}

export interface ObjectReader {
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
export function createObjectReader(path: string): ObjectReader {
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
