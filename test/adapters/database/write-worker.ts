import pg from "pg";
import { createWriteAccounts } from "../../../src/adapters/database/write-accounts.ts";
import { createWritePacer } from "../../../src/github/api/write-pacer.ts";

/** One machine: `runs` runs at once, each of which reserves `reserve` creations and then makes as many as it can. */
const { url, limit, runs, reserve } = JSON.parse(process.env.WRITE_WORKER ?? "{}");

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const pool = new pg.Pool({ connectionString: url });
const limits = [{ of: "creations", ms: 3_600_000, writes: limit }] as const;
const pacer = createWritePacer(0, createWriteAccounts(pool, quiet, limits).of(7));

async function work(run: string): Promise<void> {
  if ((await pacer.reserve(run, reserve)) > 0) return;
  for (let write = 0; write < reserve; write++) {
    await pacer.pace(() => pool.query("INSERT INTO written VALUES ($1)", [run]), true, run);
  }
  await pacer.reserve(run, 0);
}

process.once("message", async () => {
  await Promise.all(Array.from({ length: runs }, (_, at) => work(`${process.pid}-${at}`)));
  await pool.end();
  process.disconnect?.();
});
process.send?.("ready");
