import { describe, expect, it } from "@jest/globals";
import type { RunResult, RunState } from "../../../src/data/run-state.ts";
import { initialState } from "../../../src/data/run-state.ts";
import { shortHeadline } from "../../../src/report/run/headline.ts";
import type { RunReport } from "../../../src/run/runs.ts";
import { documentOf } from "./rendered.ts";
import { sampleReport } from "./sample-report.ts";

const link = { number: 2, url: "https://host.example/ana/shop/pull/2" };
const published: RunResult = { kind: "published", pullRequest: link, openThreads: 0 };
const patch: RunResult = { kind: "dry-run", made: "patch", openComments: 0 };
const unchanged: RunResult = { kind: "nothing-to-change", reason: "it works" };
const over = { phase: "code", patch: "", finished: [], unfinished: [] } as const;
const proof = (proved: boolean, failed?: string) => ({ proved, said: "So it was.", failed });

const ENDS: readonly (readonly [string, string, RunResult, RunReport["work"]?])[] = [
  ["Pull request #2 opened", "good", published],
  ["Pull request #2 opened", "warn", { ...published, openThreads: 1 }],
  ["Pull request #2 opened, its fix proved by a test", "good", { ...published, proof: proof(true) }],
  ["Pull request #2 opened", "good", { ...published, proof: proof(false) }],
  ["Pull request #2 opened, its checks fail", "warn", { ...published, proof: proof(false, "1234") }],
  ["Review answered on pull request #2", "good", published, "revise"],
  ["Repair of failing checks pushed to pull request #2", "good", published, "repair"],
  ["Patch made, not published", "good", patch],
  ["Patch made, not published: its check fails", "warn", { ...patch, check: "red" }],
  ["Plan made, nothing written", "good", { ...patch, made: "plan" }],
  ["Nothing to change", "plain", unchanged],
  ["Nothing changed on the pull request", "plain", unchanged, "revise"],
  ["Base merged into pull request #2", "good", published, "update"],
  ["Nothing to merge", "plain", unchanged, "update"],
  ["Checks not repaired", "plain", unchanged, "repair"],
  ["Gave up, nothing written", "bad", { kind: "gave-up", reason: "" }],
  ["Questions asked, waiting for answers", "warn", { kind: "asked", questions: ["Which?"], reason: "" }],
  ["Stopped: its money budget is used up", "warn", { ...over, kind: "budget-reached", limit: "money" }],
  ["Stopped: its time budget is used up", "warn", { ...over, kind: "budget-reached", limit: "minutes" }],
  ["Cancelled by ana", "warn", { kind: "cancelled", by: "ana", undone: [] }],
  ["Cancelled", "warn", { kind: "cancelled", by: "", undone: [] }],
  ["Stopped: the issue was closed", "warn", { kind: "cancelled", by: "ana", undone: [], because: "closed" }],
  [
    "Stopped: the pull request was merged",
    "warn",
    { kind: "cancelled", by: "", undone: [], because: "merged" },
    "repair",
  ],
  ["Refused, nothing written", "warn", { kind: "refused", reason: "" }],
  ["Failed", "bad", { kind: "failed", message: "It broke.", code: "BROKEN" }],
];

const phases = (working: string) =>
  initialState().phases.map((phase) => (phase.name === working ? { ...phase, status: "working" as const } : phase));

const allDone = initialState().phases.map((phase) => ({ ...phase, status: "done" as const }));

const since = { since: "2026-01-01T12:00:00Z", waited: 0 };

const NOON = "since 2026-01-01 12:00 UTC";

const ASKED = `since ${sampleReport().requestedAt.replace("T", " ").slice(0, 16)} UTC`;

const UNFINISHED: readonly (readonly [string, Partial<RunState>])[] = [
  ["Not begun", {}],
  [`Queued behind 2 runs ${ASKED}`, { queued: { ahead: 2 } }],
  [`Queued, next of its repository ${ASKED}`, { queued: { ahead: 0 } }],
  [`Finding the files ${NOON}`, { phases: phases("locate"), ...since }],
  [`Planning ${NOON}`, { phases: phases("plan"), ...since }],
  [`Writing and reviewing the change ${NOON}`, { phases: phases("code"), ...since }],
  [`Publishing ${NOON}`, { phases: phases("publish"), ...since }],
  [`Waiting for the model ${NOON}`, { waiting: { ...since, for: "model" } }],
  [`Waiting for GitHub ${NOON}`, { waiting: { ...since, for: "host" } }],
  [`Waiting for GitHub's rate limit to lift ${NOON}`, { waiting: { ...since, for: "writes" } }],
  [`Waiting for checks ${NOON}`, { phases: allDone, checks: since }],
];

const headed = (state: unknown, work?: RunReport["work"]) => {
  const [first] = documentOf({ ...sampleReport(), state, work }).sections;
  return first && { title: first.title, tone: first.tone };
};

describe("the headline of a run", () => {
  // As objects: Jest would take a fourth parameter that a row does not have for the callback of an asynchronous test.
  const rows = ENDS.map(([title, tone, result, work]) => ({ title, tone, result, work }));
  it.each(rows)("is $title ($tone)", ({ title, tone, result, work }) => {
    expect(headed({ ...initialState(), result }, work)).toEqual({ title, tone });
  });

  it.each(UNFINISHED)("is %j as long as it has not ended", (title, changes) => {
    expect(headed({ ...initialState(), ...changes })).toEqual({ title, tone: "warn" });
  });

  it("is a plain word for an end of another version", () => {
    expect(headed({ ...initialState(), result: { kind: "put-off" } })).toMatchObject({ title: "Ended: put off" });
    expect(headed({ ...initialState(), result: { kind: "constructor" } })).toMatchObject({
      title: "Ended: constructor",
    });
    expect(headed(undefined)).toEqual({ title: "Not begun", tone: "warn" });
  });

  it("is short in a list", () => {
    const shown = [...new Set(ENDS.map(([, , { kind }]) => shortHeadline({ end: kind }).text))];
    for (const text of shown) expect(text).toMatch(/^[a-z, ]{6,20}$/);
    expect(shortHeadline({ end: "published", pullRequest: 7 }).text).toBe("pull request #7");
    expect(shortHeadline({}).text).toBe("not ended");
    expect(shortHeadline({ end: "failed", standing: { is: "queued", ahead: 1 } }).text).toBe("queued behind 1 run");
    expect(shortHeadline({ end: "constructor" }).text).toBe("constructor");
  });
});
