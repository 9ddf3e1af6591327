import type { Log } from "../data/log.ts";
import type { Database } from "./database.ts";
import type { EngineHandlers, EngineTimes } from "./engine.ts";
import type { EarlierStepsOf } from "./outcome.ts";
import type { Suspension } from "./suspension.ts";

/** What all parts of the engine share: one for each process. */
export interface EngineContext {
  database: Database;
  handlers: EngineHandlers;
  /** name of this machine, new at each start */
  executor: string;
  /** version of the order of steps */
  version: string;
  /** no living machine has a newer version, as of the last heartbeat: an older one must not pull work back to itself */
  isLatest: boolean;
  /** runs at once on this machine; with 0 others do them */
  concurrency: number;
  /** runs at once on all machines on this database; absent: as many as they take */
  concurrencyOfAll?: number | undefined;
  /** days that ended runs are stored */
  retentionDays: number;
  times: EngineTimes;
  log: Log;
  suspension: Suspension;
  earlier: EarlierStepsOf;
  /** the last delivery that comes in, by issue queue: over several connections, two could change places */
  receiving: Map<string, Promise<unknown>>;
  /** Starts what is next: a place may have become free, or new work waits. */
  onQueueChange: () => void;
}
