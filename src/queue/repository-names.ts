import type { Pool, PoolClient } from "pg";
import { type RepositoryId, type RunRequest, repositoryName } from "../data/run-request.ts";
import { inTransaction } from "./transaction.ts";
import { patientQuery } from "./work-queue.ts";

/** What a repository is called, and its installation. */
type Name = Pick<RepositoryId, "owner" | "name" | "installationId">;

/** A row of `magis.repository`; int8 comes as text. */
interface Row {
  id: string;
  owner: string;
  name: string;
  installation: string;
  since: Date;
}

const nameIn = ({ owner, name, installation }: Row): Name => ({ owner, name, installationId: Number(installation) });

const isSame = (one: Name, other: Name) => repositoryName(one).toLowerCase() === repositoryName(other).toLowerCase();

const BY_ID = "SELECT id, owner, name, installation, since FROM magis.repository WHERE id = $1";

/**
 * A repository by its present name. As it is given when it has no id, or nothing came from it yet. Tries again for
 * `withinMs` milliseconds while the database is away, for an hour when absent.
 */
export async function presentName<Scope extends Partial<RepositoryId>>(
  pool: Pool,
  scope: Scope,
  withinMs?: number,
): Promise<Scope> {
  if (scope.id === undefined) return scope;
  const { rows } = await patientQuery<Row>(pool, BY_ID, [scope.id], withinMs);
  return rows[0] === undefined ? scope : { ...scope, ...nameIn(rows[0]) };
}

/** A repository by its present name, and where the work of another one went that had this name before. */
export interface Followed {
  repository: RepositoryId;
  displaced?: Name | undefined;
}

const LOCK = 7_264_129;

/**
 * Learns a repository's name from an event of the time `at` (ISO 8601). Everything is kept under names, so when a
 * known repository comes under a new one, what is kept of it moves there. What another repository had kept under that
 * name moves away, so that nobody inherits it, until that one is heard of again. An event from before the last change
 * teaches nothing.
 */
export async function followName(
  pool: Pool,
  repository: RepositoryId,
  at: string,
  withinMs?: number,
): Promise<Followed> {
  const { id } = repository;
  if (id === undefined) return { repository };
  const { rows } = await patientQuery<Row>(pool, BY_ID, [id], withinMs);
  const [before] = rows.map(nameIn);
  const { owner, name, installationId } = repository;
  if (before?.owner === owner && before.name === name && before.installationId === installationId)
    return { repository };
  return inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    const [known] = (await client.query<Row>(BY_ID, [id])).rows;
    if (known && Date.parse(at) < known.since.getTime()) return { repository: { ...repository, ...nameIn(known) } };
    const hadIt = known !== undefined && isSame(nameIn(known), repository);
    const displaced = hadIt ? undefined : await makeRoom(client, repository, known !== undefined);
    if (known) await move(client, nameIn(known), repository);
    await client.query(LEARN, [id, owner, name, installationId, at]);
    return { repository, displaced };
  });
}

const LEARN = `
  INSERT INTO magis.repository (id, owner, name, installation, since) VALUES ($1, $2, $3, $4, $5::timestamptz)
  ON CONFLICT (id) DO UPDATE SET owner = EXCLUDED.owner, name = EXCLUDED.name, installation = EXCLUDED.installation,
    since = EXCLUDED.since, at = now()`;

const HOLDER = `
  SELECT id, owner, name, installation, since FROM magis.repository
   WHERE lower(owner) = lower($1) AND lower(name) = lower($2) AND id <> $3`;

/**
 * Moves what another repository has kept under this name to one that GitHub cannot give. Without another one that is
 * known by its id, it is this one's own, from before ids were kept, unless this one had another name until now.
 */
async function makeRoom(
  client: PoolClient,
  { id, owner, name, installationId }: RepositoryId,
  hadAnother: boolean,
): Promise<Name | undefined> {
  const [holder] = (await client.query<Row>(HOLDER, [owner, name, id])).rows;
  if (holder === undefined && !hadAnother) return undefined;
  const from = holder ? nameIn(holder) : { owner, name, installationId };
  const away = { ...from, name: `~${holder?.id ?? Date.now()}` };
  await move(client, from, away);
  if (holder) await client.query("UPDATE magis.repository SET name = $2 WHERE id = $1", [holder.id, away.name]);
  return away;
}

const INSTALLATION = "installation = CASE WHEN installation = $5::bigint THEN $6::bigint ELSE installation END";

const namedIn = (table: string, column: string) => `
  UPDATE ${table} SET owner = $3, ${column} = $4, ${INSTALLATION}
   WHERE lower(owner) = lower($1) AND lower(${column}) = lower($2)`;

const MOVES = [
  namedIn("magis.ledger", "repo"),
  namedIn("magis.maintainer_note", "repo"),
  namedIn("magis.open_pull", "name"),
  `UPDATE magis.peoples_pull SET owner = lower($3), repo = lower($4), ${INSTALLATION}
    WHERE owner = lower($1) AND repo = lower($2)`,
  `UPDATE magis.remembered_version SET repository = lower($3::text || '/' || $4::text), ${INSTALLATION}
    WHERE repository = lower($1::text || '/' || $2::text)`,
  // As `repositoryQueue` and `issueQueue` make them, and `addRun` the subject.
  `UPDATE magis.work
      SET queue = CASE split_part(queue, '/', 1) WHEN $5::text THEN $6::text ELSE split_part(queue, '/', 1) END || '/'
                  || lower($3::text || '/' || $4::text) || substr(queue, strpos(queue, '/') + 1 + length($1 || '/' || $2)),
          subject = lower($3::text || '/' || $4::text) || substr(subject, length($1 || '/' || $2) + 1)
    WHERE split_part(substr(queue, strpos(queue, '/') + 1), '#', 1) = lower($1::text || '/' || $2::text)`,
] as const;

/** Requests hold the name, too. SQL does not change them: its JSON operators refuse a kept \\u0000. */
const REQUESTS = [
  {
    find: "SELECT id FROM magis.run WHERE lower(repository) = lower($1) AND request IS NOT NULL",
    read: "SELECT request FROM magis.run WHERE id = $1",
    write: "UPDATE magis.run SET repository = $3, request = $2 WHERE id = $1",
  },
  {
    find: `SELECT id FROM magis.work WHERE state IN ('waiting', 'working', 'aside')
             AND split_part(substr(queue, strpos(queue, '/') + 1), '#', 1) = lower($1)`,
    read: "SELECT input AS request FROM magis.work WHERE id = $1",
    write: "UPDATE magis.work SET input = $2 WHERE id = $1 AND $3::text IS NOT NULL",
  },
] as const;

/** Moves everything that is kept of one repository to another name, under which nothing else is kept. */
async function move(client: PoolClient, from: Name, to: Name): Promise<void> {
  const { owner, name, installationId } = to;
  for (const { find, read, write } of REQUESTS) {
    // One by one: a request holds an issue's text.
    for (const { id } of (await client.query<{ id: string }>(find, [repositoryName(from)])).rows) {
      const [row] = (await client.query<{ request: RunRequest }>(read, [id])).rows;
      const request = { ...row?.request, repository: { ...row?.request.repository, owner, name, installationId } };
      await client.query(write, [id, JSON.stringify(request), repositoryName(to)]);
    }
  }
  const values = [from.owner, from.name, owner, name, from.installationId, installationId];
  for (const sql of MOVES) await client.query(sql, values.map(String));
}
