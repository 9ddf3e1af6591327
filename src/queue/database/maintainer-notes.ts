import type { Pool } from "pg";
import type { Log } from "../../data/log.ts";
import type { RepositoryId } from "../../data/run-request.ts";
import { MAX_NOTE_LENGTH, MAX_NOTES, type MaintainerNote, type MaintainerNotes } from "../../report/notes.ts";
import { patientQuery } from "./connection.ts";

const OF_REPOSITORY = "installation = $1 AND lower(owner) = lower($2) AND lower(repo) = lower($3)";

const LIST = `
  SELECT number, text, person AS by FROM magis.maintainer_note WHERE ${OF_REPOSITORY} AND text <> '' ORDER BY number LIMIT ${MAX_NOTES}`;

const ADD = `
  INSERT INTO magis.maintainer_note (installation, owner, repo, number, comment, text, person)
  SELECT $1, $2, $3, coalesce(max(number), 0) + 1, $4, $5, $6 FROM magis.maintainer_note WHERE ${OF_REPOSITORY}
  HAVING count(*) FILTER (WHERE text <> '') < ${MAX_NOTES}
  ON CONFLICT DO NOTHING`;

const ADDED = `SELECT number FROM magis.maintainer_note WHERE ${OF_REPOSITORY} AND comment = $4`;

/** The number stays taken, so that a command given twice never deletes a newer note. */
const REMOVE = `
  WITH gone AS (
    UPDATE magis.maintainer_note SET text = '', person = ''
     WHERE ${OF_REPOSITORY} AND number = $4 AND text <> '' RETURNING 1)
  SELECT count(*)::int AS count FROM gone`;

export function createMaintainerNotes(pool: Pool, log: Log): MaintainerNotes {
  return {
    list: (repository) => patientQuery<MaintainerNote & object>(pool, log, LIST, key(repository)),
    async add(repository, comment, { text, by }) {
      // Another note may take the number first.
      for (let attempt = 0; attempt < 3; attempt++) {
        await patientQuery(pool, log, ADD, [...key(repository), comment, text.slice(0, MAX_NOTE_LENGTH), by]);
        const [added] = await patientQuery<{ number: number }>(pool, log, ADDED, [...key(repository), comment]);
        if (added !== undefined) return added.number;
      }
      return undefined;
    },
    async remove(repository, number) {
      const [row] = await patientQuery<{ count: number }>(pool, log, REMOVE, [...key(repository), number]);
      return (row?.count ?? 0) > 0;
    },
  };
}

const key = ({ installationId, owner, name }: RepositoryId) => [installationId, owner, name];
