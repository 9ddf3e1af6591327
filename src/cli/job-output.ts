import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { ENDING_SIGNALS } from "../model/cancellation.ts";
import type { CliStream } from "./cli-command.ts";

/** What a line may begin with before an order to the runner: white space, and what nobody sees. */
const LEADING = /[\s\p{Cc}\p{Cf}\p{Cs}]/u;

const LINE_END = /[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Takes text piece by piece and puts a zero-width space into whatever the runner of GitHub Actions would take for an
 * order: `::` at the beginning of a line, and `##[` anywhere.
 */
export function createOrderBreaker(): (text: string) => string {
  let atStart = true;
  let hashes = 0;
  return (text) => {
    let safe = "";
    for (const char of text) {
      if ((char === ":" && atStart) || (char === "[" && hashes >= 2)) safe += "\u200b";
      safe += char;
      hashes = char === "#" ? hashes + 1 : 0;
      if (LINE_END.test(char)) atStart = true;
      else if (!LEADING.test(char)) atStart = false;
    }
    return safe;
  };
}

/** Whether this process is such a job: it has a channel to its parent. */
export const isGuarded = (): boolean => process.channel !== undefined;

/** How long to wait for another process that holds the pipes, once the job's own has ended. */
const PATIENCE_MS = 5_000;

/**
 * Runs a job's command in a process of its own, and hands on what it and its children write, with orders to the runner
 * broken. So even what bypasses Node's streams (a crash, a log's file descriptor, a child) is caught. Signals are handed
 * on. Gives the exit code.
 * @param args the program's file and its arguments
 */
export async function runGuarded(args: readonly string[], stdout: CliStream, stderr: CliStream): Promise<number> {
  const token = `magis-${randomUUID()}`;
  // The runner's own way comes first; what follows holds too when a line of it is lost.
  stderr.write(`::stop-commands::${token}\n`);
  const job = spawn(process.execPath, [...process.execArgv, ...args], { stdio: ["ignore", "pipe", "pipe", "ipc"] });
  const signals = ENDING_SIGNALS.map((name) => [name, () => void job.kill(name)] as const);
  for (const [name, hand] of signals) process.on(name, hand);
  const handed = Promise.allSettled([handOn(job.stdout, stdout), handOn(job.stderr, stderr)]);
  const code = await new Promise<number>((resolve, reject) => {
    job.once("error", reject);
    job.once("exit", (exit, signal) => resolve(exit ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
  await Promise.race([handed, wait(PATIENCE_MS, undefined, { ref: false })]);
  job.stdout?.destroy();
  job.stderr?.destroy();
  for (const [name, hand] of signals) process.off(name, hand);
  stderr.write(`\n::${token}::\n`);
  return code;
}

function handOn(from: Readable | null, to: CliStream): Promise<void> {
  if (from === null) return Promise.resolve();
  const breakOrders = createOrderBreaker();
  const broken = async function* (chunks: AsyncIterable<string>) {
    for await (const chunk of chunks) yield breakOrders(chunk);
  };
  return pipeline(from.setEncoding("utf8"), broken, to, { end: false });
}
