import type { Log } from "../../src/data/log.ts";

/** A Log that keeps its messages. */
export function createFakeLog() {
  const lines: string[] = [];
  const log: Log = {
    info: (_data, message) => void lines.push(`info ${message}`),
    warn: (_data, message) => void lines.push(`warn ${message}`),
    error: (_data, message) => void lines.push(`error ${message}`),
  };
  return { log, lines };
}
