import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { NODE_FLAGS } from "../bot/node-flags.ts";
import { projectRoot } from "../world/project-root.ts";
import { STATE } from "./start-magis.ts";

/** Whether `script` of util-linux is there, which gives a program a terminal. */
export const hasTerminals = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

/** A command that was given on a terminal. */
export interface TerminalCommand {
  /** its exit code, and all that it has written on the terminal */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly text: string }>;
  /** what it has written so far */
  text(): string;
  /** Resolves when `seen` says so of what was written. */
  until(seen: (text: string) => boolean): Promise<void>;
  /** Types on the terminal. */
  type(keys: string): void;
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** Starts the built command line on a terminal of 100 columns; `environment` is its whole environment, but for PATH. */
export function startOnTerminal(
  words: readonly string[],
  { environment = {}, cwd }: { environment?: Readonly<Record<string, string>>; cwd: string },
): TerminalCommand {
  const command = [process.execPath, ...NODE_FLAGS, join(projectRoot(), "dist", "cli.js"), ...words].map(quoted);
  const child = spawn("script", ["-qefc", `stty cols 100 rows 30; exec ${command.join(" ")}`, "/dev/null"], {
    env: { PATH: process.env.PATH ?? "", TERM: "xterm-256color", SHELL: "/bin/sh", ...STATE, ...environment },
    stdio: ["pipe", "pipe", "inherit"],
    cwd,
  });
  let text = "";
  child.stdout.on("data", (bytes: Buffer) => {
    text += bytes.toString("utf8");
  });
  const ended = once(child, "close").then(([exitCode]) => ({ exitCode: exitCode as number | null, text }));
  return {
    ended,
    text: () => text,
    type: (keys) => void child.stdin.write(keys),
    async until(seen) {
      while (!seen(text)) {
        if (child.exitCode !== null) throw new Error(`it ended before that was seen:\n${text}`);
        await Promise.race([once(child.stdout, "data"), ended]);
      }
    },
  };
}
