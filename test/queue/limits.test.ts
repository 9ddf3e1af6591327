import { beforeAll, beforeEach, expect, it } from "@jest/globals";
import pg, { type Pool } from "pg";
import type { LimitReached, MoneyLimit } from "../../src/data/limits.ts";
import type { RunRequest } from "../../src/data/run-request.ts";
import type { RunResult } from "../../src/data/run-state.ts";
import { type Claimed, claimRuns } from "../../src/queue/claims.ts";
import { createRunArchive, createRunStore } from "../../src/queue/database/run-store.ts";
import type { Accounts } from "../../src/queue/engine.ts";
import { findRefusal, settleEnd, settleEnded } from "../../src/queue/ledger.ts";
import { watchPull } from "../../src/queue/pull-watch.ts";
import { keepRequest } from "../../src/queue/runs.ts";
import { placeOf } from "../../src/queue/turns.ts";
import { addRun, countRuns } from "../../src/queue/work-queue.ts";
import { A_RUN, accountsWith } from "../fakes/engine-handlers.ts";
import { onEachDatabase } from "./database/on-each-database.ts";
import { QUIET } from "./database/test-databases.ts";
import { DONE } from "./engine-harness.ts";
import { delivery, keepingLog, requestOf, until } from "./in-process.ts";

const DAY = { scope: "bot", period: "day", most: 10 } as const;

function ask(id: number, changes: Partial<RunRequest> = {}, repo = `repo${id}`): RunRequest {
  return { ...requestOf(delivery(`d${id}`, id, repo)), ...changes };
}

