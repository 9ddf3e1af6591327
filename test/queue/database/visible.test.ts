import { beforeAll, expect, it } from "@jest/globals";
import { initialState } from "../../../src/data/run-state.ts";
import { statusWords } from "../../../src/data/run-status.ts";
import { createLedger } from "../../../src/queue/database/ledger.ts";
import { findLimitsInUse } from "../../../src/queue/database/limits-in-use.ts";
import { createRunStore } from "../../../src/queue/database/run-store.ts";
import { createVisibleFigures } from "../../../src/queue/database/visible-figures.ts";
import { createVisibleRuns } from "../../../src/queue/database/visible-runs.ts";
import { notePullEnd } from "../../../src/queue/ledger.ts";
import { enqueueRun } from "../../../src/queue/runs.ts";
import type { Visible } from "../../../src/queue/visible.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { delivery } from "../in-process.ts";
import { onEachDatabase } from "./on-each-database.ts";
import { QUIET } from "./test-databases.ts";

const SHOP = { owner: "Ana", name: "shop", installationId: 1 };
/** Somebody else has the account's name now, and has installed the app anew. */
const NEW_SHOP = { ...SHOP, installationId: 9 };
const TILL = { owner: "ben", name: "till", installationId: 2 };

const TEXT = { title: "Rounding is off", body: "" };

