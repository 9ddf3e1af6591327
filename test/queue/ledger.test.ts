import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import type { RunResult } from "../../src/data/run-state.ts";
import type { RecordedCall } from "../../src/models/language-model.ts";
import { createLedger } from "../../src/queue/database/ledger.ts";
import { createRunStore } from "../../src/queue/database/run-store.ts";
import type { Accounts, EngineHandlers } from "../../src/queue/engine.ts";
import { settleEnd, settleEnded } from "../../src/queue/ledger.ts";
import { measureOutcomes } from "../../src/queue/pull-outcomes.ts";
import { accountsWith } from "../fakes/engine-handlers.ts";
import { DONE, engineHarness } from "./engine-harness.ts";
import { delivery, keepingLog, type Running, requestOf, until } from "./in-process.ts";

const PULL = 12;

const PUBLISHED: RunResult = {
  kind: "published",
  pullRequest: { number: PULL, url: "https://x/12" },
  openThreads: 0,
};

/** A paid call, or a failed one that names no model. */
function call(key: string, money: number, failed = false): RecordedCall {
  const usage = { input: 100, cacheWrite: 0, cacheRead: 0, output: 10 };
  const answer = { text: "", stop: "end", model: "claude-x", usage, money, elapsed: 1 } as const;
  const paid = { key, promptId: "p04-plan-work", tier: "strong", tokens: 110, money, elapsed: 1 } as const;
  return failed ? { ...paid, failure: "MODEL_UNAVAILABLE" } : { ...paid, answer };
}

const accounts: Accounts = {
  ...accountsWith([], undefined, 5),
  async factsOf(_, result) {
    // As long as a request to GitHub: the run must not have ended before the ledger has it.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return {
      outcome: result?.kind,
      opened: result?.kind === "published" ? result.pullRequest.number : undefined,
      head: "ours",
      rounds: 2,
      proof: "proved",
    };
  },
  pullOutcome: async () => ({ state: "merged", at: "2026-01-05T00:00:00Z", comments: 3, linesAfter: 4 }),
};

const entries = async ({ database }: Running, columns: string) =>
  (await database.pool.query(`SELECT ${columns} FROM magis.ledger ORDER BY seq`)).rows;

const spending = async ({ database }: Running) =>
  (await database.pool.query("SELECT role, model, calls, spent::float8, tokens::int FROM magis.ledger_spend")).rows;

const RUN = "Owner/repo#1@d1";