onEachDatabase("limits beyond one run", (opened) => {
  let pool: Pool;
  beforeAll(async () => {
    pool = opened.database.pool;
  });
  beforeEach(async () => {
    // Limits count by the day and the month of the database's clock: no test runs over the end of one.
    await until(async () => {
      const left =
        "SELECT FROM (SELECT now() AT TIME ZONE 'UTC' AS at) t WHERE at::date = (at + interval '30 s')::date";
      return (await pool.query(left)).rowCount === 1;
    }, "the next day began");
    await pool.query(
      "TRUNCATE magis.ledger, magis.run, magis.work, magis.model_call, magis.open_pull, magis.limit_warning CASCADE",
    );
  });

  const machine = (executor: string) => ({ executor, version: "1", isLatest: true });
  const claim = (accounts: Accounts, on = pool, concurrency = 100, executor = "m") =>
    claimRuns(on, machine(executor), { concurrency, accounts, log: QUIET });
  const ids = (claimed: readonly Claimed[]) => claimed.map(({ id }) => id).toSorted();

  /** Ends a claimed run that has spent `money`. */
  async function end(request: RunRequest, money: number, accounts: Accounts, result: RunResult = DONE, log = QUIET) {
    const store = createRunStore(pool, QUIET);
    const paid = { key: `k${Math.random()}`, promptId: "p", tier: "fast", tokens: 1, elapsed: 1 } as const;
    await store.recordCall(request.root, { ...paid, money });
    await settleEnd(pool, request, result, { accounts, durations: {}, log });
    await pool.query("UPDATE magis.work SET state = 'ended' WHERE id = $1", [request.id]);
  }

  const refusalOf = async (request: RunRequest): Promise<LimitReached | undefined> => findRefusal(pool, request.id);

  /** US dollars spent and set aside. */
  async function committed(): Promise<number> {
    const sql = `SELECT coalesce(sum(CASE WHEN ended IS NULL THEN set_aside ELSE spent END), 0)::float8 AS sum FROM magis.ledger`;
    return (await pool.query<{ sum: number }>(sql)).rows[0]?.sum ?? 0;
  }

  it("hold for 100 requests at once on two machines, and leave no room unused", async () => {
    const accounts = accountsWith([DAY]);
    const other = opened.database.kind === "postgres" ? new pg.Pool(pool.options) : pool;
    const requests = Array.from({ length: 100 }, (_, at) => ask(at + 1));
    await Promise.all(requests.map((request) => addRun(pool, request)));
    const byId = new Map(requests.map((request) => [request.id, request]));
    let refused = 0;
    let spent = 0;
    try {
      for (let round = 0; round < 200; round++) {
        const claims = [pool, other, pool, other].map((on, at) => claim(accounts, on, 8, `m${at % 2}`));
        const claimed = (await Promise.all(claims)).flat();
        expect(new Set(ids(claimed)).size).toBe(claimed.length);
        expect(await committed()).toBeLessThanOrEqual(DAY.most);
        if (claimed.length === 0) break;
        await Promise.all(
          claimed.map(async ({ id }, at) => {
            const request = byId.get(id) as RunRequest;
            const limit = await refusalOf(request);
            if (limit) refused += 1;
            // Some cost all that they may, some nothing.
            const money = limit ? 0 : ([A_RUN, 0.3, 0, 0.7][(round + at) % 4] ?? 0);
            spent += money;
            await end(request, money, accounts);
          }),
        );
      }
    } finally {
      if (other !== pool) await other.end();
    }
    const { rows } = await pool.query("SELECT count(*)::int AS runs FROM magis.ledger WHERE ended IS NOT NULL");
    expect(rows).toEqual([{ runs: 100 }]);
    expect(await committed()).toBeCloseTo(spent, 9);
    expect(spent).toBeLessThanOrEqual(DAY.most);
    expect(spent + A_RUN).toBeGreaterThan(DAY.most);
    expect(refused).toBeGreaterThan(0);
  });

  it("keep a run waiting for what is only set aside, and refuse it for what is spent", async () => {
    const accounts = accountsWith([{ ...DAY, most: 2 }]);
    const [one, two, three, four] = [1, 2, 3, 4].map((id) => ask(id)) as [
      RunRequest,
      RunRequest,
      RunRequest,
      RunRequest,
    ];
    for (const request of [one, two, three, four]) await addRun(pool, request);
    expect(ids(await claim(accounts))).toEqual([one.id, two.id]);
    expect(await claim(accounts)).toEqual([]);
    await end(one, 0.5, accounts);
    expect(await claim(accounts)).toEqual([]);
    await end(two, 0.5, accounts);
    expect(ids(await claim(accounts))).toEqual([three.id]);
    await end(three, 0.5, accounts);
    expect(ids(await claim(accounts))).toEqual([four.id]);
    expect(await refusalOf(three)).toBeUndefined();
    const tomorrow = new Date();
    tomorrow.setUTCHours(24, 0, 0, 0);
    expect(await refusalOf(four)).toEqual({
      kind: "money",
      ...DAY,
      most: 2,
      spent: 1.5,
      needed: 1,
      until: tomorrow.toISOString(),
    });
  });

  it("say of a waiting run what holds it back, since when and until when", async () => {
    const accounts = accountsWith([
      { ...DAY, most: 1.5 },
      { ...DAY, period: "month", most: 1.5 },
    ]);
    const [one, two] = [ask(1), ask(2)];
    await addRun(pool, one);
    await claim(accounts);
    await addRun(pool, two);
    await keepRequest(pool, QUIET, two);
    expect((await placeOf(pool, two.id)).held).toBeUndefined();
    expect(await claim(accounts)).toEqual([]);
    const { held } = await placeOf(pool, two.id);
    const next = new Date();
    next.setUTCMonth(next.getUTCMonth() + 1, 1);
    next.setUTCHours(0, 0, 0, 0);
    expect(held).toEqual({ by: "budget", since: expect.any(String), until: next.toISOString() });
    expect(await claim(accounts)).toEqual([]);
    expect((await placeOf(pool, two.id)).held).toEqual(held);
    expect(await countRuns(pool)).toEqual({ queued: 0, held: 1, working: 1, waiting: 0 });
    const report = async () => (await createRunArchive(pool, QUIET).report(two.id))?.standing;
    expect(await report()).toEqual({ is: "waiting", for: "budget", since: held?.since, until: held?.until });
    await end(one, 0.2, accounts);
    expect(ids(await claim(accounts))).toEqual([two.id]);
    expect((await placeOf(pool, two.id)).held).toBeUndefined();
  });

  it("count in the period in which a run began", async () => {
    const accounts = accountsWith([DAY, { ...DAY, period: "month", most: 1.5 }]);
    await addRun(pool, ask(1));
    await claim(accounts);
    await end(ask(1), 1, accounts);
    await pool.query("UPDATE magis.ledger SET started = now() - interval '32 days'");
    await addRun(pool, ask(2));
    await claim(accounts);
    expect(await refusalOf(ask(2))).toBeUndefined();
    await end(ask(2), 1, accounts);
    await addRun(pool, ask(3));
    await claim(accounts);
    const next = new Date();
    next.setUTCMonth(next.getUTCMonth() + 1, 1);
    next.setUTCHours(0, 0, 0, 0);
    expect(await refusalOf(ask(3))).toMatchObject({ period: "month", until: next.toISOString() });
  });

  const OTHER = { owner: "Other", name: "repo1", installationId: 7 };

  it.each<[MoneyLimit["scope"], RunRequest, RunRequest]>([
    ["organisation", ask(2, {}, "REPO2"), ask(3, { repository: OTHER })],
    ["repository", ask(2, {}, "REPO1"), ask(3, {}, "repo3")],
    ["person", ask(2, { actor: "MAINTAINER" }), ask(3, { actor: "ben" }, "repo3")],
  ])("hold for one %s, whatever the case of its name, and for no other", async (scope, same, other) => {
    const accounts = accountsWith([{ scope, period: "month", most: 1 }]);
    await addRun(pool, ask(1));
    await claim(accounts);
    await end(ask(1), 0.9, accounts);
    for (const request of [same, other]) {
      await addRun(pool, request);
      await claim(accounts);
    }
    expect(await refusalOf(same)).toMatchObject({ scope, spent: 0.9 });
    expect(await refusalOf(other)).toBeUndefined();
  });

  it("hold for an organisation whose files set different limits, on two machines at once", async () => {
    const limitOf = ({ issue }: RunRequest) => (issue % 2 === 0 ? 4 : 7);
    const accounts: Accounts = {
      ...accountsWith([]),
      limitsOf: (request) => ({ money: [{ scope: "organisation", period: "month", most: limitOf(request) }] }),
    };
    const requests = Array.from({ length: 30 }, (_, at) => ask(at + 1));
    await Promise.all(requests.map((request) => addRun(pool, request)));
    for (let round = 0; round < 40; round++) {
      const claimed = (await Promise.all(["m", "n"].map((name) => claim(accounts, pool, 3, name)))).flat();
      expect(await committed()).toBeLessThanOrEqual(7);
      if (claimed.length === 0) break;
      for (const { input } of claimed as readonly { input: RunRequest }[]) {
        await end(input, (await refusalOf(input)) ? 0 : A_RUN, accounts);
      }
    }
    // All spend what they may: the stricter limit holds its own repositories, and counts those of the other.
    const begun = "SELECT issue FROM magis.ledger WHERE refused IS NULL ORDER BY seq";
    const { rows } = await pool.query<{ issue: number }>(begun);
    expect(rows).toHaveLength(7);
    expect(rows.slice(4).map((row) => limitOf(ask(row.issue)))).toEqual([7, 7, 7]);
    expect(await committed()).toBe(7);
  });

  it("let no smaller run pass one that waits under the same limit", async () => {
    const needs: Record<string, number> = { [ask(2).id]: 2, [ask(3).id]: 0.5 };
    const limited = accountsWith([{ ...DAY, most: 2.5 }]);
    const accounts = { ...limited, budgetOf: ({ id }: RunRequest) => needs[id] ?? A_RUN };
    for (const id of [1, 2, 3]) await addRun(pool, ask(id));
    expect(ids(await claim(accounts))).toEqual([ask(1).id]);
    expect(await claim(accounts)).toEqual([]);
    await end(ask(1), 0.1, accounts);
    expect(ids(await claim(accounts))).toEqual([ask(2).id]);
  });

  it("let the runs behind those that they hold back have the places", async () => {
    const accounts = accountsWith([{ scope: "repository", period: "month", most: 1.5 * A_RUN }]);
    for (const one of [ask(1, {}, "a"), ask(2, {}, "b")]) await addRun(pool, one);
    expect(await claim(accounts)).toHaveLength(2);
    await pool.query("UPDATE magis.work SET state = 'ended'");
    const behind = [ask(5, {}, "c"), ask(6, {}, "d"), ask(7, {}, "e")];
    for (const one of [ask(3, {}, "a"), ask(4, {}, "b"), ...behind]) await addRun(pool, one);
    expect(ids(await claim(accounts, pool, 2))).toEqual(behind.slice(0, 2).map(({ id }) => id));
  });

  it("free what a failed or cancelled run had set aside, and hold what a crashed one has", async () => {
    const accounts = accountsWith([{ ...DAY, most: 2 }]);
    for (const id of [1, 2, 3, 4]) await addRun(pool, ask(id));
    await claim(accounts);
    await end(ask(1), 0.2, accounts, { kind: "failed", code: "UNEXPECTED", message: "" });
    expect(ids(await claim(accounts))).toEqual([]);
    await pool.query("UPDATE magis.work SET state = 'cancelled' WHERE id = $1", [ask(2).id]);
    await settleEnded(pool, { accounts, log: QUIET }, 0);
    expect(ids(await claim(accounts))).toEqual([ask(3).id]);
    // Its machine died: it goes back to the queue with its money.
    await pool.query("UPDATE magis.work SET state = 'waiting', claimant = NULL WHERE id = $1", [ask(3).id]);
    expect(ids(await claim(accounts))).toEqual([ask(3).id]);
    expect(await committed()).toBeCloseTo(1.2, 9);
  });

  it("warn the operator once in a period when four fifths are spent", async () => {
    const log = keepingLog();
    const accounts = accountsWith([{ ...DAY, most: 2.5 }]);
    for (const [id, money] of [
      [1, 0.9],
      [2, 0.9],
      [3, 0.5],
    ] as const) {
      await addRun(pool, ask(id));
      await claim(accounts);
      await end(ask(id), money, accounts, DONE, log);
      const warned = log.lines.filter(({ message }) => message.includes("80 %"));
      expect(warned).toHaveLength(id < 3 ? 0 : 1);
    }
    expect(log.lines).toMatchObject([{ level: "warn", data: { scope: "bot", period: "day", most: 2.5, of: "all" } }]);
  });

  it("hold for open pull requests of a repository, counting runs that may open one", async () => {
    const accounts = accountsWith([], 2);
    const [one, two, three] = [1, 2, 3].map((id) => ask(id, {}, "repo")) as [RunRequest, RunRequest, RunRequest];
    const { repository } = one;
    await watchPull(pool, { repository, number: 11 });
    for (const request of [one, two, three]) await addRun(pool, request);
    expect(ids(await claim(accounts))).toEqual([one.id]);
    // A run that waits for checks works aside, so another one of the repository could begin.
    await pool.query("UPDATE magis.work SET state = 'aside' WHERE id = $1", [one.id]);
    expect(await claim(accounts)).toEqual([]);
    const published = { kind: "published", pullRequest: { number: 12, url: "" }, openThreads: 0 } as const;
    await end(one, 0, accounts, published);
    await watchPull(pool, { repository, number: 12 });
    expect(ids(await claim(accounts))).toEqual([two.id]);
    expect(await refusalOf(two)).toEqual({ kind: "open-pulls", open: 2, most: 2 });
    await end(two, 0, accounts);
    await pool.query("UPDATE magis.ledger SET pull_state = 'merged' WHERE pull = 12");
    expect(ids(await claim(accounts))).toEqual([three.id]);
    expect(await refusalOf(three)).toBeUndefined();
  });
});
