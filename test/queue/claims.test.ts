import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import type { Delivery, RunRequest } from "../../src/data/run-request.ts";
import {
  type Claimant,
  type Claimed,
  claimDeliveries,
  claimPlaceless,
  claimRuns as claimRunsWith,
  DELIVERIES_AT_ONCE,
} from "../../src/queue/claims.ts";
import { giveBack, heartbeat, requeueOldVersions, takeOver } from "../../src/queue/machines.ts";
import { Suspension } from "../../src/queue/suspension.ts";
import { reportWaiting } from "../../src/queue/turns.ts";
import { addDelivery, addReport, addRun, claimedBy, endWork, parkRun } from "../../src/queue/work-queue.ts";
import { accountsWith, engineHandlers } from "../fakes/engine-handlers.ts";
import { onEachDatabase } from "./database/on-each-database.ts";
import { delivery, keepingLog, requestOf } from "./in-process.ts";

interface Places {
  concurrency: number;
  concurrencyOfAll?: number | undefined;
}

const claimRuns = (pool: Pool, claimant: Claimant, places: Places) =>
  claimRunsWith(pool, claimant, { ...places, accounts: accountsWith(), log: keepingLog() });

const OLD: Claimant = { executor: "old", version: "1", isLatest: false };
const OTHER: Claimant = { executor: "other", version: "1", isLatest: false };
const NEWER: Claimant = { executor: "newer", version: "2", isLatest: true };

