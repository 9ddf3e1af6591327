import type { Pool } from "pg";
import type { Log } from "../../data/log.ts";
import { type RepositoryId, repositoryName } from "../../data/run-request.ts";
import type { EvolutionMemory, RememberedVersion } from "../../run/evolution-memory.ts";
import { patientQuery } from "./connection.ts";

export interface EvolutionMemoryOptions {
  /** versions to keep for one repository of one installation; briefly up to 1 % more */
  maxVersions: number;
  log: Log;
}

const RECALL = `
  WITH found AS (
    SELECT path, blob FROM magis.remembered_version
     WHERE installation = $1 AND repository = $2 AND (blob = $4 OR path = $3)
     ORDER BY blob = $4 DESC, path = $3 DESC, learned DESC LIMIT 1)
  UPDATE magis.remembered_version v SET used = nextval('magis.memory_clock') FROM found
   WHERE v.installation = $1 AND v.repository = $2 AND v.path = found.path AND v.blob = found.blob
  RETURNING v.path, v.blob, v.summary`;

const UPDATE = `
  INSERT INTO magis.remembered_version (installation, repository, path, blob, summary, learned, used)
  VALUES ($1, $2, $3, $4, $5, nextval('magis.memory_clock'), nextval('magis.memory_clock'))
  ON CONFLICT (installation, repository, path, blob)
  DO UPDATE SET summary = EXCLUDED.summary, learned = EXCLUDED.learned, used = EXCLUDED.used`;

const SHRINK = `
  DELETE FROM magis.remembered_version WHERE installation = $1 AND repository = $2 AND used <= (
    SELECT used FROM magis.remembered_version WHERE installation = $1 AND repository = $2
     ORDER BY used DESC OFFSET $3 LIMIT 1)`;

/** The maintainers' notes on a repository go with it. */
const FORGET = `
  WITH notes AS (
    DELETE FROM magis.maintainer_note
     WHERE ($1::bigint IS NULL OR installation = $1) AND ($2::text IS NULL OR lower(owner || '/' || repo) = lower($2))),
  gone AS (
    DELETE FROM magis.remembered_version
     WHERE ($1::bigint IS NULL OR installation = $1) AND ($2::text IS NULL OR repository = $2) RETURNING 1)
  SELECT count(*)::int AS count FROM gone`;

/** The evolution memory (paper 3.2.1) on the database; the least recently used version goes first. */
export function createEvolutionMemory(pool: Pool, { maxVersions, log }: EvolutionMemoryOptions): EvolutionMemory {
  const shrinkEvery = Math.max(1, Math.floor(maxVersions / 100));
  /** updates since the last shrink, by repository; the first after a start always shrinks */
  const updates = new Map<string, number>();

  return {
    async recall(repository, path, blob) {
      const [found] = await patientQuery<RememberedVersion & object>(pool, log, RECALL, [
        ...key(repository),
        path,
        blob,
      ]);
      return found;
    },
    async update(repository, { path, blob, summary }) {
      const owner = key(repository);
      await patientQuery(pool, log, UPDATE, [...owner, path, blob, summary.replaceAll("\0", "\uFFFD")]);
      const name = owner.join(":");
      const count = updates.get(name) ?? 0;
      updates.set(name, (count + 1) % shrinkEvery);
      if (count === 0) await patientQuery(pool, log, SHRINK, [...owner, maxVersions]);
    },
    async forget(scope) {
      const installation = scope.installationId ?? null;
      const repository = scope.owner === undefined ? null : nameOf(scope);
      // A scope that is empty against its type must not delete everything.
      if (installation === null && repository === null) return 0;
      const [row] = await patientQuery<{ count: number }>(pool, log, FORGET, [installation, repository]);
      return row?.count ?? 0;
    },
  };
}

function key(repository: RepositoryId): [number, string] {
  return [repository.installationId, nameOf(repository)];
}

/** GitHub ignores the case of names. */
function nameOf(repository: Pick<RepositoryId, "owner" | "name">): string {
  return repositoryName(repository).toLowerCase();
}
