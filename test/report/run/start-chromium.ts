import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

/** A message of the DevTools protocol. */
interface Message {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** A page of a headless Chromium. */
export interface Tab {
  send(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** what the browser has told of this page so far, in order */
  events(): readonly Message[];
  /** Waits for an event. */
  happened(method: string): Promise<void>;
}

const FLAGS = [
  "--headless=new",
  "--hide-scrollbars",
  "--disable-gpu",
  "--no-first-run",
  "--remote-debugging-pipe",
  "--disable-dev-shm-usage",
];

/**
 * Starts a headless Chromium without a profile and talks to it through pipes (DevTools protocol, messages end with a
 * zero byte). `close` ends it and removes what it left.
 */
export async function startChromium(program: string) {
  const profile = await mkdtemp(join(tmpdir(), "magis-chromium-"));
  // Its sandbox does not work for root.
  const flags = [...FLAGS, `--user-data-dir=${profile}`, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
  const child = spawn(program, [...flags, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  const [input, output] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  const waiting = new Map<number, (message: Message) => void>();
  const events: Message[] = [];
  const listeners = new Set<() => void>();
  let rest = "";
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const messages = (rest + chunk).split("\0");
    rest = messages.pop() ?? "";
    for (const text of messages) {
      const message = JSON.parse(text) as Message;
      if (message.id === undefined) events.push(message);
      else waiting.get(message.id)?.(message);
    }
    for (const listener of listeners) listener();
  });
  let last = 0;
  const send = (method: string, params: Record<string, unknown> = {}, sessionId?: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const id = ++last;
      waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result ?? {})));
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });

  return {
    async openTab(): Promise<Tab> {
      const { targetId } = await send("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
      const own = () => events.filter((event) => event.sessionId === sessionId);
      return {
        send: (method, params) => send(method, params, sessionId as string),
        events: own,
        happened: (method) =>
          new Promise((resolve) => {
            const check = () => {
              if (!own().some((event) => event.method === method)) return;
              listeners.delete(check);
              resolve();
            };
            listeners.add(check);
            check();
          }),
      };
    },
    async close() {
      child.kill("SIGKILL");
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
