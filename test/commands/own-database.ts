import { join } from "node:path";
import type { Pool } from "pg";
import { createEvolutionMemory } from "../../src/queue/database/evolution-memory.ts";
import { openDatabase } from "../../src/queue/database/open-database.ts";
import { startBotHere } from "../bot/start-bot.ts";
import { rsaKey } from "../fakes/rsa-key.ts";
import { QUIET } from "../queue/database/test-databases.ts";
import { startMagisHere } from "./start-magis.ts";

/** Where a bot keeps what it knows: its own folder, or a server. */
export interface Place {
  dataDir: string;
  url?: string;
}

/** The built command line, in this process unless told; nothing is set but where the database is. */
export async function magis({ dataDir, url = "" }: Place, words: readonly string[], start = startMagisHere) {
  const environment = { MAGIS_DATA_DIR: dataDir, DATABASE_URL: url, XDG_STATE_HOME: join(dataDir, "state") };
  const { exitCode, out, err } = await start(words, { environment, cwd: dataDir }).ended;
  return { exitCode, out: out.toString(), err };
}

export async function withPool<T>(place: Place, body: (pool: Pool) => Promise<T>): Promise<T> {
  const database = await openDatabase({ ...place, log: QUIET });
  try {
    return await body(database.pool);
  } finally {
    await database.close();
  }
}

export const withMemory = <T>(place: Place, body: (memory: ReturnType<typeof createEvolutionMemory>) => Promise<T>) =>
  withPool(place, (pool) => body(createEvolutionMemory(pool, { maxVersions: 100, log: QUIET })));

export const WEBHOOK_SECRET = "a-webhook-secret";

/** A bot that runs on the database in `dataDir`, and reaches no GitHub. */
export const startBotOn = (dataDir: string) =>
  startBotHere({
    environment: {
      PRIVATE_KEY: rsaKey(),
      APP_ID: "7",
      WEBHOOK_SECRET,
      ANTHROPIC_API_KEY: "none",
      MAGIS_DATA_DIR: dataDir,
    },
  });
