import type { Pool, PoolClient } from "pg";

/** A client in a transaction, or the pool where none is needed. */
export type Queries = Pick<PoolClient, "query">;

/** Runs `body` in one transaction; an error rolls it back and is thrown on. Nothing in it may ask the pool. */
export async function inTransaction<T>(pool: Pool, body: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection that breaks between two statements emits an error, which would end the process; the next one throws
  // it.
  const ignore = () => undefined;
  client.on("error", ignore);
  try {
    await client.query("BEGIN");
    const value = await body(client);
    await client.query("COMMIT");
    return value;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.off("error", ignore);
    client.release();
  }
}