describe("the ledger of an engine", () => {
  const { start, stop, ended, log } = engineHarness();

  it("enters a run once with its costs by role and model, its phases and what it published", async () => {
    const sums: number[] = [];
    const spentOnBoth = () =>
      createRunStore(running.database.pool, log).spentOn({ owner: "owner", name: "Repo" }, [1, PULL]);
    const running = await start({
      accounts,
      async resolve({ root }, step) {
        const store = createRunStore(running.database.pool, log);
        await step("plan", async () => {
          await store.recordCall(root, call("one", 0.1));
          await store.recordCall(root, call("two", 0.2));
          await store.recordCall(root, call("three", 0.05, true));
          sums.push(await spentOnBoth());
        });
        return PUBLISHED;
      },
    });
    await running.engine.receive(delivery("d1", 1));
    await ended(running, RUN);
    expect(await spending(running)).toEqual([
      { role: "Manager", model: "claude-x", calls: 3, spent: 0.35, tokens: 330 },
    ]);
    await running.engine.receive(delivery("d2", PULL));
    await ended(running, `Owner/repo#${PULL}@d2`);
    await running.engine.receive(delivery("d3", 3));
    await ended(running, "Owner/repo#3@d3");
    // While a run works, when it has ended, and with another run, but not on another issue.
    expect([...sums, await spentOnBoth()]).toEqual([0.35, 0.7, 0.7, 0.7]);
    await running.database.pool.query("DELETE FROM magis.ledger WHERE run <> $1", [RUN]);
    const columns =
      "run, owner, repo, person, work, outcome, set_aside::float8, spent::float8, calls, rounds, proof, pull, pull_state, head";
    expect(await entries(running, columns)).toEqual([
      {
        run: RUN,
        owner: "Owner",
        repo: "repo",
        person: "maintainer",
        work: "resolve",
        outcome: "published",
        set_aside: 5,
        spent: 0.35,
        calls: 3,
        rounds: 2,
        proof: "proved",
        pull: PULL,
        pull_state: "open",
        head: "ours",
      },
    ]);
    const [{ phases }] = await entries(running, "phases");
    expect(phases).toEqual({ plan: expect.any(Number) });
    // Settling the run again adds nothing.
    await settleEnd(running.database.pool, requestOf(delivery("d1", 1)), DONE, { accounts, durations: {}, log });
    expect(await entries(running, "outcome, spent::float8")).toEqual([{ outcome: "published", spent: 0.35 }]);
  });

  it("counts a run's calls once when its process stops in the middle of it", async () => {
    let begun = 0;
    const handlers: Pick<EngineHandlers, "accounts" | "resolve"> = {
      accounts,
      async resolve({ root }, step) {
        const store = createRunStore(first.database.pool, log);
        await step("locate", () => store.recordCall(root, call("one", 0.1)));
        await step("plan", async ({ signal }) => {
          begun += 1;
          if (begun === 1)
            await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
          await store.recordCall(root, call("two", 0.2));
        });
        return PUBLISHED;
      },
    };
    const first = await start(handlers);
    await first.engine.receive(delivery("d1", 1));
    await until(() => begun === 1, "the second step");
    await stop(first);
    const second = await start(handlers);
    await ended(second, RUN);
    expect(await entries(second, "run, spent::float8, calls")).toEqual([{ run: RUN, spent: 0.3, calls: 2 }]);
    const [{ phases }] = await entries(second, "phases");
    expect(Object.keys(phases)).toEqual(["locate", "plan"]);
  });

  it("gives a run that continues another its own calls only, and sets aside what is left", async () => {
    const running = await start({
      accounts,
      admit: async (received) => {
        const request = requestOf(received);
        return { start: received.id === "d2" ? { ...request, root: RUN } : request };
      },
      async resolve({ root, delivery: id }) {
        await createRunStore(running.database.pool, log).recordCall(root, call(id, id === "d1" ? 2 : 0.5));
        return DONE;
      },
    });
    await running.engine.receive(delivery("d1", 1));
    await ended(running, RUN);
    await running.engine.receive(delivery("d2", 1));
    await ended(running, "Owner/repo#1@d2");
    const columns =
      "set_aside::float8, spent::float8, coalesce(change, seq) = (SELECT min(seq) FROM magis.ledger) AS same";
    expect(await entries(running, columns)).toEqual([
      { set_aside: 5, spent: 2, same: true },
      { set_aside: 3, spent: 0.5, same: true },
    ]);
  });

  it("settles a cancelled run once its work has stopped, and adds calls stored later", async () => {
    const running = await start({
      accounts,
      resolve: async ({ root }, step) =>
        step("plan", async ({ signal }) => {
          await createRunStore(running.database.pool, log).recordCall(root, call("one", 0.1));
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
          return DONE;
        }),
    });
    const { pool } = running.database;
    await running.engine.receive(delivery("d1", 1));
    await until(async () => (await pool.query("SELECT FROM magis.model_call")).rowCount === 1, "the call");
    await running.engine.receive({ ...delivery("stop", 1), trigger: { kind: "unlabel", label: "magis" } });
    await ended(running, "stop");
    const settle = () => settleEnded(pool, { accounts, log: keepingLog() }, 0);
    await settle();
    expect(await entries(running, "outcome, spent::float8")).toEqual([{ outcome: "cancelled", spent: 0.1 }]);
    await createRunStore(pool, log).recordCall(RUN, call("late", 0.25));
    await settle();
    await settle();
    expect(await entries(running, "outcome, spent::float8")).toEqual([{ outcome: "cancelled", spent: 0.35 }]);
  });

  it("enters a pull request's outcome by the webhook, and its figures by one successful look", async () => {
    const running = await start({
      accounts,
      admit: async (received) => (received.trigger.kind === "gone" ? undefined : { start: requestOf(received) }),
      resolve: async () => PUBLISHED,
    });
    await running.engine.receive(delivery("d1", 1));
    await ended(running, RUN);
    const gone = { ...delivery("merge", PULL), trigger: { kind: "gone", why: "merged" } } as const;
    await running.engine.receive(gone);
    await running.engine.receive({ ...gone, id: "merge-again" });
    await ended(running, "merge-again");
    expect(await entries(running, "pull_state")).toEqual([{ pull_state: "merged" }]);
    const asks: unknown[] = [];
    let now = 0;
    const shared = { pool: running.database.pool, log, now: () => now };
    const outcomeOf: Accounts["pullOutcome"] = async (pull, head) => {
      asks.push([pull.number, head]);
      if (asks.length === 1) throw new Error("not now");
      return accounts.pullOutcome(pull, head);
    };
    const failed = new Map();
    const measure = () => measureOutcomes({ ...shared, outcomeOf, failed });
    await measure();
    await measure();
    expect(asks).toHaveLength(1);
    now += 60_000;
    await measure();
    await measure();
    expect(asks).toEqual([
      [PULL, "ours"],
      [PULL, "ours"],
    ]);
    const figures = await entries(running, "pull_ended, review_comments, lines_after");
    expect(figures).toEqual([{ pull_ended: new Date("2026-01-05T00:00:00Z"), review_comments: 3, lines_after: 4 }]);
    await running.database.pool.query("UPDATE magis.ledger SET measured = false");
    let asked = 0;
    const refuse = async () => {
      asked += 1;
      throw new MagisError("HOST_NOT_FOUND", "The repository is gone.");
    };
    for (let hour = 0; hour < 48; hour++) {
      await measureOutcomes({ ...shared, outcomeOf: refuse, failed });
      now += 3_600_000;
    }
    expect(asked).toBe(8);
    expect(await entries(running, "measured, lines_after, pull_state")).toMatchObject([
      { measured: true, lines_after: 4, pull_state: "merged" },
    ]);
    await running.database.pool.query("UPDATE magis.ledger SET measured = false, pull_state = 'closed'");
    const overtaken = async () => {
      await running.database.pool.query("UPDATE magis.ledger SET pull_state = 'merged'");
      return { state: "closed", comments: 9, linesAfter: 9 } as const;
    };
    await measureOutcomes({ ...shared, outcomeOf: overtaken, failed: new Map() });
    expect(await entries(running, "measured, lines_after, pull_state")).toMatchObject([
      { measured: false, lines_after: 4, pull_state: "merged" },
    ]);
  });

  it("enters that a merged pull request was reverted, which neither a look nor a late webhook undoes", async () => {
    const running = await start({
      accounts,
      admit: async (received) => (received.id === "d1" ? { start: requestOf(received) } : undefined),
      resolve: async () => PUBLISHED,
    });
    const { pool } = running.database;
    await running.engine.receive(delivery("d1", 1));
    await ended(running, RUN);
    await running.engine.receive({ ...delivery("other", PULL + 1), trigger: { kind: "reverted", by: 99 } });
    await ended(running, "other");
    expect(await entries(running, "pull_state")).toEqual([{ pull_state: "open" }]);
    await running.engine.receive({ ...delivery("revert", PULL), trigger: { kind: "reverted", by: 99 } });
    await running.engine.receive({ ...delivery("merge", PULL), trigger: { kind: "gone", why: "merged" } });
    await ended(running, "merge");
    const { pullOutcome: outcomeOf } = accounts;
    await measureOutcomes({ pool, outcomeOf, log, now: () => 0, failed: new Map() });
    expect(await entries(running, "pull_state, pull_ended, lines_after")).toEqual([
      { pull_state: "reverted", pull_ended: new Date("2026-01-05T00:00:00Z"), lines_after: 4 },
    ]);
    expect(await createLedger(pool, log).stats()).toMatchObject({ pulls: { open: 0, merged: 0, reverted: 1 } });
  });

  it("enters that a push reverts the commit which merged a pull request, and no other", async () => {
    const running = await start({
      accounts,
      admit: async (received) => (received.id === "d1" ? { start: requestOf(received) } : undefined),
      resolve: async () => PUBLISHED,
    });
    await running.engine.receive(delivery("d1", 1));
    await ended(running, RUN);
    const merged = { kind: "gone", why: "merged", mergeCommit: "merge" } as const;
    await running.engine.receive({ ...delivery("merge", PULL), trigger: merged });
    await ended(running, "merge");
    const stateAfter = async (id: string, ...reverts: readonly string[]) => {
      const trigger = { kind: "push", branch: "main", tip: id, reverts } as const;
      await running.engine.receive({ ...delivery(id, 0), trigger });
      await ended(running, id);
      return entries(running, "pull_state");
    };
    expect(await stateAfter("other", "ours")).toEqual([{ pull_state: "merged" }]);
    expect(await stateAfter("revert", "ours", "merge")).toEqual([{ pull_state: "reverted" }]);
  });
});
