import { describe, expect, it } from "@jest/globals";
import { runCli } from "../../src/commands/run-cli.ts";
import { costsCommand, costsCsv, costsDocument } from "../../src/commands/show/costs-command.ts";
import { renderTerminal } from "../../src/commands/show/render-terminal.ts";
import { statsDocument } from "../../src/commands/show/stats-command.ts";
import type { LedgerStats } from "../../src/queue/ledger-port.ts";
import { EMPTY_LEDGER } from "../fakes/empty-ledger.ts";
import { commandContext, named } from "./command-context.ts";

const COSTS = [
  { name: "Ana/shop", runs: 1200, calls: 9000, tokens: 1_234_567, money: 81.256, opened: 800, merged: 600 },
  { name: "", runs: 1, calls: 2, tokens: 3, money: 0.004, opened: 0, merged: 0 },
];

const STATS: LedgerStats = {
  outcomes: [
    { outcome: "published", runs: 4, money: 3 },
    { outcome: "gave-up", runs: 1, money: 1 },
  ],
  running: { runs: 2, setAside: 10 },
  pulls: { open: 1, merged: 2, reverted: 1, closed: 1 },
  proofs: { proved: 2, unproved: 1 },
  linesKnown: 1,
  medians: { runCost: 0.8, mergedCost: 1.1, runTime: 200_000, timeToMerge: 100_000_000, linesAfter: 7 },
};

const TERMINAL = { columns: 100, colours: false };

describe("magis costs", () => {
  it("is a table with a sum", () => {
    expect(renderTerminal(costsDocument(COSTS, "month"), TERMINAL)).toMatchInlineSnapshot(`
"Costs by month
A run counts in the month in which it began, in UTC.

Ended runs
────────────────────────────────────────────────────────────────────────────────────────────────────
month         runs  calls     tokens    cost  pull requests  merged
───────────  ─────  ─────  ─────────  ──────  ─────────────  ──────
Ana/shop     1,200  9,000  1,234,567  $81.26            800     600
(forgotten)      1      2          3   $0.00              0       0
total        1,201  9,002  1,234,570  $81.26            800     600"
`);
  });

  it("is CSV for spreadsheets, with the figures as they are", () => {
    expect(costsCsv(COSTS, "repo")).toBe(
      "repository,runs,calls,tokens,usd,pull_requests,merged\r\n" +
        "Ana/shop,1200,9000,1234567,81.256000,800,600\r\n" +
        ",1,2,3,0.004000,0,0\r\n",
    );
  });

  it("writes no formula into a spreadsheet, and leaves pull requests out by model", () => {
    const costs = ['=cmd|"x"', "a,b"].map((name) => ({ name, runs: 1, calls: 1, tokens: 1, money: 1 }));
    expect(costsCsv(costs, "model")).toBe(
      'model,runs,calls,tokens,usd\r\n"\'=cmd|""x""",1,1,1,1.000000\r\n"a,b",1,1,1,1.000000\r\n',
    );
    expect(renderTerminal(costsDocument(costs, "model"), TERMINAL)).not.toContain("pull requests");
  });

  it.each([
    ["--by", "day"],
    ["--json", "--csv"],
  ])("refuses %s %s before it asks", async (...words) => {
    const ended = await runCli(["costs", ...words], [named("costs", costsCommand)], commandContext());
    expect(ended).toMatchObject({ exitCode: 2 });
  });
});

describe("magis stats", () => {
  it("says what became of runs and pull requests, with the caveats of a merge rate", () => {
    expect(renderTerminal(statsDocument(STATS), TERMINAL)).toMatchInlineSnapshot(`
"What became of the runs
All runs in the ledger; magis costs has what they cost by month, repository, person or model.

Runs
────────────────────────────────────────────────────────────────────────────────────────────────────
outcome    runs   cost
─────────  ────  ─────
published     4  $3.00
gave-up       1  $1.00
total         5  $4.00

2 runs at work, with $10.00 set aside.

Pull requests
────────────────────────────────────────────────────────────────────────────────────────────────────
Pull requests                             5
Merged                                    2
Merged and later reverted                 1
Closed unmerged                           1
Open, or no longer watched                1
Merge rate                                50 % (2 of 4 decided)
Cost of all runs per merged pull request  $2.00
Fixes proved by their test                2 of 3

The merge rate is no measure of quality by itself: people also close right changes (somebody was
faster, plans changed), merge what they mend first, and have yet to decide on what is open. With 4
decisions the rate also says little.

Medians
────────────────────────────────────────────────────────────────────────────────────────────────────
Cost of a run                                       $0.80
Cost of a merged pull request, with later work on   $1.10
it
Time of a run, with its waits for checks            3 min
From the pull request to its merge                  1.2 days
Lines that people changed before they merged        7
(known of 1 of 2)"
`);
  });

  it("claims no rate where nothing was decided", async () => {
    const begun = { ...(await EMPTY_LEDGER.stats()), outcomes: [{ outcome: "failed", runs: 1, money: 0 }] };
    expect(renderTerminal(statsDocument(begun), TERMINAL)).not.toMatch(/merge rate|NaN|undefined/i);
  });
});
