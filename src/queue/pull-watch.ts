import type { Pool } from "pg";
import { isHostRefusal } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import { outageOf } from "../data/outage.ts";
import { type Delivery, repositoryName } from "../data/run-request.ts";
import type { PullFindings, WatchedPull } from "../run/runs.ts";

/** Milliseconds between two polls of a pull request while nothing changes: at first, and at most. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;

/** Pull requests in one round: each takes two or three requests. */
const PULLS_A_ROUND = 10;

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

/** Stores the time up to which people's comments have been handled, unless another machine did since it was read. */
async function keepHeard(pool: Pool, { repository, number, heard: before }: WatchedPull, heard: string): Promise<void> {
  const { owner, name } = repository;
  const sql = `UPDATE magis.open_pull SET heard = $4
    WHERE owner = $1 AND name = $2 AND number = $3 AND heard IS NOT DISTINCT FROM $5`;
  await pool.query(sql, [owner, name, number, heard, before]);
}

interface Row {
  owner: string;
  name: string;
  number: number;
  /** int8 comes as text */
  installation: string;
  heard: string | null;
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

/** Requests that the host refuses before a pull request is given up: the app was removed, or the repository is gone. */
export const MOST_REFUSED = 8;

/** Whether the host does not let us see a pull request, which time alone does not mend. */
export const isRefusal = (error: unknown): boolean => isHostRefusal(error) && outageOf(error) === undefined;

interface Schedule {
  head: string | undefined;
  /** polls in a row that the host refused */
  refused: number;
  pause: number;
  next: number;
}

export interface PullWatch {
  pool: Pool;
  poll: (pull: WatchedPull) => Promise<PullFindings>;
  /** handles a draft on which people have been quiet since then; true once it is closed */
  closeStale: (pull: WatchedPull, quietSince: string) => Promise<boolean>;
  receive: (delivery: Delivery) => Promise<unknown>;
  log: Log;
  /** a steady clock in milliseconds */
  now: () => number;
  /** by pull request */
  schedules: Map<string, Schedule>;
  /** false until the first round: then all are polled at once */
  hasBegun: boolean;
}

/**
 * Does one round of the watch over the bot's open pull requests. Webhooks can be missed, or come before the pull request
 * is watched. So each is polled: at once after a start, then at intervals that double from a minute to six hours while
 * nothing is new. A finding becomes a delivery with the key of the event's webhook, so that nothing is done twice.
 */
export async function watchPulls(watch: PullWatch): Promise<void> {
  const { pool, schedules, now, log } = watch;
  const pulls = await watchedPulls(pool);
  const keys = new Set(pulls.map(keyOf));
  for (const key of schedules.keys()) if (!keys.has(key)) schedules.delete(key);
  const next = watch.hasBegun ? now() + FIRST_PAUSE_MS : now();
  watch.hasBegun = true;
  for (const key of keys) {
    if (!schedules.has(key)) schedules.set(key, { head: undefined, pause: FIRST_PAUSE_MS, next, refused: 0 });
  }
  const due = pulls.flatMap((pull) => {
    const schedule = schedules.get(keyOf(pull));
    return schedule && schedule.next <= now() ? [{ pull, schedule }] : [];
  });
  for (const { pull, schedule } of due.slice(0, PULLS_A_ROUND)) {
    try {
      await pollOne(watch, pull, schedule);
    } catch (error) {
      schedule.refused = isRefusal(error) ? schedule.refused + 1 : 0;
      const isOver = schedule.refused >= MOST_REFUSED;
      const about = { pull: keyOf(pull), error };
      log.warn(about, `could not poll the pull request; it is ${isOver ? "given up" : "tried again"}`);
      if (isOver) await unwatch(pool, pull);
      // One that is refused is soon asked for less often.
      if (schedule.refused > 0) schedule.pause = Math.min(schedule.pause * 2, LONGEST_PAUSE_MS);
    }
    schedule.next = now() + schedule.pause;
  }
}

async function pollOne(watch: PullWatch, pull: WatchedPull, schedule: Schedule): Promise<void> {
  const { pool, poll, closeStale, receive } = watch;
  const found = await poll(pull);
  schedule.refused = 0;
  for (const delivery of found.deliveries) await receive(delivery);
  if (!found.open) return unwatch(pool, pull);
  const isNew = found.head !== schedule.head || found.heard !== pull.heard;
  schedule.head = found.head;
  schedule.pause = isNew ? FIRST_PAUSE_MS : Math.min(schedule.pause * 2, LONGEST_PAUSE_MS);
  // Only once everything has been received: after an error the next round must find the rest.
  if (found.heard !== undefined && found.heard !== pull.heard) await keepHeard(pool, pull, found.heard);
  // A comment that has just been found starts work: it is an answer.
  const { quietSince } = found;
  const isQuiet = quietSince !== undefined && found.deliveries.length === 0;
  if (isQuiet && (await closeStale(pull, quietSince))) await unwatch(pool, pull);
}

const keyOf = ({ repository, number }: WatchedPull) => `${repositoryName(repository)}#${number}`;
