import type { Pool } from "pg";

/** Carries out a command of another process; takes and gives plain data. */
export type Answer = (command: unknown) => Promise<unknown>;

/** An open database. Its opener closes it, after the engine has stopped. */
export interface Database {
  /** `embedded`: one process, one connection. `postgres`: a server that several machines may share. */
  kind: "embedded" | "postgres";
  pool: Pool;
  /** Runs `body` while no other machine makes or changes tables. */
  migrate<T>(body: () => Promise<T>): Promise<T>;
  /** Whether its disk has room for what work writes; true where unknown. */
  hasRoom(): Promise<boolean>;
  /**
   * Answers commands of other processes, which cannot open an embedded database beside us. They reach a server
   * directly.
   */
  serve(answer: Answer): void;
  /**
   * Writes all that it holds to a new file. Absent on a server, which other processes reach directly. Throws
   * BACKUP_FAILED.
   */
  backUp?(file: string): Promise<void>;
  /** Releases files, connections and locks within a few seconds, whatever is still running. */
  close(): Promise<void>;
}
