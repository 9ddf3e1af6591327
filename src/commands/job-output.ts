import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { ENDING_SIGNALS } from "../data/cancellation.ts";
import { pipeForJob } from "../settings/environment/piped-secrets.ts";
import { processEnvironment } from "../settings/environment/read-config.ts";
import type { CliStream } from "./cli-command.ts";

/** What may precede a command to the runner on a line: white space and invisible characters. */
const LEADING = /[\s\p{Cc}\p{Cf}\p{Cs}]/u;

const LINE_END = /[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Takes text piece by piece and disarms the commands of the GitHub Actions runner: puts a zero-width space into `::` at
 * the start of a line, and into `##[` anywhere.
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

/** Whether this process is the job's own: then it has a channel to its parent. */
export const isGuarded = (): boolean => process.channel !== undefined;

/** How long to wait, after the job's process has ended, for another process that holds the pipes. */
const PATIENCE_MS = 5_000;

/**
 * Runs a job's command in a process of its own and passes on its output and its children's, with commands to the runner
 * disarmed. This also catches what bypasses Node's streams: a crash, a log's file descriptor, a child. Passes signals
 * on. Gives the exit code.
 * @param args the program's file and its arguments
 */
export async function runGuarded(args: readonly string[], stdout: CliStream, stderr: CliStream): Promise<number> {
  const token = `magis-${randomUUID()}`;
  // The runner's own stop-commands come first; the disarming still protects if one of those lines is lost.
  stderr.write(`::stop-commands::${token}\n`);
  const { pipe, env } = pipeForJob(processEnvironment());
  const job = spawn(process.execPath, [...process.execArgv, ...args], {
    stdio: ["ignore", "pipe", "pipe", "ipc", pipe],
    env,
  });
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
