import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { projectRoot } from "../world/project-root.ts";
import { NODE_FLAGS } from "./node-flags.ts";

export interface BotOptions {
  /** the whole environment of the process, but for PATH */
  readonly environment: Readonly<Record<string, string>>;
  /** gets each line of its log, parsed where it is JSON */
  readonly onLog?: (line: LogLine) => void;
}

/** A line of pino's, or of anything else the process printed. */
export interface LogLine {
  readonly msg: string;
  readonly level?: number;
  readonly [name: string]: unknown;
}

export interface Bot {
  /** where webhooks go */
  readonly webhookUrl: string;
  readonly url: string;
  readonly pid: number;
  readonly log: readonly LogLine[];
  /** SIGTERM; gives the exit code */
  stop(): Promise<number | null>;
  /** kill -9 */
  kill(): Promise<void>;
}

const START_WITHIN_MS = 120_000;

/** Starts `node dist/main.js` on a free port and waits until it listens. Throws with what it printed when it ends instead. */
export async function startBot({ environment, onLog }: BotOptions): Promise<Bot> {
  const child = spawn(process.execPath, [...NODE_FLAGS, join(projectRoot(), "dist", "main.js")], {
    env: { PATH: process.env.PATH ?? "", PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "info", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log: LogLine[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    const fail = (why: string) => {
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
  const url = `http://127.0.0.1:${port}`;
  return {
    ...{ url, webhookUrl: `${url}/api/github/webhooks`, pid: child.pid ?? 0, log },
    stop: () => end(child, "SIGTERM"),
    kill: async () => void (await end(child, "SIGKILL")),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill(signal);
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
