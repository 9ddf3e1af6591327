import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { temporaryFolder } from "../leave-nothing/leave-nothing.ts";
import { projectRoot } from "../world/project-root.ts";
import { NODE_FLAGS } from "./node-flags.ts";

export interface BotOptions {
  /** the whole environment of the bot, but for PATH */
  environment: Readonly<Record<string, string>>;
  /** what starts it in place of `node dist/main.js`, a process inside of which it runs */
  command?: readonly string[];
  /** gets each line of its log, parsed where it is JSON */
  onLog?: (line: LogLine) => void;
}

/** A line of pino's, or of anything else the process printed. */
export interface LogLine {
  msg: string;
  level?: number;
  [name: string]: unknown;
}

export interface Bot {
  /** where webhooks go */
  webhookUrl: string;
  url: string;
  pid: number;
  log: readonly LogLine[];
  /** SIGTERM; gives the exit code */
  stop(): Promise<number | null>;
  /** kill -9 */
  kill(): Promise<void>;
}

const START_WITHIN_MS = 120_000;

/** What everybody's environment holds beside `BotOptions.environment`. */
const COMMON = {
  PATH: process.env.PATH ?? "",
  PORT: "0",
  HOST: "127.0.0.1",
  LOG_LEVEL: "info",
  // Scenes share a repository and leave their pull requests open.
  MAGIS_OPEN_PULL_REQUESTS: "100",
} as const;

/** A variable, so that types need no build. */
const BUILT = "../../dist/app/start-bot.js";

/**
 * Starts the built bot in this process: for scenes that do not kill it, in half of the computing. One at a time; what it is
 * asked and tells goes over sockets all the same.
 */
export async function startBotHere({ environment, onLog }: BotOptions): Promise<Bot> {
  const built = (await import(BUILT)) as typeof import("../../src/app/start-bot.ts");
  const log: LogLine[] = [];
  const target = new Writable({
    write(chunk, _encoding, done) {
      const line = parse(String(chunk));
      log.push(line);
      onLog?.(line);
      done();
    },
  });
  const bot = await built.startBot({ ...COMMON, ...environment }, target);
  const url = `http://127.0.0.1:${bot.port}`;
  let stopped: Promise<number> | undefined;
  return {
    url,
    webhookUrl: `${url}/api/github/webhooks`,
    pid: process.pid,
    log,
    stop: () =>
      (stopped ??= bot
        .stop("the end of a scene")
        .then(() => bot.gone)
        .then(() => 0)),
    kill: () => Promise.reject(new Error("this bot has no process of its own: start it by `startBot`")),
  };
}

/** Starts `node dist/main.js` on a free port and waits until it listens. Throws with what it printed when it ends instead. */
export async function startBot({ environment, command, onLog }: BotOptions): Promise<Bot> {
  const own = [process.execPath, ...NODE_FLAGS, join(projectRoot(), "dist", "main.js")];
  const [program = "", ...words] = command ?? own;
  const child = spawn(program, words, {
    env: { ...COMMON, ...temporaryFolder(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log: LogLine[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer); // or it would hold up the end of the test's process
      child.kill("SIGKILL");
      reject(new Error(`the bot ${why}:\n${log.map(({ msg }) => msg).join("\n")}`));
    };
    const timer = setTimeout(() => fail("did not listen in time"), START_WITHIN_MS);
    child.once("close", (code) => fail(`ended with ${code}`));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (text) => {
        const line = parse(text);
        log.push(line);
        onLog?.(line);
        if (!line.msg.startsWith("listening on port")) return;
        clearTimeout(timer);
        child.removeAllListeners("close");
        resolve(Number(line.port));
      });
    }
  });
  const pid = command ? innermost(child.pid ?? 0) : (child.pid ?? 0);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    webhookUrl: `${url}/api/github/webhooks`,
    pid,
    log,
    stop: () => end(child, pid, "SIGTERM"),
    kill: async () => void (await end(child, pid, "SIGKILL")),
  };
}

/** The process that has no other one inside, on Linux. */
function innermost(pid: number): number {
  const [inner] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return inner ? innermost(Number(inner)) : pid;
}

async function end(child: ChildProcess, pid: number, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  if (pid === child.pid) child.kill(signal);
  else process.kill(pid, signal);
  await once(child, "exit");
  return child.exitCode;
}

function parse(text: string): LogLine {
  try {
    const line = JSON.parse(text) as LogLine;
    return typeof line.msg === "string" ? line : { ...line, msg: "" };
  } catch {
    return { msg: text };
  }
}
