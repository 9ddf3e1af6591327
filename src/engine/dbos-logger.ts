import type { DLogger } from "@dbos-inc/dbos-sdk";
import type { Log } from "../ports/log.ts";

/** DBOS's own messages through our log: warnings and errors; what it says in passing is left out. */
export function dbosLogger(log: Log, isStopping: () => boolean): DLogger {
  const quiet = () => undefined;
  return {
    debug: quiet,
    info: quiet,
    warn(entry) {
      // While we stop, DBOS warns of the very work that we have suspended.
      if (!isStopping()) log.warn({ engine: "dbos" }, String(entry));
    },
    error(entry, metadata) {
      const error = metadata?.error;
      if (!isStopping()) log.error({ engine: "dbos", ...(error === undefined ? {} : { error }) }, String(entry));
    },
  };
}
