import { MagisError } from "../../model/magis-error.ts";
import { askSocket } from "./ask-socket.ts";
import { errorCode } from "./error-code.ts";
import { openLockAddresses } from "./open-lock-addresses.ts";

const ANSWER_WITHIN_MS = 30_000;

/**
 * Sends a command to the process that holds the embedded database of `dataDir`, and gives its answer, which is to be
 * checked; undefined when no process holds it, or there is no such directory.
 * Throws DATA_DIRECTORY_IN_USE (`data.pid` when the holder says it) when the holder does not answer.
 */
export async function askHolder(dataDir: string, request: unknown): Promise<unknown> {
  const lock = await openLockAddresses(dataDir).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (lock === undefined) return undefined;
  try {
    for (const { path, trusted } of lock.addresses) {
      if (!trusted) continue;
      const said = await askSocket({ address: path, request, withinMs: ANSWER_WITHIN_MS });
      if (said === "nobody") continue;
      if (said.answer !== undefined) return said.answer;
      throw silent(dataDir, said.pid);
    }
    return undefined;
  } finally {
    await lock.close();
  }
}

function silent(dataDir: string, pid: number | undefined): MagisError {
  const who = pid === undefined ? "another process" : `another process (pid ${pid})`;
  const message = `${dataDir} is in use by ${who}, which did not answer. Run the command as that process's user, when it has started, or stop it first.`;
  return new MagisError("DATA_DIRECTORY_IN_USE", message, pid === undefined ? {} : { pid });
}
