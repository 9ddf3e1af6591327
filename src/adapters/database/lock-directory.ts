import { MagisError } from "../../model/magis-error.ts";
import type { Log } from "../../ports/log.ts";
import type { Answer } from "./answer-connection.ts";
import { holdSocket } from "./hold-socket.ts";
import { openLockAddresses } from "./open-lock-addresses.ts";

export interface DirectoryLock {
  /** From now on commands that other processes of this user send to the lock are answered. */
  serve(answer: Answer): void;
  release(): Promise<void>;
}

/**
 * Locks a directory for this process until `release` or the end of the process, by whatever it ends: two processes on
 * one embedded database lose rows without a word. Needs no native module. Machines that share a network file system
 * are not told apart from one another; use PostgreSQL there.
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
        log.warn({ error }, "the data directory holds no socket; containers that share it will not see each other");
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
  return new MagisError("DATA_DIRECTORY_IN_USE", message, pid === undefined ? {} : { pid });
}
