import type { Pool } from "pg";
import { isHostRefusal } from "../model/error.ts";
import { outageOf } from "../model/outage.ts";
import type { Delivery } from "../model/run-request.ts";
import type { Log } from "../ports/log.ts";
import type { PullLook, WatchedPull } from "../ports/runs.ts";

/** Milliseconds between two looks at a pull request while nothing changes: at first, and at most. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;

/** Looks in one round: each is two or three requests. */
const LOOKS_A_ROUND = 10;

/** After that nobody is likely to merge it, and comments, pushes and the merge still come by webhook. */
export const WATCHED_DAYS = 90;

/** Watches a pull request from now on; one that is watched already stays as it is. */
export async function watchPull(pool: Pool, { repository, number }: WatchedPull): Promise<void> {
  await pool.query(
    `INSERT INTO magis.open_pull (owner, name, number, installation) VALUES ($1, $2, $3, $4)
       ON CONFLICT (owner, name, number) DO UPDATE SET installation = EXCLUDED.installation`,
    [repository.owner, repository.name, number, repository.installationId],
  );
}

async function unwatch(pool: Pool, { repository, number }: WatchedPull): Promise<void> {
  const { owner, name } = repository;
  await pool.query("DELETE FROM magis.open_pull WHERE owner = $1 AND name = $2 AND number = $3", [owner, name, number]);
}

/** Stores the time up to which people's comments have been handled. */
async function keepHeard(pool: Pool, { repository, number }: WatchedPull, heard: string): Promise<void> {
  const { owner, name } = repository;
  const sql = "UPDATE magis.open_pull SET heard = $4 WHERE owner = $1 AND name = $2 AND number = $3";
  await pool.query(sql, [owner, name, number, heard]);
}

interface Row {
  readonly owner: string;
  readonly name: string;
  readonly number: number;
  /** int8 comes as text */
  readonly installation: string;
  readonly heard: string | null;
}

async function watchedPulls(pool: Pool): Promise<readonly WatchedPull[]> {
  await pool.query("DELETE FROM magis.open_pull WHERE since < now() - make_interval(days => $1)", [WATCHED_DAYS]);
  const { rows } = await pool.query<Row>(
    "SELECT owner, name, number, installation, heard FROM magis.open_pull ORDER BY since",
  );
  return rows.map(({ owner, name, number, installation, heard }) => ({
    repository: { owner, name, installationId: Number(installation) },
    number,
    heard: heard ?? undefined,
  }));
}

export interface PullWatchOptions {
  readonly pool: Pool;
  /** whether another machine does the polling */
  readonly isLeftToOthers: () => Promise<boolean>;
  readonly look: (pull: WatchedPull) => Promise<PullLook>;
  /** tends a draft on which people have been quiet since then; true once it is closed */
  readonly tend?: ((pull: WatchedPull, quietSince: string) => Promise<boolean>) | undefined;
  readonly receive: (delivery: Delivery) => Promise<unknown>;
  readonly log: Log;
  /** a steady clock in milliseconds */
  readonly now?: () => number;
}

/** Looks that the host refuses before a pull request is given up: the app was removed, or the repository is gone. */
export const MOST_REFUSED = 8;

/** Whether the host does not let us see a pull request, which time alone does not mend. */
export const isRefusal = (error: unknown): boolean => isHostRefusal(error) && outageOf(error) === undefined;

interface Schedule {
  head: string | undefined;
  /** looks in a row that the host refused */
  refused: number;
  pause: number;
  next: number;
}

/**
 * Makes the function that does one round of the watch over the bot's open pull requests. Webhooks can be missed, or
 * come before the pull request is watched. So each is polled: at once after a start, then at intervals that double from
 * a minute to six hours while nothing is new. A finding becomes a delivery with the key of the event's webhook, so that
 * nothing is done twice.
 */
export function createPullWatch(options: PullWatchOptions): () => Promise<void> {
  const { pool, isLeftToOthers, look, tend, receive, log, now = () => performance.now() } = options;
  const schedules = new Map<string, Schedule>();
  let isFirst = true;

  const lookAt = async (pull: WatchedPull, schedule: Schedule): Promise<void> => {
    const found = await look(pull);
    schedule.refused = 0;
    for (const delivery of found.deliveries) await receive(delivery);
    if (!found.open) {
      await unwatch(pool, pull);
      return;
    }
    const isNew = found.head !== schedule.head || found.heard !== pull.heard;
    schedule.head = found.head;
    schedule.pause = isNew ? FIRST_PAUSE_MS : Math.min(schedule.pause * 2, LONGEST_PAUSE_MS);
    // Only once everything has been received: after an error the next round must find the rest.
    if (found.heard !== undefined && found.heard !== pull.heard) await keepHeard(pool, pull, found.heard);
    // A comment that has just been found starts work: it is an answer.
    const isQuiet = tend && found.quietSince !== undefined && found.deliveries.length === 0;
    if (isQuiet && (await tend(pull, found.quietSince))) await unwatch(pool, pull);
  };

  return async () => {
    if (await isLeftToOthers()) return;
    const pulls = await watchedPulls(pool);
    const keys = new Set(pulls.map(keyOf));
    for (const key of schedules.keys()) if (!keys.has(key)) schedules.delete(key);
    const first = isFirst ? now() : now() + FIRST_PAUSE_MS;
    isFirst = false;
    let looks = 0;
    for (const pull of pulls) {
      const key = keyOf(pull);
      const schedule = schedules.get(key) ?? { head: undefined, pause: FIRST_PAUSE_MS, next: first, refused: 0 };
      schedules.set(key, schedule);
      if (schedule.next > now() || looks >= LOOKS_A_ROUND) continue;
      looks += 1;
      try {
        await lookAt(pull, schedule);
      } catch (error) {
        schedule.refused = isRefusal(error) ? schedule.refused + 1 : 0;
        const isOver = schedule.refused >= MOST_REFUSED;
        log.warn(
          { pull: key, error },
          `could not look at the pull request; it is ${isOver ? "given up" : "tried again"}`,
        );
        if (isOver) await unwatch(pool, pull);
        // One that is refused is soon asked for less often.
        if (schedule.refused > 0) schedule.pause = Math.min(schedule.pause * 2, LONGEST_PAUSE_MS);
      }
      schedule.next = now() + schedule.pause;
    }
  };
}

const keyOf = ({ repository, number }: WatchedPull) => `${repository.owner}/${repository.name}#${number}`;
