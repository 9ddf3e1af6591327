import { createHash } from "node:crypto";
import { open, realpath, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MagisError } from "../../model/error.ts";
import type { Log } from "../../ports/log.ts";
import { errorCode } from "./connection.ts";
import { type Answer, answerConnection, askSocket } from "./lock-socket.ts";

export interface DirectoryLock {
  /** Starts to answer commands that other processes of this user send to the lock. */
  serve(answer: Answer): void;
  release(): Promise<void>;
}

/**
 * Locks a directory for this process until `release`, or until the process ends in any way: two processes on one
 * embedded database lose rows silently. Does not lock across machines that share a network file system; use PostgreSQL
 * there.
 * Throws DATA_DIRECTORY_IN_USE (`data.pid` when the holder says it).
 */
export async function lockDirectory(path: string, log: Log): Promise<DirectoryLock> {
  const { addresses, close } = await openLockAddresses(path);
  const held: (() => Promise<void>)[] = [];
  let answer: Answer | undefined;
  const release = async () => {
    await Promise.all(held.map((letGo) => letGo()));
    await close();
  };
  const serve = (next: Answer) => {
    answer = next;
  };
  try {
    for (const address of addresses) {
      const hold = await holdSocket(address, () => answer).catch((error: unknown) => {
        if (held.length === 0) throw error;
        log.warn({ error }, "no socket in the data directory; containers that share it will not see each other");
        return undefined;
      });
      if (hold === undefined) continue;
      if ("holder" in hold) throw inUse(path, hold.holder);
      held.push(hold.release);
    }
    return { serve, release };
  } catch (error) {
    await release();
    throw error;
  }
}

function inUse(path: string, pid: number | undefined): MagisError {
  const who = pid === undefined ? "another MAGIS process" : `another MAGIS process (pid ${pid})`;
  const message = `${path} is in use by ${who}; stop it, or give this one its own MAGIS_DATA_DIR.`;
  return new MagisError("DATA_DIRECTORY_IN_USE", message, { pid });
}

/** Held by us until `release`, or by another process (with its id if known). */
export type Hold = { readonly release: () => Promise<void> } | { readonly holder: number | undefined };

const ATTEMPTS = 3;

const ANSWER_WITHIN_MS = 1_000;

/**
 * Listens on a local socket as a lock: the kernel releases it however the process ends. Whoever connects gets our
 * process id, and may send one command where only our user can connect; `answer` gives the current handler. Takes over
 * a socket file of a killed process when nobody answers.
 * Throws the system's error when it cannot listen at all.
 */
async function holdSocket(address: LockAddress, answer: () => Answer | undefined): Promise<Hold> {
  const { path, file } = address;
  for (let attempt = 1; ; attempt++) {
    try {
      return { release: await listen(path, address.trusted ? answer : () => undefined) };
    } catch (error) {
      if (errorCode(error) !== "EADDRINUSE") throw error;
    }
    const said = await askSocket({ address: path, withinMs: ANSWER_WITHIN_MS });
    if (said !== "nobody" || !file || attempt === ATTEMPTS) return { holder: said === "nobody" ? undefined : said.pid };
    await rm(path, { force: true });
  }
}

function listen(path: string, answer: () => Answer | undefined): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const connected = new Set<Socket>();
    const server = createServer((socket) => {
      connected.add(socket);
      socket.on("close", () => connected.delete(socket));
      answerConnection(socket, answer());
    });
    const release = () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        for (const socket of connected) socket.destroy();
      });
    server.once("error", reject);
    server.listen(path, () => {
      server.unref();
      resolve(release);
    });
  });
}

export interface LockAddress {
  readonly path: string;
  /** a socket file: stays behind after a kill; some file systems refuse it */
  readonly file: boolean;
  /** only our own user can open it, by the rights of the file or pipe; an abstract name is open to every user */
  readonly trusted: boolean;
}

export interface LockedDirectory {
  readonly path: string;
  /** the same through every mount and link */
  readonly identity: string;
  readonly platform: NodeJS.Platform;
  /** an open descriptor of the directory, for paths too long for a socket (Linux) */
  readonly descriptor: number;
}

/** sun_path is 104 bytes on macOS and 108 on Linux, with a zero at its end. */
const MAX_SOCKET_PATH_LENGTH = 100;

/**
 * The addresses that together lock a directory, in order. Linux: an abstract name (no left-overs, no races) and a
 * socket file in the directory (for other network namespaces, such as containers that share a volume). Elsewhere: the
 * socket file, or a pipe on Windows.
 */
export function lockAddresses(directory: LockedDirectory): LockAddress[] {
  const name = `magis-${createHash("sha256").update(directory.identity).digest("hex").slice(0, 32)}`;
  if (directory.platform === "win32") return [{ path: `\\\\.\\pipe\\${name}`, file: false, trusted: true }];
  const inside = join(directory.path, "magis.lock");
  const short = Buffer.byteLength(inside) <= MAX_SOCKET_PATH_LENGTH;
  if (directory.platform === "linux") {
    const path = short ? inside : `/proc/self/fd/${directory.descriptor}/magis.lock`;
    return [
      { path: `\0${name}`, file: false, trusted: false },
      { path, file: true, trusted: true },
    ];
  }
  return [{ path: short ? inside : join(tmpdir(), `${name}.lock`), file: true, trusted: true }];
}

/** The lock addresses of an existing directory; valid until `close`, since some name its open descriptor. */
export async function openLockAddresses(
  path: string,
): Promise<{ readonly addresses: readonly LockAddress[]; close(): Promise<void> }> {
  const real = await realpath(path);
  const directory = await open(real, "r");
  const { dev, ino } = await directory.stat({ bigint: true });
  const identity = ino === 0n ? real : `${dev}:${ino}`;
  const { platform } = process;
  return {
    addresses: lockAddresses({ path: real, identity, platform, descriptor: directory.fd }),
    close: () => directory.close(),
  };
}
