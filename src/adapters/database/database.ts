import type { Pool } from "pg";
import type { Answer } from "./lock-socket.ts";

/** An open database. Who opened it closes it, after the engine has stopped. */
export interface Database {
  /** `embedded`: one process, one connection. `postgres`: a server that several machines may share. */
  readonly kind: "embedded" | "postgres";
  readonly pool: Pool;
  /** Runs `body` while no other machine makes or changes tables. */
  migrate<T>(body: () => Promise<T>): Promise<T>;
  /** Whether there is room on its disk for what work writes; what cannot be told counts as room. */
  hasRoom(): Promise<boolean>;
  /**
   * Answers commands of other processes, which cannot open an embedded database beside us. A server is open to them,
   * so that nobody asks us.
   */
  serve(answer: Answer): void;
  /** Lets go of files, connections and locks within a few seconds, whatever is still running. */
  close(): Promise<void>;
}
