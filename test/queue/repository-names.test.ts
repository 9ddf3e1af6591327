import { beforeAll, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import type { RepositoryId } from "../../src/data/run-request.ts";
import { createEvolutionMemory } from "../../src/queue/database/evolution-memory.ts";
import { createMaintainerNotes } from "../../src/queue/database/maintainer-notes.ts";
import { createRunArchive, createRunStore } from "../../src/queue/database/run-store.ts";
import { createVisibleRuns } from "../../src/queue/database/visible-runs.ts";
import { openEntry, prepareEntry } from "../../src/queue/ledger.ts";
import { judgeLimits } from "../../src/queue/limits.ts";
import { watchPull } from "../../src/queue/pull-watch.ts";
import { followName, presentName } from "../../src/queue/repository-names.ts";
import { enqueueRun } from "../../src/queue/runs.ts";
import { inTransaction } from "../../src/queue/transaction.ts";
import { addDelivery, findUnadmitted, findUnfinished } from "../../src/queue/work-queue.ts";
import { accountsWith } from "../fakes/engine-handlers.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { onEachDatabase } from "./database/on-each-database.ts";
import { QUIET } from "./database/test-databases.ts";
import { delivery } from "./in-process.ts";

const ACCOUNTS = accountsWith([{ scope: "repository", period: "month", most: 1 }], 1);

/** GitHub's time of an event, in minutes. */
const at = (minute: number) => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString();

let last = 100;

/** A repository that GitHub has just made: nobody else in these tests has its number or its name. */
const newRepository = (owner = "Acme"): RepositoryId => {
  last += 1;
  return { owner, name: `Shop-${last}`, installationId: 7, id: last };
};

/** A run with all that is kept of it: it waits, was paid for, has a pull request, and its maintainers left a note. */
async function leaveWork(pool: Pool, repository: RepositoryId): Promise<string> {
  const id = `${repository.owner}/${repository.name}#1@d-${repository.id}`;
  const request = sampleRequest({ id, root: id, delivery: `d-${repository.id}`, issue: 1, repository, hint: "\0" });
  await enqueueRun(pool, QUIET, request);
  await (await createRunStore(pool, QUIET).openWriter(id)).saveRecord("candidates", { judged: [] });
  await inTransaction(pool, async (client) => openEntry(client, await prepareEntry(client, request, ACCOUNTS)));
  await watchPull(pool, { repository, number: 2 });
  await createMaintainerNotes(pool, QUIET).add(repository, 5, { text: "Use tabs.", by: "ana" });
  const version = { path: "a.ts", blob: "b1", summary: "It adds." };
  await createEvolutionMemory(pool, { maxVersions: 10, log: QUIET }).update(repository, version);
  await addDelivery(pool, { ...delivery(`l-${repository.id}`, 1), repository }, 1_000);
  return id;
}

/** What somebody who asks in the repository gets to know of earlier work there. */
async function knownOf(pool: Pool, repository: RepositoryId, run: string) {
  const store = createRunStore(pool, QUIET);
  const judged = await judgeLimits(
    pool,
    await prepareEntry(pool, sampleRequest({ id: "new", root: "new", repository, issue: 9 }), ACCOUNTS),
    new Map(),
  );
  const before = { ...delivery("none", 1), repository };
  await addDelivery(pool, before, 1_000);
  const memory = createEvolutionMemory(pool, { maxVersions: 10, log: QUIET });
  const known = {
    run: (await store.latestRun(repository, 1))?.request.id,
    report: (await createRunArchive(pool, QUIET).latestReport(repository, 1))?.id,
    seen: (await createVisibleRuns(pool, [repository], QUIET).latest(10)).map(({ id }) => id),
    unfinished: (await findUnfinished(pool, repository, 1)).map(({ id }) => id),
    unadmitted: (await findUnadmitted(pool, before, [1])).map(({ id }) => id),
    isOwn: await store.isOf(run, repository),
    notes: (await createMaintainerNotes(pool, QUIET).list(repository)).map(({ text }) => text),
    memory: (await memory.recall(repository, "a.ts", "b1"))?.summary,
    watched: await watched(pool, repository),
    limit: judged.kind,
  };
  await pool.query("DELETE FROM magis.work WHERE id = 'none'");
  return known;
}

async function watched(pool: Pool, { owner, name }: RepositoryId): Promise<readonly number[]> {
  const sql = "SELECT number FROM magis.open_pull WHERE lower(owner) = lower($1) AND name = $2";
  return (await pool.query<{ number: number }>(sql, [owner, name])).rows.map(({ number }) => number);
}

const everythingOf = (run: string, id: number | undefined) => ({
  run,
  report: run,
  seen: [run],
  unfinished: [run],
  unadmitted: [`l-${id}`],
  isOwn: true,
  notes: ["Use tabs."],
  memory: "It adds.",
  watched: [2],
  limit: "open-pulls",
});

const NOTHING = {
  run: undefined,
  report: undefined,
  seen: [],
  unfinished: [],
  unadmitted: [],
  isOwn: false,
  notes: [],
  memory: undefined,
  watched: [],
  limit: "begin",
};

onEachDatabase("what is kept of a repository", (opened) => {
  let pool: Pool;
  beforeAll(async () => {
    pool = opened.database.pool;
  });

  it.each([
    ["renamed", { name: "store" }],
    ["transferred to another owner and installation", { owner: "Globex", installationId: 8 }],
    ["transferred and renamed", { owner: "Globex", name: "store-2", installationId: 8 }],
    ["of an owner who was renamed", { owner: "Acme-Corp" }],
    ["spelled otherwise", { owner: "ACME" }],
    ["installed anew", { installationId: 9 }],
  ])("follows one that is %s", async (_, change) => {
    const before = newRepository();
    await followName(pool, before, at(0));
    const run = await leaveWork(pool, before);
    const after = { ...before, ...change };
    expect((await followName(pool, after, at(1))).repository).toEqual(after);
    expect(await knownOf(pool, after, run)).toEqual(everythingOf(run, before.id));
    const [request] = await findUnfinished(pool, after, 1);
    expect(request).toMatchObject({ repository: after, hint: "\0" });
    expect(await presentName(pool, before)).toEqual(after);
  });

  it("gives a new repository nothing of the one that had its name, and that one all of it back", async () => {
    const old = newRepository();
    await followName(pool, old, at(0));
    const run = await leaveWork(pool, old);
    const taker = { ...old, id: newRepository().id };
    const { displaced } = await followName(pool, taker, at(5));
    expect(displaced).toMatchObject({ owner: "Acme", name: `~${old.id}` });
    expect(await knownOf(pool, taker, run)).toEqual(NOTHING);
    const own = await leaveWork(pool, taker);
    const renamed = { ...old, name: `${old.name}-classic` };
    await followName(pool, renamed, at(6));
    expect(await knownOf(pool, renamed, run)).toEqual(everythingOf(run, old.id));
    expect(await knownOf(pool, taker, own)).toEqual(everythingOf(own, taker.id));
  });

  it("does not let a renamed repository inherit from one whose number nobody knew", async () => {
    const gone = newRepository();
    const run = await leaveWork(pool, gone);
    const other = newRepository();
    await followName(pool, other, at(0));
    await followName(pool, { ...other, name: gone.name }, at(1));
    expect(await knownOf(pool, { ...other, name: gone.name }, run)).toEqual(NOTHING);
  });

  it("lets two exchange their names", async () => {
    const [one, two] = [newRepository(), newRepository()];
    for (const repository of [one, two]) await followName(pool, repository, at(0));
    const [first, second] = [await leaveWork(pool, one), await leaveWork(pool, two)];
    const exchanged = [
      { ...one, name: two.name },
      { ...two, name: one.name },
    ] as const;
    for (const repository of exchanged) await followName(pool, repository, at(1));
    expect(await knownOf(pool, exchanged[0], first)).toEqual(everythingOf(first, one.id));
    expect(await knownOf(pool, exchanged[1], second)).toEqual(everythingOf(second, two.id));
  });

  it("takes what was kept before numbers were known for its own", async () => {
    const repository = newRepository();
    const run = await leaveWork(pool, repository);
    await followName(pool, repository, at(0));
    expect(await knownOf(pool, repository, run)).toEqual(everythingOf(run, repository.id));
  });

  it("learns nothing from an event of before, and takes it for the present name", async () => {
    const before = newRepository();
    const after = { ...before, name: `${before.name}-new` };
    await followName(pool, before, at(0));
    await followName(pool, after, at(5));
    expect((await followName(pool, before, at(2))).repository).toEqual(after);
    expect(await presentName(pool, before)).toEqual(after);
  });

  it("goes by the name where no number is given", async () => {
    const { id: _, ...repository } = newRepository();
    const run = await leaveWork(pool, repository);
    expect(await followName(pool, repository, at(0))).toEqual({ repository });
    expect(await knownOf(pool, repository, run)).toMatchObject({ run, notes: ["Use tabs."] });
    expect(await presentName(pool, repository)).toEqual(repository);
  });
});
