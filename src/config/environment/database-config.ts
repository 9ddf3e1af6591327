import { resolve } from "node:path";
import type { z } from "zod";
import type { Config } from "./config-config.ts";
import type { environmentSchema } from "./environment-schema.ts";

/** Where the database is; the data directory is made absolute. */
export function databaseConfig(
  values: Pick<z.output<typeof environmentSchema>, "DATABASE_URL" | "MAGIS_DATA_DIR">,
): Config["database"] {
  return { dataDir: resolve(values.MAGIS_DATA_DIR), ...(values.DATABASE_URL && { url: values.DATABASE_URL }) };
}
