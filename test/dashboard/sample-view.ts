import type { LimitUse } from "../../src/data/limits.ts";
import type { TrendSlot, VisibleParts } from "../../src/queue/visible.ts";
import type { RunSummary } from "../../src/run/runs.ts";
import { sampleReport } from "../report/run/sample-report.ts";

/** A run as a list has it. */
function sampleSummary(changes: Partial<RunSummary> = {}): RunSummary {
  return {
    id: "acme/shop#7@d-7",
    repository: "acme/shop",
    number: 7,
    title: "Rounding is off by one cent for negative amounts",
    requestedAt: "2026-11-23T09:12:00Z",
    end: "published",
    standing: { is: "ended", since: "2026-11-23T09:20:00Z" },
    pullRequest: 12,
    pullUrl: "https://github.com/acme/shop/pull/12",
    money: 0.84,
    ...changes,
  };
}

const at = (number: number, changes: Partial<RunSummary>) =>
  sampleSummary({
    id: `acme/shop#${number}@d-${number}`,
    number,
    end: undefined,
    pullRequest: undefined,
    pullUrl: undefined,
    ...changes,
  });

/** Runs in many states, a month of the ledger, and three repositories. */
export function sampleView(): VisibleParts {
  const unfinished = [
    at(21, {
      title: "Add `--json` to the list command",
      standing: { is: "working", phase: "code", since: "2026-11-23T10:02:00Z" },
    }),
    at(22, {
      title: "The importer takes a file's last line twice when it has no newline at its end, and says so to nobody",
      standing: { is: "waiting", for: "checks", since: "2026-11-23T09:40:00Z" },
    }),
    at(23, { money: 0, standing: { is: "queued", ahead: 2, since: "2026-11-23T10:11:00Z" } }),
  ];
  const ended = [
    sampleSummary(),
    at(6, { title: "Typo in the help", end: "nothing-to-change", standing: { is: "ended" }, money: 0.02 }),
    at(5, { title: "Make the build faster", end: "gave-up", standing: { is: "ended" }, money: 1.4 }),
    at(4, { title: "Which of the two formats?", end: "asked", standing: { is: "waiting", for: "person" } }),
  ];
  return {
    runs: {
      unfinished: async () => unfinished,
      latest: async () => [...unfinished, ...ended],
      report: async (id) => sampleReport({ id }),
    },
    figures: {
      spending: async () => ({ day: { spent: 42.1, setAside: 4 }, month: { spent: 310.4, setAside: 4 } }),
      limits: async () => [
        sampleUse({
          scope: "person",
          of: "a-login-of-the-thirty-nine-characters-x",
          spent: 58,
          most: 60,
          isReached: true,
        }),
        sampleUse({ scope: "repository", of: "acme/a-repository-with-a-rather-long-name", spent: 51, most: 60 }),
        sampleUse({ scope: "organisation", of: "acme", spent: 120.5, setAside: 4, most: 400 }),
      ],
      repositories: async () =>
        ["acme/shop", "acme/a-repository-with-a-rather-long-name", "umbrella/site"].map((name, at) => ({
          name,
          runs: 120 >> at,
          unfinished: at === 0 ? 3 : 0,
          money: 208.13 / (at + 1),
          moneyThisMonth: 80.4 / (at + 1),
          opened: 90 >> at,
          merged: 70 >> at,
        })),
      acceptance: async () => [
        {
          name: "acme/a-repository-with-a-rather-long-name",
          month: "2026-11",
          merged: 9,
          decided: 12,
          peoplesMerged: 31,
          peoplesDecided: 40,
        },
        { name: "umbrella/site", month: "2026-11", merged: 0, decided: 1, peoplesMerged: 0, peoplesDecided: 0 },
      ],
      trend: async (_span, count) => Array.from({ length: count }, (_, day) => sampleSlot(day)),
    },
  };
}

const sampleUse = (use: Pick<LimitUse, "scope" | "of" | "spent" | "most"> & Partial<LimitUse>): LimitUse => ({
  period: "month",
  setAside: 0,
  isReached: false,
  ...use,
});

function sampleSlot(day: number): TrendSlot {
  const from = new Date(Date.UTC(2026, 9, 25 + day)).toISOString().slice(0, 10);
  const isQuiet = day % 7 > 4;
  const runs = [
    { outcome: "published", runs: 3 + ((day * 7) % 5), money: 4.2 + ((day * 3) % 4) },
    { outcome: "nothing-to-change", runs: day % 3, money: 0.4 },
    { outcome: "refused", runs: day % 4 === 0 ? 1 : 0, money: 0 },
    { outcome: "failed", runs: day % 9 === 0 ? 1 : 0, money: 0.7 },
  ];
  if (isQuiet) return { from, runs: [], merged: 0, closed: 0 };
  return { from, runs, merged: 2 + (day % 3), closed: day % 2, timeToPull: 900_000 + ((day * 211_000) % 4_000_000) };
}
