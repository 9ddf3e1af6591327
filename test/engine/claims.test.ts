import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import {
  type Claimant,
  type Claimed,
  claimedBy,
  claimPlaceless,
  claimRuns,
  requeueOldVersions,
  takeOver,
  unclaim,
} from "../../src/engine/claims.ts";
import { heartbeat } from "../../src/engine/machines.ts";
import { isCrowded } from "../../src/engine/turns.ts";
import { addReport, addRun, endWork, setAside } from "../../src/engine/work-queue.ts";
import type { RunRequest } from "../../src/model/run-request.ts";
import { type TestDatabase, testDatabases } from "../adapters/database/test-databases.ts";
import { delivery, requestOf } from "./in-process.ts";

const OLD: Claimant = { executor: "old", version: "1", isLatest: false };
const OTHER: Claimant = { executor: "other", version: "1", isLatest: false };
const NEWER: Claimant = { executor: "newer", version: "2", isLatest: true };

for (const { name, skip, open } of testDatabases()) {
  if (skip !== undefined) {
    it.skip(`${name}: left out, ${skip}`, () => undefined);
    continue;
  }
  describe(`claims of work on ${name}`, () => {
    let opened: Awaited<ReturnType<TestDatabase["open"]>>;
    let pool: Pool;
    beforeAll(async () => {
      opened = await open();
      pool = opened.database.pool;
    });
    afterEach(async () => void (await pool.query("DELETE FROM magis.work")));
    afterAll(() => opened.remove());

    const request = requestOf(delivery("d1", 1));
    const claim = (claimant: Claimant) => claimRuns(pool, claimant, { concurrency: 4 });
    const attempts = (claimed: readonly Claimed[]) => claimed.map(({ attempt, since }) => [attempt, since]);

    it("resumes a run on the same version, and restarts it only on a newer one", async () => {
      await addRun(pool, request);
      expect(attempts(await claim(OLD))).toEqual([[1, 1]]);
      await unclaim(pool, "old", [request.id]);
      expect(attempts(await claim(OTHER))).toEqual([[2, 1]]);
      await unclaim(pool, "other", [request.id]);
      expect(attempts(await claim(NEWER))).toEqual([[3, 3]]);
      await unclaim(pool, "newer", [request.id]);
      // A machine that a rolling update has not reached must not pull the run back.
      expect(await claim(OLD)).toEqual([]);
      expect(attempts(await claim(NEWER))).toEqual([[4, 3]]);
    });

    it("takes work over only from dead machines, once, and counts the takeovers", async () => {
      await addRun(pool, request);
      await claim(OLD);
      expect(await takeOver(pool, ["old", "other"])).toEqual([]);
      const taken = await Promise.all([takeOver(pool, ["other"]), takeOver(pool, ["other"])]);
      expect(taken.flat()).toEqual([{ id: request.id, kind: "resolve", takeovers: 1 }]);
      // The machine was only asleep: nothing that it does now counts.
      await endWork(pool, "old", request.id);
      expect([...(await claimedBy(pool, "old"))]).toEqual([]);
      expect(attempts(await claim(OTHER))).toEqual([[2, 1]]);
    });

    it("resumes a suspended run at once, beyond the limit, unless it starts again on a newer version", async () => {
      await addRun(pool, request);
      await claim(OLD);
      await setAside(pool, "old", request.id, true);
      await addRun(pool, requestOf(delivery("d2", 2)));
      expect(await claim(OTHER)).toHaveLength(1);
      await takeOver(pool, ["other"]);
      expect(attempts(await claimPlaceless(pool, OTHER))).toEqual([[2, 1]]);
      await takeOver(pool, ["newer"]);
      await requeueOldVersions(pool, "2");
      expect(await claimPlaceless(pool, NEWER)).toEqual([]);
      expect(attempts(await claim(NEWER))).toEqual([[3, 3]]);
    });

    it("begins no run on a pull request while an earlier one on it is aside, but those after it", async () => {
      const revise = (id: string, pull: number): RunRequest => ({
        ...requestOf(delivery(id, pull)),
        work: { kind: "revise", because: "feedback" },
      });
      const [first, second, other] = [revise("d1", 1), revise("d2", 1), revise("d3", 2)];
      for (const one of [first, second, other]) await addRun(pool, one);
      expect(await claim(OLD)).toMatchObject([{ id: first.id }]);
      await setAside(pool, "old", first.id, true);
      expect(await claim(OLD)).toMatchObject([{ id: other.id }]);
      await endWork(pool, "old", other.id);
      expect(await claim(OLD)).toEqual([]);
      await endWork(pool, "old", first.id);
      expect(await claim(OLD)).toMatchObject([{ id: second.id }]);
    });

    it("gives no run to a machine that only takes webhooks, neither a new one nor one that was aside", async () => {
      await addRun(pool, request);
      expect(await claimRuns(pool, OLD, { concurrency: 0 })).toEqual([]);
      await claim(OLD);
      await setAside(pool, "old", request.id, true);
      await takeOver(pool, ["other"]);
      expect(await claimPlaceless(pool, OTHER, false)).toEqual([]);
      expect(await claimPlaceless(pool, OTHER)).toHaveLength(1);
    });

    it("foresees whether a run finds a place", async () => {
      await heartbeat(pool, "old", "1");
      await heartbeat(pool, "front", "1");
      const runs = [1, 2, 3, 4, 5].map((at) => requestOf(delivery(`d${at}`, at, `repo${at}`)));
      const crowded = async (concurrency: number, concurrencyOfAll?: number) => {
        const all = await Promise.all(runs.map(({ id }) => isCrowded(pool, id, { concurrency, concurrencyOfAll })));
        return all.flatMap((is, at) => (is ? [at + 1] : []));
      };
      for (const run of runs) await addRun(pool, run);
      // Two machines with two places each.
      expect(await crowded(2)).toEqual([5]);
      expect(await crowded(2, 3)).toEqual([4, 5]);
      // The front takes no runs: it sees whether earlier ones wait.
      expect(await crowded(0)).toEqual([2, 3, 4, 5]);
      await claimRuns(pool, OLD, { concurrency: 2 });
      expect(await crowded(2)).toEqual([5]);
      expect(await crowded(0)).toEqual([4, 5]);
      await pool.query("UPDATE magis.work SET held_by = 'budget' WHERE id = $1", [runs[2]?.id]);
      expect(await crowded(2)).toEqual([]);
      expect(await crowded(0)).toEqual([5]);
      await pool.query("UPDATE magis.executor SET seen = now() - interval '1 hour' WHERE id = 'front'");
      expect((await crowded(2)).filter((at) => at > 2)).toEqual([3, 4, 5]);
      await pool.query("DELETE FROM magis.executor");
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

    it("begins a run that follows another and has no delivery", async () => {
      await addRun(pool, { ...request, delivery: request.id });
      expect(await claim(OLD)).toHaveLength(1);
    });

    it("hands the first report of an end to one machine, at once", async () => {
      for (const reason of ["first", "second"]) await addReport(pool, { request, abandoned: reason });
      const claims = await Promise.all([claimPlaceless(pool, OLD), claimPlaceless(pool, OTHER)]);
      expect(claims.flat()).toMatchObject([{ kind: "abandon", input: { request, abandoned: "first" } }]);
    });
  });
}
