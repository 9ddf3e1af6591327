// The dashboard's pages with many runs in the database: npm run bench:dashboard -- [--runs N]
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Pool } from "pg";
import { createDashboard } from "../src/dashboard/dashboard.ts";
import { openTemplates } from "../src/dashboard/templates.ts";
import { initialState } from "../src/data/run-state.ts";
import { createVisibleFigures } from "../src/queue/database/visible-figures.ts";
import { createVisibleRuns } from "../src/queue/database/visible-runs.ts";
import type { Visible } from "../src/queue/visible.ts";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { QUIET, TEST_DATABASES } from "../test/queue/database/test-databases.ts";
import { projectRoot } from "../test/world/project-root.ts";
import { median } from "./lib/median.ts";
import { printTable } from "./lib/print-table.ts";

await leaveNothing("bench");

const { values } = parseArgs({ options: { runs: { type: "string", default: "10000" } } });

const REPOSITORIES = 200;
const ROUNDS = 5;
const PAGES = ["", "/runs", "/repositories", "/trends", "/trends?by=month"];
const VISITORS: readonly (readonly [string, Visible])[] = [
  ["operator", "all"],
  [
    "person, 20 repositories",
    Array.from({ length: 20 }, (_, at) => ({ owner: "o0", name: `r${at * 10}`, installationId: 1 })),
  ],
];

/** `$1` runs over a year, the last one now; `$2` repositories of ten owners. */
const RUNS = `
  SELECT at, 'o' || at % 10 AS owner, 'r' || at % $2::int AS repo, 1 + at % 10 AS installation,
         now() - ($1::int - at) * interval '1 year' / $1::int AS asked
    FROM generate_series(1, $1::int) AS at`;

const FILL_LEDGER = `
  INSERT INTO magis.ledger (run, root, installation, owner, repo, issue, person, asked, started, ended, work, set_aside,
                            spent, calls, tokens, outcome, pull, pull_state, pull_ended, measured, limits)
  SELECT 'run' || at, 'run' || at, installation, owner, repo, at, 'p' || at % 50, asked, asked,
         asked + interval '5 minutes', 'resolve', 5, 0.3, 10, 30000,
         CASE WHEN at % 3 = 0 THEN 'nothing-to-change' ELSE 'published' END, at,
         CASE at % 3 WHEN 0 THEN NULL WHEN 1 THEN 'merged' ELSE 'open' END, asked + interval '1 day', true,
         json_build_array(json_build_object('scope', 'organisation', 'period', 'month', 'most', 200),
                          json_build_object('scope', 'repository', 'period', 'month', 'most', 50))
    FROM (${RUNS}) runs`;

const FILL_RUNS = `
  INSERT INTO magis.run (id, repository, issue, state, request)
  SELECT 'run' || at, owner || '/' || repo, at, $3::json,
         json_build_object('id', 'run' || at, 'root', 'run' || at, 'delivery', 'd' || at, 'issue', at, 'actor', 'ana',
           'actorIsBot', false, 'requestedAt', to_json(asked), 'work', json_build_object('kind', 'resolve'),
           'trigger', json_build_object('kind', 'label', 'label', 'magis'), 'text', json_build_object('title', 'Issue ' || at, 'body', ''),
           'repository', json_build_object('owner', owner, 'name', repo, 'installationId', installation))
    FROM (${RUNS}) runs`;

async function fill(pool: Pool, runs: number): Promise<void> {
  const result = { kind: "nothing-to-change", reason: "It works." };
  await pool.query(FILL_LEDGER, [runs, REPOSITORIES]);
  await pool.query(FILL_RUNS, [runs, REPOSITORIES, JSON.stringify({ ...initialState(), result })]);
}

const rows: string[][] = [["page", "visitor", "database", "median ms", "most ms"]];
let slowest = 0;
const templates = await openTemplates(join(projectRoot(), "pages", "dashboard"));
for (const [name, open] of Object.entries(TEST_DATABASES)) {
  if (!open) continue;
  const { database, remove } = await open();
  const { pool } = database;
  await fill(pool, Number(values.runs));
  for (const [visitor, visible] of VISITORS) {
    const answer = createDashboard({
      templates,
      limits: { day: 50, month: 1000 },
      gate: async () => ({ visible, isOperator: visible === "all" }),
      view: (seen) => ({
        runs: createVisibleRuns(pool, seen, QUIET),
        figures: createVisibleFigures(pool, seen, QUIET),
      }),
    });
    for (const page of PAGES) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const { pathname, searchParams } = new URL(`/dashboard${page}`, "http://localhost");
        const from = performance.now();
        const asked = { method: "GET", host: "localhost", origin: undefined, cookies: new Map() };
        const { status } = await answer({ ...asked, path: pathname, query: searchParams });
        times.push(performance.now() - from);
        if (status !== 200) throw new Error(`The page ${pathname} has status ${status}.`);
      }
      slowest = Math.max(slowest, median(times));
      rows.push([`/dashboard${page}`, visitor, name, median(times).toFixed(0), Math.max(...times).toFixed(0)]);
    }
  }
  await remove();
}
printTable(rows);
process.stdout.write(`${JSON.stringify({ runs: Number(values.runs), slowestMedianMs: Math.round(slowest) })}\n`);
