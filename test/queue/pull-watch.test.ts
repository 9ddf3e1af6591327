import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import type { Delivery } from "../../src/data/run-request.ts";
import { type PullWatch, watchPull, watchPulls } from "../../src/queue/pull-watch.ts";
import type { PullFindings, WatchedPull } from "../../src/run/runs.ts";
import { engineHarness } from "./engine-harness.ts";
import { delivery, statuses, until } from "./in-process.ts";

const REPOSITORY = { owner: "acme", name: "shop", installationId: 7 };
const MINUTE = 60_000;

describe("the watch over pull requests", () => {
  const harness = engineHarness();

  /** A watch by a clock that the test sets; `polls` has the minute of each look. */
  async function watch(
    answer: (pull: WatchedPull, poll: number) => PullFindings,
    onReceive: (delivery: Delivery, count: number) => void = () => undefined,
    closeStale: PullWatch["closeStale"] = async () => false,
  ) {
    const { pool } = harness.database();
    const polls: number[] = [];
    const received: Delivery[] = [];
    const state = { now: 0 };
    const watched: PullWatch = {
      pool,
      poll: async (pull) => {
        polls.push(state.now / MINUTE);
        return answer(pull, polls.length);
      },
      closeStale,
      receive: async (one) => {
        received.push(one);
        onReceive(one, received.length - 1);
      },
      log: harness.log,
      now: () => state.now,
      schedules: new Map(),
      hasBegun: false,
    };
    const pass = async (minutes: number, step = MINUTE / 4) => {
      for (const end = state.now + minutes * MINUTE; state.now < end; state.now += step) await watchPulls(watched);
    };
    return {
      pool,
      polls,
      received,
      state,
      pass,
      watch: (number = 3) => watchPull(pool, { repository: REPOSITORY, number }),
    };
  }

  it("polls at growing intervals while the head stays, and starts over when it moves", async () => {
    let head = "a";
    const { polls, pass, watch: begin } = await watch(() => ({ open: true, head, deliveries: [] }));
    await begin();
    await pass(20);
    expect(polls).toEqual([0, 1, 3, 7, 15]);
    head = "b";
    await pass(30);
    expect(polls.slice(5)).toEqual([31, 32, 34, 38, 46]);
  });

  it("never leaves more than six hours between two polls", async () => {
    const { polls, pass, watch: begin } = await watch(() => ({ open: true, head: "a", deliveries: [] }));
    await begin();
    await pass(2 * 24 * 60, 30 * MINUTE);
    const pauses = polls.slice(1).map((at, index) => at - (polls[index] ?? 0));
    expect(pauses.slice(-5)).toEqual([360, 360, 360, 360, 360]);
    expect(Math.max(...pauses)).toBe(360);
  });

  it("passes on what it finds, and forgets a closed pull request", async () => {
    const found = delivery("look-3-a-failed", 3);
    const closed = delivery("look-3-a-closed", 3);
    const {
      pool,
      received,
      pass,
      polls,
      watch: begin,
    } = await watch((_, poll) =>
      poll === 1 ? { open: true, head: "a", deliveries: [found] } : { open: false, deliveries: [closed] },
    );
    await begin();
    await pass(60);
    expect(received).toEqual([found, closed]);
    expect(polls).toHaveLength(2);
    expect((await pool.query("SELECT 1 FROM magis.open_pull")).rows).toEqual([]);
  });

  it.each([
    ["gives up one that the host does not show", new MagisError("HOST_REFUSED", "No.", { status: 401 }), true],
    ["gives up one in a repository that is gone", new MagisError("HOST_NOT_FOUND", "Gone.", { status: 404 }), true],
    ["goes on through an outage", new MagisError("HOST_UNREACHABLE", "Away."), false],
    ["goes on through a rate limit", new MagisError("HOST_UNREACHABLE", "Slow.", { limited: true }), false],
  ])("%s", async (_, error, isGivenUp) => {
    const {
      polls,
      pass,
      pool,
      watch: begin,
    } = await watch(() => {
      throw error;
    });
    await begin();
    await pass(5 * 60, 2 * MINUTE);
    expect((await pool.query("SELECT 1 FROM magis.open_pull")).rows).toHaveLength(isGivenUp ? 0 : 1);
    if (isGivenUp) expect(polls).toEqual([0, 2, 6, 14, 30, 62, 126, 254]);
    else expect(polls.length).toBeGreaterThan(20);
  });

  it("tries again after a failed look, and polls at the others meanwhile", async () => {
    const {
      polls,
      pass,
      watch: begin,
    } = await watch(({ number }) => {
      if (number === 3) throw new Error("GitHub is away");
      return { open: true, head: "a", deliveries: [] };
    });
    await begin(3);
    await begin(4);
    await pass(2.5);
    expect(polls).toEqual([0, 0, 1, 1, 2]);
  });

  it("leaves a new pull request alone for a minute, while its checks begin", async () => {
    const { polls, pass, watch: begin } = await watch(() => ({ open: true, head: "a", deliveries: [] }));
    await pass(5);
    await begin();
    await pass(2.5);
    expect(polls).toEqual([6, 7]);
  });

  it("remembers when it last read comments, and polls again soon after a new one", async () => {
    let heard = "2026-01-01T00:00:00Z";
    const asked: (string | undefined)[] = [];
    const {
      polls,
      pass,
      watch: begin,
    } = await watch((pull) => {
      asked.push(pull.heard);
      return { open: true, head: "a", deliveries: [], heard };
    });
    await begin();
    await pass(16);
    expect(polls).toEqual([0, 1, 3, 7, 15]);
    heard = "2026-01-02T00:00:00Z";
    await pass(20);
    expect(polls.slice(5)).toEqual([31, 32, 34]);
    expect(new Set(asked)).toEqual(new Set([undefined, "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]));
  });

  it("passes on again what could not be received before", async () => {
    const comment = delivery("look-comment-1", 3);
    const asked: (string | undefined)[] = [];
    const {
      pool,
      pass,
      watch: begin,
    } = await watch(
      (pull) => {
        asked.push(pull.heard);
        return { open: true, head: "a", deliveries: [comment], heard: "2026-01-01T00:00:00Z" };
      },
      (_, at) => {
        if (at === 0) throw new Error("the database is away");
      },
    );
    await begin();
    await pass(2);
    expect(asked).toEqual([undefined, undefined]);
    expect((await pool.query("SELECT heard FROM magis.open_pull")).rows).toEqual([{ heard: "2026-01-01T00:00:00Z" }]);
  });

  it("leaves the time that another machine has kept meanwhile", async () => {
    const scene = await watch(
      () => ({ open: true, head: "a", deliveries: [delivery("d", 3)], heard: "2026-01-01" }),
      () => {
        void scene.pool.query("UPDATE magis.open_pull SET heard = '2026-01-02'");
      },
    );
    await scene.watch();
    await scene.pass(1);
    expect((await scene.pool.query("SELECT heard FROM magis.open_pull")).rows).toEqual([{ heard: "2026-01-02" }]);
  });

  it("hands on a quiet draft unless something new was said, and forgets it once it is closed", async () => {
    const quietSince = "2026-01-01T00:00:00Z";
    const asked: number[] = [];
    const {
      pool,
      polls,
      pass,
      watch: begin,
    } = await watch(
      (_, poll) => ({
        open: true,
        head: "a",
        deliveries: poll === 1 ? [delivery("look-comment-1", 3)] : [],
        quietSince,
      }),
      undefined,
      async (_, since) => {
        expect(since).toBe(quietSince);
        asked.push(polls.length);
        return asked.length === 2;
      },
    );
    await begin();
    await pass(60);
    expect(asked).toEqual([2, 3]);
    expect((await pool.query("SELECT 1 FROM magis.open_pull")).rows).toEqual([]);
  });

  it("begins when a run has published a pull request", async () => {
    const pullRequest = { number: 12, url: "https://github.com/Owner/repo/pull/12" };
    const { engine, database } = await harness.start({
      resolve: async () => ({ kind: "published", pullRequest, openThreads: 0 }),
    });
    await engine.receive(delivery("d1", 1));
    await until(async () => (await statuses(database))["Owner/repo#1@d1"] === "SUCCESS", "the run to end");
    const { rows } = await database.pool.query("SELECT owner, name, number, installation FROM magis.open_pull");
    expect(rows).toEqual([{ owner: "Owner", name: "repo", number: 12, installation: "7" }]);
  });
});
