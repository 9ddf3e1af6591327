import { closeSync, openSync, realpathSync, rmSync, statSync } from "node:fs";
import { createServer, request } from "node:http";
import { createServer as createNetServer, type Server } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { isMagisError, MagisError } from "../../data/error.ts";
import type { Log } from "../../data/log.ts";
import type { Answer } from "../database.ts";
import { errorCode } from "./connection.ts";

export interface DirectoryLock {
  /** Answers commands of other processes of this user from now on. */
  serve(answer: Answer): void;
  release(): Promise<void>;
}

/** Characters of a command. */
const MAX_COMMAND = 10_000;

/**
 * Locks a directory for this process until `release`, or until the process ends in any way: the kernel frees the sockets
 * that it listens on. On Linux that is an abstract name, which leaves nothing behind and cannot be taken twice; everywhere
 * a socket in the directory (a pipe on Windows), which containers that share a volume see as well, and by which other
 * processes of this user ask. Does not lock across machines. Throws DATA_DIRECTORY_IN_USE (`data.pid` if known).
 */
export async function lockDirectory(path: string, log: Log): Promise<DirectoryLock> {
  const { name, file, close } = addressesOf(path);
  let answer: Answer | undefined;
  // Every user can reach the name, so it says nothing.
  const named = createNetServer((socket) => socket.destroy());
  const server = createAnswerer(() => answer);
  const release = async () => {
    server.closeAllConnections();
    for (const one of [named, server]) await new Promise((resolve) => one.close(resolve));
    close();
  };
  try {
    if (name !== undefined && !(await listens(named, name))) throw inUse(path, await askSocket(file));
    await holdFile(server, file, path).catch((error: unknown) => {
      if (name === undefined || isMagisError(error)) throw error;
      log.warn({ error }, "no socket in the data directory: no command can ask this process");
    });
  } catch (error) {
    await release();
    throw error;
  }
  return {
    release,
    serve(given) {
      answer = given;
    },
  };
}

async function holdFile(server: Server, file: string, path: string): Promise<void> {
  if (await listens(server, file)) return;
  const holder = await askSocket(file);
  if (holder) throw inUse(path, holder);
  // A killed process left it behind.
  rmSync(file, { force: true });
  if (!(await listens(server, file))) throw inUse(path, undefined);
}

/**
 * Has the process that holds a directory carry out a command, and gives its unchecked answer; undefined when no process
 * holds it, or the directory is missing. Throws DATA_DIRECTORY_IN_USE (`data.pid` if known) when there is no answer
 * within `withinMs` milliseconds.
 */
export async function askHolder(path: string, command: unknown, withinMs = 30_000): Promise<unknown> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const { file, close } = addressesOf(path);
  try {
    const said = await askSocket(file, command, withinMs);
    if (said === undefined || said.answer !== undefined) return said?.answer;
    throw inUse(path, said, "it did not answer. Run the command as its user, when it has started, or stop it first");
  } finally {
    close();
  }
}

/** Where a directory is locked, the same by every path to it. `file` may be used until `close`. */
function addressesOf(path: string): { name?: string; file: string; close(): void } {
  const real = realpathSync(path);
  const { dev, ino } = statSync(real, { bigint: true });
  if (process.platform === "win32") return { file: `\\\\.\\pipe\\magis-${dev}-${ino}`, close: () => undefined };
  if (process.platform !== "linux") return { file: join(real, "magis.lock"), close: () => undefined };
  // The path of a socket has at most 107 bytes.
  const descriptor = openSync(real, "r");
  const file = `/proc/self/fd/${descriptor}/magis.lock`;
  return { name: `\0magis-${dev}-${ino}`, file, close: () => closeSync(descriptor) };
}

/** Whether nobody else listens there. */
function listens(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => (errorCode(error) === "EADDRINUSE" ? resolve(false) : reject(error)));
    server.listen(address, () => resolve(true)).unref();
  });
}

/** Tells our process id, and answers a command that is posted. */
function createAnswerer(answer: () => Answer | undefined) {
  return createServer({ requestTimeout: 5_000, connectionsCheckingInterval: 1_000 }, async (asked, response) => {
    response.setHeader("x-magis-pid", process.pid);
    try {
      let posted = "";
      for await (const chunk of asked.setEncoding("utf8")) {
        posted += chunk;
        if (posted.length > MAX_COMMAND) throw new Error("the command is too long");
      }
      const said = posted !== "" && (await answer()?.(JSON.parse(posted)));
      response.end(said ? JSON.stringify(said) : "");
    } catch {
      response.writeHead(400).end();
    }
  });
}

interface Said {
  pid: number | undefined;
  answer?: unknown;
}

/** Asks whoever listens on a socket; undefined when nobody does. Never rejects. */
function askSocket(socketPath: string, command?: unknown, withinMs = 1_000): Promise<Said | undefined> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, method: "POST", timeout: withinMs, agent: false }, async (response) => {
      const pid = Number(response.headers["x-magis-pid"]) || undefined;
      const answer = await json(response).catch(() => undefined);
      resolve({ pid, answer });
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", (error) => {
      const isNobody = ["ECONNREFUSED", "ENOENT", "ENOTSOCK"].includes(errorCode(error));
      resolve(isNobody ? undefined : { pid: undefined });
    });
    asked.end(command === undefined ? undefined : JSON.stringify(command));
  });
}

function inUse(
  path: string,
  holder: Said | undefined,
  advice = "stop it, or give this one its own MAGIS_DATA_DIR",
): MagisError {
  const who = `another MAGIS process${holder?.pid === undefined ? "" : ` (pid ${holder.pid})`}`;
  return new MagisError("DATA_DIRECTORY_IN_USE", `${path} is in use by ${who}; ${advice}.`, { pid: holder?.pid });
}
