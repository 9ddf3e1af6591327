import pLimit from "p-limit";
import type { Pool } from "pg";
import {
  type Changed,
  EMPTY_QUOTA,
  giveBackPermits,
  hasRoomFor,
  PUBLISHED_LESS_A_RESERVE,
  refuseCreations,
  reserveRoom,
  takePermits,
  type WriteQuota,
} from "../../model/write-quota.ts";
import type { Log } from "../../ports/log.ts";
import type { WriteAccount, WriteAccounts } from "../../ports/write-account.ts";
import { patientQuery } from "./connection.ts";

/** Milliseconds by the database's clock, which all machines share. */
const NOW = "extract(epoch FROM clock_timestamp())::float8 * 1000 AS now";

const READ = `SELECT version, state, ${NOW} FROM magis.write_quota WHERE installation = $1`;

const BEGIN = "INSERT INTO magis.write_quota (installation, state) VALUES ($1, $2) ON CONFLICT DO NOTHING";

const REPLACE = `
  UPDATE magis.write_quota SET state = $3, version = version + 1, at = now()
   WHERE installation = $1 AND version = $2 RETURNING version`;

/** An installation that wrote nothing for an hour has room. */
const RECENT = `
  SELECT installation, state, ${NOW} FROM magis.write_quota WHERE at > now() - interval '2 hours'`;

interface Row {
  readonly state: WriteQuota;
  readonly now: number;
}

/**
 * Accounts that all machines on one database share. One row holds an installation's quota; a change replaces the
 * version that it has read, and is decided again when another machine was faster.
 */
export function createWriteAccounts(pool: Pool, log: Log, limits = PUBLISHED_LESS_A_RESERVE): WriteAccounts {
  const accounts = new Map<number, WriteAccount>();

  async function change<T>(installation: number, decide: (before: Row) => Changed<T>): Promise<T> {
    for (;;) {
      const read = await patientQuery<Row & { version: string }>(pool, log, READ, [installation]);
      const [row] = read;
      if (row === undefined) {
        await patientQuery(pool, log, BEGIN, [installation, JSON.stringify(EMPTY_QUOTA)]);
        continue;
      }
      const { quota, gives } = decide(row);
      const values = [installation, row.version, JSON.stringify(quota)];
      if ((await patientQuery(pool, log, REPLACE, values)).length > 0) return gives;
    }
  }

  function open(installation: number): WriteAccount {
    // In turn: this process does not compete with itself.
    const turn = pLimit(1);
    const changed = <T>(decide: (before: Row) => Changed<T>) => turn(() => change(installation, decide));
    return {
      take: (taking) => changed(({ state, now }) => takePermits(state, taking, now, limits)),
      giveBack: (unused) =>
        changed(({ state, now }) => ({ quota: giveBackPermits(state, unused, now), gives: undefined })),
      reserve: (holder, creations) => changed(({ state, now }) => reserveRoom(state, holder, creations, now, limits)),
      refused: (ms) => changed(({ state, now }) => ({ quota: refuseCreations(state, ms, now), gives: undefined })),
    };
  }

  return {
    of(installation) {
      const account = accounts.get(installation) ?? open(installation);
      accounts.set(installation, account);
      return account;
    },
    async atLimit(creations) {
      // int8 comes as text.
      const { rows } = await pool.query<Row & { readonly installation: string }>(RECENT);
      const full = rows.filter(({ state, now }) => !hasRoomFor(state, creations, now, limits));
      return full.map(({ installation }) => Number(installation));
    },
  };
}
