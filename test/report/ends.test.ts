import { describe, expect, it } from "@jest/globals";
import { initialState, type RunResult, type StopReason } from "../../src/data/run-state.ts";
import { endOfRun } from "../../src/report/end-of-run.ts";
import { trackingComment } from "../../src/report/tracking-comment.ts";
import { sampleRequest } from "../fakes/sample-request.ts";

describe("the end of a run whose issue was closed or is gone", () => {
  const endBy = (because: StopReason, job?: string) =>
    endOfRun({ kind: "cancelled", by: "ben", undone: [], because }, [], job);

  it.each<[StopReason, RegExp]>([
    ["closed", /goes on from there, once the issue is open again\.$/],
    ["locked", /goes on from there, once the issue is no longer locked\.$/],
    ["transferred", /cannot go on from here: .* on the transferred issue begins anew\.$/],
    ["deleted", /Nothing was written to the repository\.$/],
  ])("promises only what then works: %s", (because, words) => {
    expect(endBy(because)).toMatch(words);
    expect(endBy(because, "https://x.test/job")).not.toContain("retry");
    const state = { ...initialState(), result: { kind: "cancelled", by: "ben", undone: [], because } as const };
    const budget = { money: 5, tokens: 1_000, minutes: 1 };
    expect(trackingComment(sampleRequest(), state, budget)).not.toContain("Commands that work now");
  });
});

describe("words of GitHub or a model in the end of a run", () => {
  it.each<RunResult>([
    { kind: "failed", code: "HOST_REFUSED", message: "PullRequest base invalid", undone: ["the branch `a`"] },
    { kind: "refused", reason: "There is no such branch" },
  ])("end with a full stop before what follows: $kind", (result) => {
    expect(endOfRun(result)).toMatch(/^(?:PullRequest base invalid|There is no such branch)\. [A-Z]/);
  });
});
