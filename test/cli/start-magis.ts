import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { NODE_FLAGS } from "../bot/node-flags.ts";
import { projectRoot } from "../world/project-root.ts";

/** A command that was given, as a process of its own. */
export interface StartedCommand {
  readonly ended: Promise<{ readonly exitCode: number | null; readonly out: Buffer; readonly err: string }>;
  /** Ctrl-C */
  interrupt(): void;
  /** what it has said on standard error so far */
  errors(): Promise<string>;
  /** Resolves when standard error, or standard output, holds `words`. */
  said(words: string): Promise<void>;
}

/**
 * Starts the built command line; `environment` is its whole environment, but for PATH; `input` stands on its standard
 * input. MAGIS_TEST_CLI: another build's.
 */
export function startMagis(
  words: readonly string[],
  { environment = {}, cwd, input }: { environment?: Readonly<Record<string, string>>; cwd: string; input?: string },
): StartedCommand {
  const file = process.env.MAGIS_TEST_CLI ?? join(projectRoot(), "dist", "cli.js");
  const child = spawn(process.execPath, [...NODE_FLAGS, file, ...words], {
    env: { PATH: process.env.PATH ?? "", ...environment },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    cwd,
  });
  // It may end before it has read everything.
  child.stdin?.on("error", () => undefined).end(input);
  const out: Buffer[] = [];
  let err = "";
  child.stdout?.on("data", (bytes: Buffer) => out.push(bytes));
  child.stderr?.on("data", (bytes: Buffer) => {
    err += bytes.toString("utf8");
  });
  const ended = once(child, "close").then(([exitCode]) => ({
    exitCode: exitCode as number | null,
    out: Buffer.concat(out),
    err,
  }));
  return {
    ended,
    interrupt: () => void child.kill("SIGINT"),
    errors: async () => err,
    async said(expected) {
      while (!err.includes(expected) && !Buffer.concat(out).includes(expected)) {
        if (child.exitCode !== null) throw new Error(`it ended before it said ${JSON.stringify(expected)}:\n${err}`);
        const more = [child.stderr, child.stdout].flatMap((stream) => (stream ? [once(stream, "data")] : []));
        await Promise.race([...more, ended]);
      }
    },
  };
}