onEachDatabase("what somebody may see", (opened) => {
  beforeAll(async () => {
    const { pool } = opened.database;
    for (const [at, repository] of [SHOP, TILL, SHOP].entries()) {
      const id = `${repository.owner}/${repository.name}#${at}@d-${at}`;
      await enqueueRun(
        pool,
        QUIET,
        sampleRequest({ id, root: id, delivery: `d-${at}`, issue: at, repository, text: TEXT }),
      );
      await enter({ ...repository, run: id, spent: at + 1, ended: at < 2 });
    }
    const state = { ...initialState(), phases: [{ name: "plan", status: "working" } as const] };
    await (await createRunStore(pool, QUIET).openWriter("ben/till#1@d-1")).saveState(state);
    await pool.query("UPDATE magis.work SET state = 'working' WHERE id = 'ben/till#1@d-1'");
    // Forgotten: nobody's repository any more.
    await enter({ owner: null, name: null, installationId: null, run: null, spent: 10, ended: true });
  });

  const enter = ({ run, owner, name: repo, installationId, spent, ended }: Entered) =>
    opened.database.pool.query(
      `INSERT INTO magis.ledger (run, owner, repo, installation, work, asked, spent, set_aside, ended, outcome, pull,
                                   pull_state, pull_ended, person, limits)
         VALUES ($1, $2, $3, $4, 'resolve', now() - interval '10 minutes', $5, 5, $6, $7, $8, $9, $6, $10, $11)`,
      [
        run,
        owner,
        repo,
        installationId,
        spent,
        ...(ended ? [new Date(), "published", 3, "merged"] : NOT_ENDED),
        owner === null ? null : "zoe",
        JSON.stringify(owner === "Ana" ? LIMITS : BOT_LIMIT),
      ],
    );
  const runs = (visible: Visible) => createVisibleRuns(opened.database.pool, visible, QUIET);
  const figures = (visible: Visible) => createVisibleFigures(opened.database.pool, visible, QUIET);
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

  it.each<[string, Visible, readonly string[]]>([
    ["all of them", "all", ["Ana/shop#0@d-0", "ben/till#1@d-1", "Ana/shop#2@d-2"]],
    ["one repository, in any case", [{ ...SHOP, owner: "ana" }], ["Ana/shop#0@d-0", "Ana/shop#2@d-2"]],
    ["another", [TILL], ["ben/till#1@d-1"]],
    ["nothing", [], []],
    ["a repository that has its name from another installation", [NEW_SHOP], []],
  ])("gives the runs of %s", async (_, visible, expected) => {
    expect(ids(await runs(visible).unfinished(10))).toEqual(expected);
    expect(ids(await runs(visible).latest(10))).toEqual(expected.toReversed());
    for (const id of ["Ana/shop#0@d-0", "ben/till#1@d-1"]) {
      expect((await runs(visible).report(id))?.id).toBe(expected.includes(id) ? id : undefined);
    }
  });

  it.each([
    [{}, 3],
    [{ words: "ROUND" }, 3],
    [{ words: "100%_\\" }, 0],
    [{ repository: "ben/" }, 1],
    [{ repository: "b_n" }, 0],
    [{ person: "ZOE" }, 3],
    [{ person: "zo" }, 0],
    [{ end: "published" }, 2],
    [{ end: "published", repository: "ana/shop" }, 1],
    [{ end: "failed" }, 0],
  ])("finds the runs that fit %j", async (wanted, count) => {
    expect(await runs("all").latest(10, wanted)).toHaveLength(count);
    expect(await runs([NEW_SHOP]).latest(10, wanted)).toEqual([]);
  });

  it("says what each unfinished run does", async () => {
    const standings = (await runs("all").unfinished(10)).map(({ standing }) => standing && statusWords(standing));
    expect(standings).toEqual(["queued, next of its repository", "planning", "queued behind 1 run"]);
  });

  it("adds up money as the limits do", async () => {
    const both = (spent: number, setAside: number) => ({ day: { spent, setAside }, month: { spent, setAside } });
    expect(await figures("all").spending()).toEqual(both(13, 5));
    expect(await figures([SHOP]).spending()).toEqual(both(1, 5));
    expect(await figures([TILL]).spending()).toEqual(both(2, 0));
    expect(await figures([NEW_SHOP]).spending()).toEqual(both(0, 0));
  });

  it("shows a limit to those who may see all that counts towards it", async () => {
    const month = { period: "month", spent: 1, setAside: 5, isReached: false } as const;
    const shop = { ...month, scope: "repository", of: "Ana/shop", most: 20 };
    const owner = { ...month, scope: "organisation", of: "Ana", most: 40 };
    const person = { ...month, scope: "person", of: "zoe", most: 4, spent: 3 };
    expect(await figures("all").limits()).toEqual([person, shop, owner]);
    expect(await figures([{ ...SHOP, name: "SHOP" }]).limits()).toEqual([shop, owner]);
    expect(await figures([SHOP, TILL]).limits()).toEqual([person, shop, owner]);
    expect(await figures([TILL]).limits()).toEqual([]);
    expect(await figures([NEW_SHOP]).limits()).toEqual([]);
    const [bot] = await findLimitsInUse(opened.database.pool, "all", QUIET);
    expect(bot).toEqual({ scope: "bot", period: "day", most: 15, of: "", spent: 13, setAside: 5, isReached: false });
  });

  it("says that a limit is reached while it keeps runs from beginning, and not after it was raised", async () => {
    const { pool } = opened.database;
    const refuse = (most: number) =>
      pool.query(
        `INSERT INTO magis.ledger (run, owner, repo, installation, work, set_aside, spent, ended, refused)
           VALUES ('r', 'Ana', 'shop', 1, 'resolve', 0, 0, now(), $1)`,
        [JSON.stringify({ kind: "money", scope: "repository", period: "month", most })],
      );
    const isReached = async () => (await figures([SHOP]).limits()).map(({ of, isReached: is }) => [of, is]);
    try {
      await refuse(19);
      expect(await isReached()).toEqual([
        ["Ana/shop", false],
        ["Ana", false],
      ]);
      await pool.query("DELETE FROM magis.ledger WHERE run = 'r'");
      await refuse(20);
      expect(await isReached()).toEqual([
        ["Ana/shop", true],
        ["Ana", false],
      ]);
    } finally {
      await pool.query("DELETE FROM magis.ledger WHERE run = 'r'");
    }
  });

  it("gives the figures of each repository, those with the latest runs first", async () => {
    const shop = { name: "Ana/shop", runs: 1, unfinished: 1, money: 4, moneyThisMonth: 4, opened: 1, merged: 1 };
    const till = { name: "ben/till", runs: 1, unfinished: 0, money: 2, moneyThisMonth: 2, opened: 1, merged: 1 };
    expect(await figures("all").repositories(10)).toEqual([shop, till]);
    expect(await figures("all").repositories(1)).toEqual([shop]);
    expect(await figures([TILL, NEW_SHOP]).repositories(10)).toEqual([till]);
    expect(await figures([]).repositories(10)).toEqual([]);
  });

  it("holds what became of the bot's pull requests against people's, until they are forgotten", async () => {
    const { pool } = opened.database;
    const at = new Date().toISOString();
    const decide = (number: number, isMerged: boolean, { owner, name, installationId } = SHOP) =>
      notePullEnd(pool, {
        ...delivery(`pull-${number}`, number),
        repository: { owner, name, installationId },
        trigger: { kind: "decided", isMerged },
        at,
      });
    for (const [number, isMerged] of [
      [21, false],
      [21, true],
      [22, false],
      [23, true],
    ] as const)
      await decide(number, isMerged);
    await decide(24, true, NEW_SHOP);
    const month = at.slice(0, 7);
    const shop = { name: "Ana/shop", month, merged: 1, decided: 1, peoplesMerged: 2, peoplesDecided: 3 };
    const till = { name: "ben/till", month, merged: 1, decided: 1, peoplesMerged: 0, peoplesDecided: 0 };
    expect(await figures([SHOP, TILL]).acceptance(10)).toEqual([shop, till]);
    expect(await figures([NEW_SHOP]).acceptance(10)).toEqual([]);
    await createLedger(pool, QUIET).forget({ installationId: NEW_SHOP.installationId }, "now");
    const { rows } = await pool.query<{ count: string }>("SELECT count(*) FROM magis.peoples_pull");
    expect(rows).toEqual([{ count: "3" }]);
  });

  it("has a slot for each day, week and month, those without runs, too", async () => {
    for (const span of ["day", "week", "month"] as const) {
      const slots = await figures([SHOP]).trend(span, 4);
      expect(slots).toHaveLength(4);
      expect(slots.map(({ from }) => from)).toEqual(slots.map(({ from }) => from).toSorted());
      expect(slots.slice(0, 3).map(({ runs: none }) => none)).toEqual([[], [], []]);
      const [last] = slots.slice(-1);
      expect(last).toMatchObject({ runs: [{ outcome: "published", runs: 1, money: 1 }], merged: 1, closed: 0 });
      expect(last?.timeToPull).toBeGreaterThan(599_000);
    }
    expect((await figures([]).trend("day", 2)).flatMap(({ runs: ended }) => ended)).toEqual([]);
  });
});

interface Entered {
  run: string | null;
  owner: string | null;
  name: string | null;
  installationId: number | null;
  spent: number;
  ended: boolean;
}

const BOT_LIMIT = [{ scope: "bot", period: "day", most: 15 }];

const LIMITS = [
  ...BOT_LIMIT,
  { scope: "organisation", period: "month", most: 40 },
  { scope: "repository", period: "month", most: 20 },
  { scope: "person", period: "month", most: 4 },
];

const NOT_ENDED = [null, null, null, null];
