import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { CommandPlace, ExitCode } from "../../src/commands/cli-command.ts";
import { NODE_FLAGS } from "../bot/node-flags.ts";
import { projectRoot } from "../world/project-root.ts";

/** A command that was given. */
export interface StartedCommand {
  ended: Promise<{ exitCode: number | null; out: Buffer; err: string }>;
  /** Ctrl-C */
  interrupt(): void;
  /** kill -9 */
  kill(): void;
  /** what it has said on standard error so far */
  errors(): Promise<string>;
  /** Resolves when standard error, or standard output, holds `words`. */
  said(words: string): Promise<void>;
}

export interface GivenCommand {
  /** its whole environment, but for PATH and where it keeps runs */
  environment?: Readonly<Record<string, string>>;
  cwd: string;
  /** what stands on its standard input */
  input?: string | undefined;
  /** instead of `magis`: what Node is started with, and the same in this process */
  program?:
    | {
        alone: readonly string[];
        here: (words: readonly string[], place: CommandPlace) => Promise<ExitCode>;
      }
    | undefined;
  /** a command of this process: its standard error is a terminal of so many columns */
  columns?: number;
}

/** No test keeps runs where the person's own are. */
const STATE = { XDG_STATE_HOME: join(projectRoot(), "build", "test-state") };

/** What was written so far, and whoever waits for more. */
function createOutput() {
  const out: Buffer[] = [];
  let err = "";
  let heard = () => undefined as unknown;
  let more = Promise.resolve();
  const wait = () => {
    more = new Promise((resolve) => {
      heard = () => resolve();
    });
  };
  wait();
  const hear = (take: (bytes: Buffer) => void) => (bytes: Buffer) => {
    take(bytes);
    heard();
    wait();
  };
  return {
    toOut: hear((bytes) => out.push(bytes)),
    toErr: hear((bytes) => {
      err += bytes.toString("utf8");
    }),
    out: () => Buffer.concat(out),
    err: () => err,
    async said(expected: string, ended: Promise<unknown>) {
      let isOver = false;
      const end = ended.then(() => {
        isOver = true;
      });
      while (!err.includes(expected) && !Buffer.concat(out).includes(expected)) {
        if (isOver) throw new Error(`it ended before it said ${JSON.stringify(expected)}:\n${err}`);
        await Promise.race([more, end]);
      }
    },
  };
}

/** Starts the built command line as a process of its own. MAGIS_TEST_CLI: another build's. */
export function startMagis(
  words: readonly string[],
  { environment = {}, cwd, input, program }: GivenCommand,
): StartedCommand {
  const built = [process.env.MAGIS_TEST_CLI ?? join(projectRoot(), "dist", "cli.js")];
  const child = spawn(process.execPath, [...NODE_FLAGS, ...(program?.alone ?? built), ...words], {
    env: { PATH: process.env.PATH ?? "", ...STATE, ...environment },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    cwd,
  });
  // It may end before it has read everything.
  child.stdin?.on("error", () => undefined).end(input);
  const { toOut, toErr, out, err, said } = createOutput();
  child.stdout?.on("data", toOut);
  child.stderr?.on("data", toErr);
  const ended = once(child, "close").then(([exitCode]) => ({
    exitCode: exitCode as number | null,
    out: out(),
    err: err(),
  }));
  return {
    ended,
    interrupt: () => void child.kill("SIGINT"),
    kill: () => void child.kill("SIGKILL"),
    errors: async () => err(),
    said: (expected) => said(expected, ended),
  };
}

/** A variable, so that types need no build. */
const BUILT = "../../dist/run-command.js";

/** The directory of the command that runs in this process: there is one. */
let place: string | undefined;

/**
 * The same in this process, at a fifth of the computing: for what asks nothing of a process, its signals, terminals, pipes and
 * death. The same built files, sockets, files and git; Ctrl-C is the abort that a process makes of it. One at a time, since the
 * working directory is the process's.
 */
export function startMagisHere(words: readonly string[], given: GivenCommand): StartedCommand {
  if (place !== undefined) throw new Error(`a command runs in ${place} already`);
  const [interrupt, { toOut, toErr, out, err, said }] = [new AbortController(), createOutput()];
  const ended = runHere(words, given, { signal: interrupt.signal, toOut, toErr }).then((exitCode) => ({
    exitCode,
    out: out(),
    err: err(),
  }));
  return {
    ended,
    interrupt: () => interrupt.abort(),
    kill: () => {
      throw new Error("this command has no process of its own: start it by `startMagis`");
    },
    errors: async () => err(),
    said: (expected) => said(expected, ended),
  };
}

interface Watched {
  signal: AbortSignal;
  toOut(bytes: Buffer): void;
  toErr(bytes: Buffer): void;
}

async function runHere(
  words: readonly string[],
  { environment = {}, cwd, input, columns, program }: GivenCommand,
  { signal, toOut, toErr }: Watched,
) {
  const before = process.cwd();
  place = cwd;
  process.chdir(cwd);
  try {
    const run = program?.here ?? ((await import(BUILT)) as typeof import("../../src/run-command.ts")).runCommand;
    return await run(words, {
      environment: { PATH: process.env.PATH ?? "", ...STATE, ...environment },
      stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
      stdout: writableTo(toOut),
      stderr: columns === undefined ? writableTo(toErr) : Object.assign(writableTo(toErr), { isTTY: true, columns }),
      signal,
      startBot: () => Promise.reject(new Error("a bot has a process of its own: start it by `startMagis`")),
    });
  } finally {
    process.chdir(before);
    place = undefined;
  }
}

function writableTo(take: (bytes: Buffer) => void): Writable {
  return new Writable({
    write(bytes: Buffer, _encoding, done) {
      take(bytes);
      done();
    },
  });
}