onEachDatabase("claims of work", (opened) => {
  let pool: Pool;
  beforeAll(async () => {
    pool = opened.database.pool;
  });
  afterEach(async () => void (await pool.query("DELETE FROM magis.work; DELETE FROM magis.executor")));

  const request = requestOf(delivery("d1", 1));
  const claim = (claimant: Claimant) => claimRuns(pool, claimant, { concurrency: 4 });
  const attempts = (claimed: readonly Claimed[]) => claimed.map(({ attempt, since }) => [attempt, since]);

  it("resumes a run on the same version, and restarts it only on a newer one", async () => {
    await addRun(pool, request);
    expect(attempts(await claim(OLD))).toEqual([[1, 1]]);
    await giveBack(pool, "old");
    expect(attempts(await claim(OTHER))).toEqual([[2, 1]]);
    await giveBack(pool, "other");
    expect(attempts(await claim(NEWER))).toEqual([[3, 3]]);
    await giveBack(pool, "newer");
    // A machine that a rolling update has not reached must not pull the run back.
    expect(await claim(OLD)).toEqual([]);
    expect(attempts(await claim(NEWER))).toEqual([[4, 3]]);
  });

  it("takes work over only from dead machines, once, and counts the takeovers", async () => {
    await addRun(pool, request);
    await claim(OLD);
    await heartbeat(pool, "old", "1");
    expect(await takeOver(pool, "other", 60_000)).toEqual([]);
    await pool.query("UPDATE magis.executor SET seen = now() - interval '61 seconds'");
    const taken = await Promise.all([takeOver(pool, "other", 60_000), takeOver(pool, "third", 60_000)]);
    expect(taken.flat()).toEqual([{ id: request.id, kind: "resolve", takeovers: 1 }]);
    // The machine was only asleep: nothing that it does now counts.
    await endWork(pool, "old", request.id);
    expect([...(await claimedBy(pool, "old"))]).toEqual([]);
    expect(attempts(await claim(OTHER))).toEqual([[2, 1]]);
  });

  it("resumes a suspended run at once, beyond the limit, unless it starts again on a newer version", async () => {
    await addRun(pool, request);
    await claim(OLD);
    await parkRun(pool, "old", request.id, true);
    await addRun(pool, requestOf(delivery("d2", 2)));
    expect(await claim(OTHER)).toHaveLength(1);
    await takeOver(pool, "other", 60_000);
    expect(attempts(await claimPlaceless(pool, OTHER))).toEqual([[2, 1]]);
    await takeOver(pool, "newer", 60_000);
    await requeueOldVersions(pool, "2");
    expect(await claimPlaceless(pool, NEWER)).toEqual([]);
    expect(attempts(await claim(NEWER))).toEqual([[3, 3]]);
  });

  it("begins no run on a pull request while an earlier one on it is parked, but those after it", async () => {
    const revise = (id: string, pull: number): RunRequest => ({
      ...requestOf(delivery(id, pull)),
      work: { kind: "revise", because: "feedback" },
    });
    const [first, second, other] = [revise("d1", 1), revise("d2", 1), revise("d3", 2)];
    for (const one of [first, second, other]) await addRun(pool, one);
    expect(await claim(OLD)).toMatchObject([{ id: first.id }]);
    await parkRun(pool, "old", first.id, true);
    expect(await claim(OLD)).toMatchObject([{ id: other.id }]);
    await endWork(pool, "old", other.id);
    expect(await claim(OLD)).toEqual([]);
    await endWork(pool, "old", first.id);
    expect(await claim(OLD)).toMatchObject([{ id: second.id }]);
  });

  it("gives no run to a machine that only takes webhooks, neither a new one nor one that was parked", async () => {
    await addRun(pool, request);
    expect(await claimRuns(pool, OLD, { concurrency: 0 })).toEqual([]);
    await claim(OLD);
    await parkRun(pool, "old", request.id, true);
    await takeOver(pool, "other", 60_000);
    expect(await claimPlaceless(pool, OTHER, false)).toEqual([]);
    expect(await claimPlaceless(pool, OTHER)).toHaveLength(1);
  });

  it("keeps each machine to its own limit, and all machines to theirs", async () => {
    for (const at of [1, 2, 3, 4, 5, 6]) await addRun(pool, requestOf(delivery(`d${at}`, at, `repo${at}`)));
    const begun = async (claimant: Claimant, concurrency: number, concurrencyOfAll?: number) =>
      (await claimRuns(pool, claimant, { concurrency, concurrencyOfAll })).length;
    expect(await begun(OLD, 2)).toBe(2);
    expect(await begun(OLD, 2)).toBe(0);
    expect(await begun(OTHER, 2, 3)).toBe(1);
    expect(await begun(OTHER, 2, 3)).toBe(0);
    expect(await begun(OTHER, 2)).toBe(1);
    expect(await begun({ ...OTHER, executor: "third" }, 64)).toBe(2);
  });

  it("begins runs of the installations with the fewest at work first", async () => {
    const of = (id: string, installationId: number): RunRequest => {
      const one = requestOf(delivery(id, 1, id));
      return { ...one, repository: { ...one.repository, installationId } };
    };
    for (const id of ["a1", "a2", "a3", "a4"]) await addRun(pool, of(id, 1));
    for (const id of ["b1", "b2"]) await addRun(pool, of(id, 2));
    await addRun(pool, of("c1", 3));
    const begun = async (concurrency: number) =>
      (await claimRuns(pool, OLD, { concurrency })).map(({ id }) => id.replace(/.*@/, "")).toSorted();
    expect(await begun(2)).toEqual(["a1", "b1"]);
    expect(await begun(4)).toEqual(["a2", "c1"]);
    expect(await begun(7)).toEqual(["a3", "a4", "b2"]);
  });

  it("begins one run a repository at a time, the longest waiting first", async () => {
    const of = (id: string) => requestOf(delivery(id, 1, id[0]));
    for (const id of ["a1", "a2", "b1", "z1", "c1"]) await addRun(pool, { ...of(id), issue: Number(id[1]) });
    const begun = async (concurrency: number) =>
      (await claimRuns(pool, OLD, { concurrency })).map(({ id }) => id.replace(/.*@/, ""));
    expect(await begun(2)).toEqual(["a1", "b1"]);
    // There is a place, and a2 has waited longer, but a1 is at work.
    expect(await begun(3)).toEqual(["z1"]);
    await endWork(pool, "old", of("a1").id);
    expect(await begun(3)).toEqual(["a2"]);
    await endWork(pool, "old", of("b1").id);
    expect(await begun(3)).toEqual(["c1"]);
  });

  it("begins a run that follows another and has no delivery", async () => {
    await addRun(pool, { ...request, delivery: request.id });
    expect(await claim(OLD)).toHaveLength(1);
  });

  describe("of deliveries", () => {
    const add = (id: string, issue: number, changes: Partial<Delivery> = {}) =>
      addDelivery(pool, { ...delivery(id, issue), ...changes }, 1_000);
    const begun = async () => (await claimDeliveries(pool, OLD, 60_000)).map(({ id }) => id).toSorted();
    const age = (id: string) =>
      pool.query("UPDATE magis.work SET at = now() - interval '61 seconds' WHERE id = $1", [id]);

    it("takes the first of each issue queue, and the next once that has ended or takes too long", async () => {
      for (const [id, issue] of [
        ["d1", 1],
        ["d2", 1],
        ["d3", 2],
        ["d4", 1],
      ] as const)
        await add(id, issue);
      expect(await begun()).toEqual(["d1", "d3"]);
      expect(await begun()).toEqual([]);
      await age("d1");
      expect(await begun()).toEqual(["d2"]);
      expect(await begun()).toEqual([]);
      await endWork(pool, "old", "d2");
      expect(await begun()).toEqual(["d4"]);
    });

    it("takes the oldest while there is room, and urgent ones always", async () => {
      const gone = { trigger: { kind: "gone", why: "closed" } } as const;
      for (let at = 1; at <= DELIVERIES_AT_ONCE + 1; at++) await add(`d${at}`, at);
      await add("d1-closed", 1, gone);
      expect((await begun()).filter((id) => id !== "d1-closed")).toHaveLength(DELIVERIES_AT_ONCE);
      await add("d2-closed", 2, gone);
      expect(await begun()).toEqual(["d2-closed"]);
      await endWork(pool, "old", "d1-closed");
      await endWork(pool, "old", "d2-closed");
      await endWork(pool, "old", "d3");
      expect(await begun()).toEqual([`d${DELIVERIES_AT_ONCE + 1}`]);
    });
  });

  it("begins no run whose comment another machine writes, and lets one machine write it", async () => {
    const runs = Array.from({ length: 12 }, (_, at) => requestOf(delivery(`d${at}`, at + 1, `repo${at}`)));
    for (const run of runs) await addRun(pool, run);
    const writing: string[] = [];
    const begun: string[] = [];
    const written: string[] = [];
    const faults: string[] = [];
    const machine = (executor: string) => ({
      executor,
      log: keepingLog(),
      suspension: new Suspension(),
      onQueueChange: () => undefined,
      receiving: new Map(),
      database: opened.database,
      times: { heartbeatMs: 5_000, patienceMs: 1, waitMs: 0, turnMs: 60_000 },
      handlers: engineHandlers({
        async waits({ id }) {
          if (writing.includes(id)) faults.push(`two machines write of ${id}`);
          writing.push(id);
          await new Promise((resolve) => setTimeout(resolve, 20));
          if (begun.includes(id)) faults.push(`${id} has begun meanwhile`);
          writing.splice(writing.indexOf(id), 1);
          written.push(id);
        },
      }),
    });
    const shared = { version: "1", isLatest: true, concurrency: 4, retentionDays: 30, earlier: new Map() };
    const report = async (executor: string) => {
      const said = new Map();
      for (let round = 0; round < 12; round++) await reportWaiting({ ...machine(executor), ...shared }, said);
    };
    const claimAll = async () => {
      for (let most = 1; most <= 6; most++) {
        begun.push(...(await claimRuns(pool, OLD, { concurrency: most })).map(({ id }) => id));
      }
    };
    await Promise.all([report("one"), report("other"), claimAll()]);
    expect(faults).toEqual([]);
    expect(begun.length).toBeGreaterThan(0);
    expect(written.length).toBeGreaterThan(0);
    const left = "SELECT FROM magis.work WHERE state = 'waiting' AND claimant IS NOT NULL";
    expect((await pool.query(left)).rowCount).toBe(0);
  });

  it("hands the first report of an end to one machine, at once", async () => {
    for (const reason of ["first", "second"]) await addReport(pool, { request, abandoned: reason });
    const claims = await Promise.all([claimPlaceless(pool, OLD), claimPlaceless(pool, OTHER)]);
    expect(claims.flat()).toMatchObject([{ kind: "abandon", input: { request, abandoned: "first" } }]);
  });
});
