import { beforeEach, expect, it } from "@jest/globals";
import { createLedger } from "../../../src/queue/database/ledger.ts";
import { onEachDatabase } from "./on-each-database.ts";
import { QUIET } from "./test-databases.ts";

interface Entry {
  [column: string]: unknown;
}

const FIRST = {
  run: "Ana/shop#1@a",
  root: "Ana/shop#1@a",
  installation: 1,
  owner: "Ana",
  repo: "shop",
  person: "ana",
  work: "resolve",
  asked: "2025-10-31T23:00:00Z",
  started: "2025-10-31T23:30:00Z",
  ended: "2025-11-01T00:00:00Z",
  outcome: "published",
  spent: 1,
  calls: 3,
  tokens: 100,
  rounds: 2,
  proof: "proved",
  pull: 12,
  pull_state: "merged",
  pull_ended: "2025-11-01T10:00:00Z",
  lines_after: 4,
  review_comments: 2,
};

const LATER: Entry = { ...FIRST, started: "2025-11-02T00:00:00Z", ended: "2025-11-02T00:10:00Z" };

/** Later work on the first one's pull request, and a run of another repository that came to nothing. */
const ENTRIES: readonly Entry[] = [
  FIRST,
  { ...LATER, run: "ana/Shop#12@b", repo: "Shop", person: "ben", work: "revise", spent: 0.5, change: 1, ...none() },
  { ...LATER, run: "ben/till#3@c", owner: "ben", repo: "till", person: "ben", outcome: "gave-up", ...none() },
];

function none() {
  return { rounds: null, proof: null, pull: null, pull_state: null, pull_ended: null, lines_after: null };
}

onEachDatabase("the ledger", (opened) => {
  const query = async (sql: string, values: readonly unknown[] = []) =>
    (await opened.database.pool.query(sql, [...values])).rows;
  const enter = async (entry: Entry) => {
    const columns = Object.keys(entry);
    const places = columns.map((_, at) => `$${at + 1}`);
    await query(`INSERT INTO magis.ledger (${columns}) VALUES (${places})`, Object.values(entry));
  };
  const ledger = () => createLedger(opened.database.pool, QUIET);

  beforeEach(async () => {
    await query("TRUNCATE magis.ledger RESTART IDENTITY CASCADE");
    for (const entry of ENTRIES) await enter(entry);
    const spend = "INSERT INTO magis.ledger_spend VALUES ($1, 'Manager', $2, 1, $3, 50)";
    await query(spend, [1, "strong", 0.75]);
    await query(spend, [1, "fast", 0.25]);
    await query(spend, [2, "strong", 0.5]);
  });

  it.each([
    [
      "repo",
      [
        ["Shop", 2, 1.5, 1, 1],
        ["till", 1, 1, 0, 0],
      ],
    ],
    [
      "org",
      [
        ["Ana", 2, 1.5, 1, 1],
        ["ben", 1, 1, 0, 0],
      ],
    ],
    [
      "month",
      [
        ["2025-10", 1, 1, 1, 1],
        ["2025-11", 2, 1.5, 0, 0],
      ],
    ],
    [
      "person",
      [
        ["ben", 2, 1.5, 0, 0],
        ["ana", 1, 1, 1, 1],
      ],
    ],
    [
      "model",
      [
        ["strong", 2, 1.25, undefined, undefined],
        ["fast", 1, 0.25, undefined, undefined],
      ],
    ],
  ] as const)("sums costs by %s", async (by, expected) => {
    const lines = await ledger().costs(by);
    const shown = lines.map((one) => [one.name.replace(/.*\//, ""), one.runs, one.money, one.opened, one.merged]);
    expect(shown).toEqual(expected);
  });

  it("leaves a run out until it has ended, and says what is set aside for it", async () => {
    await enter({ run: "x", owner: "ben", repo: "till", work: "resolve", set_aside: 5 });
    expect((await ledger().costs("org")).find((one) => one.name === "ben")?.runs).toBe(1);
    expect((await ledger().stats()).running).toEqual({ runs: 1, setAside: 5 });
  });

  it("says what became of runs and pull requests, and medians of what is known", async () => {
    expect(await ledger().stats()).toEqual({
      outcomes: [
        { outcome: "published", runs: 2, money: 1.5 },
        { outcome: "gave-up", runs: 1, money: 1 },
      ],
      running: { runs: 0, setAside: 0 },
      pulls: { open: 0, merged: 1, reverted: 0, closed: 0 },
      proofs: { proved: 1, unproved: 0 },
      linesKnown: 1,
      medians: {
        runCost: 1,
        mergedCost: 1.5,
        runTime: 600_000,
        timeToPull: 3_600_000,
        timeToMerge: 36_000_000,
        rounds: 2,
        reviewComments: 2,
        linesAfter: 4,
      },
    });
  });

  it("gives an empty account of an empty ledger", async () => {
    await query("DELETE FROM magis.ledger");
    expect(await ledger().costs("month")).toEqual([]);
    expect(await ledger().stats()).toMatchObject({ outcomes: [], medians: {} });
  });

  const NAMING = "run, root, installation, owner, repo, issue, person, pull, head";

  it("empties what names a repository, whatever the case, and keeps the figures", async () => {
    expect(await ledger().forget({ owner: "ANA", name: "shop" }, "now")).toBe(2);
    expect(await ledger().forget({ owner: "ANA", name: "shop" }, "now")).toBe(0);
    const [first, second, other] = await query(`SELECT ${NAMING} FROM magis.ledger ORDER BY seq`);
    for (const row of [first, second]) expect(new Set(Object.values(row))).toEqual(new Set([null]));
    expect(other).toMatchObject({ owner: "ben" });
    expect(await ledger().costs("repo")).toMatchObject([{ name: "", runs: 2, money: 1.5 }, { name: "ben/till" }]);
    expect((await ledger().stats()).medians.mergedCost).toBe(1.5);
    expect(JSON.stringify(await query("SELECT * FROM magis.ledger WHERE owner IS NULL"))).not.toMatch(/ana|shop/i);
  });

  it("keeps this month's names until it is over, and a running run's until it has ended", async () => {
    await enter({ ...FIRST, run: "new", started: new Date(), ended: new Date() });
    await enter({ ...FIRST, run: "old", ended: null });
    expect(await ledger().forget({ installationId: 1 }, "after month")).toBe(5);
    const left = async () => (await query("SELECT run FROM magis.ledger WHERE run IS NOT NULL")).map(({ run }) => run);
    expect(await left()).toEqual(["new", "old"]);
    await query("UPDATE magis.ledger SET ended = now() WHERE run = 'old'");
    await query("UPDATE magis.ledger SET started = started - interval '1 month' WHERE run = 'new'");
    await ledger().emptyForgotten();
    expect(await left()).toEqual([]);
  });

  it("empties the login of a person everywhere, and nothing for a scope without a place", async () => {
    expect(await ledger().forgetPerson("BEN")).toBe(2);
    expect(await ledger().costs("person")).toMatchObject([{ name: "" }, { name: "ana" }]);
    expect(await ledger().forget({} as never, "now")).toBe(0);
  });
});
