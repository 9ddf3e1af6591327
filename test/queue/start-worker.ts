import { type ChildProcess, fork } from "node:child_process";
import type { Delivery } from "../../src/data/run-request.ts";
import { NODE_FLAGS } from "../bot/node-flags.ts";
import type { WorkerOptions } from "./worker.ts";

interface Message {
  ready?: true;
  refused?: string;
  received?: string;
  log?: string;
}

export interface Worker {
  pid: number;
  logs: readonly string[];
  receive(delivery: Delivery): Promise<string>;
  signal(name: NodeJS.Signals): void;
  /** Sends the signal and resolves with the exit code when the process is gone. */
  end(name: NodeJS.Signals): Promise<number | null>;
}

/** Starts a worker process; rejects with the worker's message when it refuses to start. */
export async function startWorker(
  path: string,
  options: WorkerOptions,
  variables: Readonly<Record<string, string>> = {},
): Promise<Worker> {
  const env = { ...process.env, ...variables, WORKER_OPTIONS: JSON.stringify(options), NODE_OPTIONS: "" };
  const child = fork(path, {
    env,
    execArgv: ["--enable-source-maps", ...NODE_FLAGS],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const logs: string[] = [];
  child.on("message", ({ log }: Message) => {
    if (log !== undefined) logs.push(log);
  });
  const gone = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const first = await next(child, (message) => message.ready !== undefined || message.refused !== undefined);
  if (first.refused !== undefined) {
    await gone;
    throw new Error(first.refused);
  }
  return {
    pid: child.pid ?? 0,
    logs,
    async receive(delivery) {
      const answer = next(child, (message) => message.received !== undefined);
      child.send(delivery);
      return (await answer).received ?? "";
    },
    signal: (name) => void child.kill(name),
    end(name) {
      child.kill(name);
      return gone;
    },
  };
}

function next(child: ChildProcess, wanted: (message: Message) => boolean): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error("the worker ended before it answered"));
    const onMessage = (message: Message) => {
      if (!wanted(message)) return;
      child.off("message", onMessage).off("exit", onExit);
      resolve(message);
    };
    child.on("message", onMessage).once("exit", onExit);
  });
}
