import type { Pool } from "pg";

/** What the engine needs of a database. It is opened before the engine and closed after it, by whoever starts both. */
export interface EngineDatabase {
  /** `embedded`: in this process, which has it alone. `postgres`: several machines may share it. */
  readonly kind: "embedded" | "postgres";
  readonly pool: Pool;
  /** Runs `body` while no other machine makes or changes tables. */
  migrate<T>(body: () => Promise<T>): Promise<T>;
}
