import type { Pool } from "pg";
import type { Log } from "../../data/log.ts";
import { repositoryName } from "../../data/run-request.ts";
import type { Visible, VisibleRuns } from "../visible.ts";
import { createRunReader, type RunRow } from "./run-store.ts";

/** The stored runs as far as somebody may see them. */
export function createVisibleRuns(pool: Pool, visible: Visible, log: Log): VisibleRuns {
  const reader = createRunReader(pool, log);
  const { installations, names } = namesOf(visible);
  const seen = installations && new Set(installations.map((one, at) => keyOf(one, names?.[at] ?? "")));
  // By the request, whose JSON holds the installation; the query has the name alone.
  const isSeen = ({ request }: RunRow) =>
    seen === undefined ||
    (request !== null && seen.has(keyOf(request.repository.installationId, repositoryName(request.repository))));
  const listed = (condition: string, most: number, ...values: unknown[]) =>
    reader.summaries(`WHERE ($1::text[] IS NULL OR lower(r.repository) = ANY($1)) ${condition} LIMIT $2`, {
      values: [names, most, ...values],
      isSeen,
    });
  return {
    unfinished: (most) => listed("AND w.id IS NOT NULL ORDER BY w.arrival", most),
    latest: (most, { words, repository, person, end } = {}) =>
      listed(`${WANTED} ORDER BY r.seq DESC`, most, patternOf(words), patternOf(repository), person, end),
    report: (runId) => reader.report("WHERE r.id = $1", { values: [runId], isSeen }),
  };
}

/** The request is read as text: json operators refuse a kept \u0000. */
const WANTED = `
  AND ($3::text IS NULL OR r.request::text ILIKE $3) AND ($4::text IS NULL OR r.repository ILIKE $4)
  AND ($5::text IS NULL AND $6::text IS NULL OR EXISTS (
    SELECT FROM magis.ledger l
     WHERE l.run = r.id AND ($5 IS NULL OR lower(l.person) = lower($5)) AND ($6 IS NULL OR l.outcome = $6)))`;

/** Finds `part` anywhere, as JSON writes it. */
const patternOf = (part: string | undefined) =>
  part &&
  `%${JSON.stringify(part)
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, "\\$&")}%`;

const keyOf = (installation: number, name: string) => `${installation} ${name.toLowerCase()}`;

/** Columns for queries; undefined for those who see all. */
export function namesOf(visible: Visible) {
  if (visible === "all") return {};
  return {
    installations: visible.map(({ installationId }) => installationId),
    names: visible.map((repository) => repositoryName(repository).toLowerCase()),
  };
}
