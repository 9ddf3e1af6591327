import type { Pool } from "pg";
import type { Log } from "../data/log.ts";
import { repositoryName } from "../data/run-request.ts";
import type { PullOutcome, WatchedPull } from "../run/runs.ts";
import { isRefusal, MOST_REFUSED } from "./pull-watch.ts";

/** Pull requests in one round: each takes two or three requests. */
const PULLS_A_ROUND = 10;

/** Milliseconds until a measurement that failed is tried again: at first, and at most. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;

const UNMEASURED = `
  SELECT seq, installation, owner, repo, pull, pull_state,
         (SELECT head FROM magis.ledger h
           WHERE coalesce(h.change, h.seq) = coalesce(l.change, l.seq) AND head IS NOT NULL
           ORDER BY ended DESC, seq DESC LIMIT 1) AS head
    FROM magis.ledger l
   WHERE NOT measured AND pull_state IN ('merged', 'closed', 'reverted') AND owner IS NOT NULL ORDER BY seq`;

interface Row {
  /** int8 comes as text */
  seq: string;
  installation: string;
  owner: string;
  repo: string;
  pull: number;
  pull_state: string;
  head: string | null;
}

/** While the host was asked, a webhook may have told of another end, which is measured then. */
const STILL = "WHERE seq = $1 AND pull_state = $2 AND NOT measured";

const MEASURED = `
  UPDATE magis.ledger SET measured = $3 <> 'open', pull_state = CASE WHEN pull_state = 'reverted' THEN pull_state ELSE $3 END,
         pull_ended = $4::timestamptz, review_comments = $5, lines_after = $6, lines_note = $7 ${STILL}`;

const GIVEN_UP = `
  UPDATE magis.ledger SET measured = true, lines_note = 'the host no longer shows the pull request' ${STILL}`;

export interface PullMeasurements {
  pool: Pool;
  outcomeOf: (pull: WatchedPull, head: string | undefined) => Promise<PullOutcome>;
  log: Log;
  /** a steady clock in milliseconds */
  now: () => number;
  /** measurements that failed, by number in the ledger */
  failed: Map<string, { pause: number; next: number; refused: number }>;
}

/**
 * Measures once each pull request that was merged or closed, and enters in the ledger when that was and what people did
 * to it after us. One that the host no longer shows is given up after a few tries.
 */
export async function measureOutcomes(options: PullMeasurements): Promise<void> {
  const { pool, outcomeOf, log, now, failed } = options;
  const { rows } = await pool.query<Row>(UNMEASURED);
  for (const seq of failed.keys()) if (!rows.some((row) => row.seq === seq)) failed.delete(seq);
  const due = rows.filter(({ seq }) => (failed.get(seq)?.next ?? 0) <= now()).slice(0, PULLS_A_ROUND);
  for (const { seq, owner, repo, pull, pull_state, installation, head } of due) {
    const repository = { owner, name: repo, installationId: Number(installation) };
    try {
      const { state, at, comments, linesAfter } = await outcomeOf({ repository, number: pull }, head ?? undefined);
      const lines = typeof linesAfter === "number" ? [linesAfter, null] : [null, linesAfter.unknown];
      await pool.query(MEASURED, [seq, pull_state, state, at ?? null, comments, ...lines]);
    } catch (error) {
      const before = failed.get(seq) ?? { pause: FIRST_PAUSE_MS / 2, refused: 0 };
      const pause = Math.min(before.pause * 2, LONGEST_PAUSE_MS);
      const refused = isRefusal(error) ? before.refused + 1 : 0;
      failed.set(seq, { pause, next: now() + pause, refused });
      const isOver = refused >= MOST_REFUSED;
      const about = { pull: `${repositoryName(repository)}#${pull}`, error };
      log.warn(about, `could not see what became of the pull request; it is ${isOver ? "given up" : "tried again"}`);
      if (isOver) await pool.query(GIVEN_UP, [seq, pull_state]);
    }
  }
}
