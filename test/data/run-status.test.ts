import { describe, expect, it } from "@jest/globals";
import { initialState, type RunResult, type RunState } from "../../src/data/run-state.ts";
import { type Place, shownPhases, statusOf, statusSince } from "../../src/data/run-status.ts";

const ASKED = "2026-01-01T09:00:00Z";

const since = "2026-01-01T10:30:00Z";

const failed: RunResult = { kind: "failed", code: "UNEXPECTED", message: "It broke." };

const waiting = { for: "model", since, waited: 0 } as const;

const phasesOf = (...statuses: readonly RunState["phases"][number]["status"][]) =>
  initialState().phases.map((phase, at) => ({ ...phase, status: statuses[at] ?? "waiting" }));

const ROWS: readonly (readonly [string | undefined, Partial<RunState> | undefined, Place?])[] = [
  [undefined, undefined],
  ["queued behind 3 runs since 2026-01-01 09:00 UTC", undefined, { is: "queued", ahead: 3 }],
  ["queued behind 1 run since 2026-01-01 09:00 UTC", { result: failed }, { is: "queued", ahead: 1 }],
  ["queued, next of its repository since 2026-01-01 09:00 UTC", { queued: { ahead: 4 } }, { is: "queued", ahead: 0 }],
  [
    "waiting for room in a budget since 2026-01-01 10:30 UTC; a new budget begins on 2026-01-02 00:00 UTC",
    { result: failed },
    { is: "queued", ahead: 0, held: { by: "budget", since, until: "2026-01-02T00:00:00.000Z" } },
  ],
  [
    "waiting for room under the limit of open pull requests since 2026-01-01 10:30 UTC",
    { queued: { ahead: 0, held: { by: "pulls", since } } },
  ],
  [
    "waiting for room under the limit of open pull requests since 2026-01-01 10:30 UTC",
    { queued: { ahead: 1, held: { by: "pulls", since } } },
  ],
  ["working since 2026-01-01 09:00 UTC", undefined, { is: "begun" }],
  ["planning since 2026-01-01 10:30 UTC", { phases: phasesOf("done", "working"), since }, { is: "begun" }],
  ["waiting for checks since 2026-01-01 10:30 UTC", { checks: { since } }, { is: "begun" }],
  ["waiting for the model since 2026-01-01 10:30 UTC", { checks: { since: ASKED }, waiting }, { is: "begun" }],
  ["waiting for a person since 2026-01-01 10:30 UTC", { result: { kind: "asked", questions: [], reason: "" }, since }],
  ["ended since 2026-01-01 10:30 UTC", { result: failed, since }, { is: "over" }],
  ["ended", { phases: phasesOf("working") }, { is: "over" }],
];

describe("where a run stands", () => {
  const rows = ROWS.map(([words, state, place]) => ({ words, state, place }));
  it.each(rows)("is $words", ({ words, state, place }) => {
    const standing = statusOf(state && { ...initialState(), ...state }, ASKED, place);
    expect(standing && statusSince(standing)).toBe(words);
  });

  it("has plain words for what another version waits for", () => {
    expect(statusSince({ is: "waiting", for: "constructor" })).toBe("waiting for an answer");
    expect(statusSince({ is: "working", phase: "constructor" })).toBe("constructor");
  });

  it("shows no phase as done that checks or earlier phases hold up", () => {
    const shown = (changes: Partial<RunState>) =>
      shownPhases({ ...initialState(), ...changes }).map(({ status }) => status);
    const all = phasesOf("done", "done", "done", "done");
    expect(shown({ phases: all, checks: { since } })).toEqual(["done", "done", "done", "waiting"]);
    expect(shown({ phases: all })).toEqual(["done", "done", "done", "done"]);
    expect(shown({ phases: phasesOf("done", "done", "working", "done") })).toEqual([
      "done",
      "done",
      "working",
      "waiting",
    ]);
  });
});
