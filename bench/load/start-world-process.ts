import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { FromWorld, ToWorld } from "./world-messages.ts";

/** The world's process. */
export interface WorldProcess {
  pid: number;
  ask<Did extends ToWorld["do"]>(message: Extract<ToWorld, { do: Did }>): Promise<Extract<FromWorld, { did: Did }>>;
  stop(): Promise<void>;
}

const WORKER = fileURLToPath(new URL("world-worker.js", import.meta.url));

/** Starts the process of the loopback GitHub and the scripted model. */
export function startWorldProcess(): WorldProcess {
  const child = fork(WORKER);
  const ended = once(child, "exit");
  return {
    pid: child.pid ?? 0,
    async ask<Did extends ToWorld["do"]>(message: Extract<ToWorld, { do: Did }>) {
      const answer = once(child, "message");
      child.send(message);
      const first = await Promise.race([answer, ended.then(([code]) => Number(code))]);
      if (typeof first === "number") throw new Error(`the world ended with ${first}`);
      return first[0] as Extract<FromWorld, { did: Did }>;
    },
    async stop() {
      if (child.exitCode === null) child.kill("SIGTERM");
      await ended;
    },
  };
}
