import { closeSync, openSync, realpathSync, rmSync, statSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { MagisError } from "../../model/error.ts";
import type { Log } from "../../ports/log.ts";
import { errorCode } from "./connection.ts";

/** Carries out a command of another process; takes and gives plain data. */
export type Answer = (command: unknown) => Promise<unknown>;

export interface DirectoryLock {
  /** Answers commands of other processes of this user from now on. */
  serve(answer: Answer): void;
  release(): Promise<void>;
}

/** Bytes of a command. */
const MAX_COMMAND = 10_000;

/**
 * Locks a directory for this process until `release`, or until the process ends in any way: the kernel frees the sockets
 * that it listens on. On Linux that is an abstract name, which leaves nothing behind and cannot be taken twice; everywhere
 * a socket in the directory (a pipe on Windows), which containers that share a volume see as well, and by which other
 * processes of this user ask. Does not lock across machines. Throws DATA_DIRECTORY_IN_USE (`data.pid` if known).
 */
export async function lockDirectory(path: string, log: Log): Promise<DirectoryLock> {
  const { name, file, close } = addressesOf(path);
  const held: Server[] = [];
  let answer: Answer | undefined;
  const release = async () => {
    for (const server of held) await stop(server);
    close();
  };
  try {
    if (name !== undefined) {
      // Every user can reach this one, so it carries out nothing.
      const named = createAnswerer(() => undefined);
      if (!(await listens(named, name))) throw inUse(path, (await askSocket(name))?.pid);
      held.push(named);
    }
    const server = createAnswerer(() => answer);
    const isOurs = listens(server, file).catch((error: unknown) => {
      if (name === undefined) throw error;
      log.warn({ error }, "no socket in the data directory: no command can ask this process");
      return true;
    });
    if (!(await isOurs)) {
      const holder = await askSocket(file);
      if (holder) throw inUse(path, holder.pid);
      // A killed process left it behind.
      rmSync(file, { force: true });
      if (!(await listens(server, file))) throw inUse(path, undefined);
    }
    held.push(server);
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

/**
 * Has the process that holds a directory carry out a command, and gives its unchecked answer; undefined when no process
 * holds it, or the directory is missing. Throws DATA_DIRECTORY_IN_USE (`data.pid` if known) when there is no answer
 * within `withinMs` milliseconds.
 */
export async function askHolder(path: string, command: unknown, withinMs = 30_000): Promise<unknown> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const { file, close } = addressesOf(path);
  try {
    const said = await askSocket(file, { command, withinMs });
    if (said === undefined || said.answer !== undefined) return said?.answer;
    const message = `${path} is in use by ${processOf(said.pid)}, which did not answer. Run the command as that process's user, when it has started, or stop it first.`;
    throw new MagisError("DATA_DIRECTORY_IN_USE", message, { pid: said.pid });
  } finally {
    close();
  }
}

/** Where a directory is locked, the same by every path to it. `file` may be used until `close`. */
function addressesOf(path: string): { readonly name?: string; readonly file: string; close(): void } {
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

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Tells our process id, and answers a command that is posted. */
function createAnswerer(answer: () => Answer | undefined): Server {
  return createServer({ requestTimeout: 5_000, connectionsCheckingInterval: 1_000 }, async (asked, response) => {
    response.setHeader("x-magis-pid", process.pid);
    try {
      const posted: Buffer[] = [];
      for await (const chunk of asked) {
        posted.push(chunk as Buffer);
        if (Buffer.concat(posted).length > MAX_COMMAND) throw new Error("the command is too long");
      }
      const said = posted.length > 0 && (await answer()?.(JSON.parse(Buffer.concat(posted).toString())));
      response.end(said ? JSON.stringify(said) : "");
    } catch {
      response.writeHead(400).end();
    }
  });
}

interface Said {
  readonly pid: number | undefined;
  readonly answer?: unknown;
}

/** Asks whoever listens on a socket; undefined when nobody does. Never rejects. */
function askSocket(
  socketPath: string,
  { command, withinMs = 1_000 }: { readonly command?: unknown; readonly withinMs?: number } = {},
): Promise<Said | undefined> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, method: "POST", timeout: withinMs, agent: false }, async (response) => {
      const pid = Number(response.headers["x-magis-pid"]) || undefined;
      const answer = await text(response).then(
        (said) => (said === "" ? undefined : (JSON.parse(said) as unknown)),
        () => undefined,
      );
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

const processOf = (pid: number | undefined) =>
  pid === undefined ? "another MAGIS process" : `another MAGIS process (pid ${pid})`;

function inUse(path: string, pid: number | undefined): MagisError {
  const message = `${path} is in use by ${processOf(pid)}; stop it, or give this one its own MAGIS_DATA_DIR.`;
  return new MagisError("DATA_DIRECTORY_IN_USE", message, { pid });
}
