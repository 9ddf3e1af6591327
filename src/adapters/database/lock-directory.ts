import { open, realpath } from "node:fs/promises";
import type { Server } from "node:net";
import { MagisError } from "../../domain/magis-error.ts";
import type { Log } from "../../ports/log.ts";
import { holdSocket } from "./hold-socket.ts";
import { lockAddresses } from "./lock-addresses.ts";

export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Locks a directory for this process until `release` or the end of the process, by whatever it ends: two processes on
 * one embedded database lose rows without a word. Needs no native module. Machines that share a network file system
 * are not told apart from one another; use PostgreSQL there.
 * Throws DATA_DIRECTORY_IN_USE (`data.pid` when the holder says it).
 */
export async function lockDirectory(path: string, log: Log): Promise<DirectoryLock> {
  const real = await realpath(path);
  const directory = await open(real, "r");
  const held: Server[] = [];
  const release = async () => {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
    await directory.close();
  };
  try {
    const { dev, ino } = await directory.stat({ bigint: true });
    const identity = ino === 0n ? real : `${dev}:${ino}`;
    const { platform } = process;
    for (const address of lockAddresses({ path: real, identity, platform, descriptor: directory.fd })) {
      const hold = await holdSocket(address.path, address.file).catch((error: unknown) => {
        if (held.length === 0) throw error;
        log.warn({ error }, "the data directory holds no socket; containers that share it will not see each other");
        return undefined;
      });
      if (hold === undefined) continue;
      if ("holder" in hold) throw inUse(path, hold.holder);
      held.push(hold.server);
    }
    return { release };
  } catch (error) {
    await release();
    throw error;
  }
}

function inUse(path: string, pid: number | undefined): MagisError {
  const who = pid === undefined ? "another MAGIS process" : `another MAGIS process (pid ${pid})`;
  const message = `${path} is in use by ${who}; stop it, or give this one its own MAGIS_DATA_DIR.`;
  return new MagisError("DATA_DIRECTORY_IN_USE", message, pid === undefined ? {} : { pid });
}
