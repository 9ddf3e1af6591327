import { expect, it } from "@jest/globals";
import { initialState, type RunState } from "../../src/data/run-state.ts";
import { reportCost } from "../../src/publish/follow-up.ts";
import type { RunContext } from "../../src/run/run-context.ts";
import { sampleRequest } from "../fakes/sample-request.ts";

/** By issue and pull request, with earlier runs. */
const PAID: Readonly<Record<number, number>> = { 7: 1.5, 9: 0.25 };

it("says on the pull request what a run that changed nothing has cost, once, and the sum of all runs", async () => {
  let body = "<!-- magis:run ana/shop#7@first -->\nWords.";
  let state: RunState = { ...initialState(), spend: { calls: 3, tokens: 9, money: 1, elapsed: 1 } };
  const tools = {
    host: {
      readPullRequest: async () => ({ number: 9, body, branch: "magis/issue-7-a" }),
      listThreads: async () => [],
      updatePullRequest: async (_number: number, change: { body: string }) => {
        body = change.body;
      },
    },
    request: sampleRequest({ issue: 9, work: { kind: "revise", because: "feedback" } }),
    tracker: { state: () => ({ ...initialState(), spend: { calls: 1, tokens: 9, money: 0.25, elapsed: 1 } }) },
    spentOn: async (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + (PAID[one] ?? 0), 0),
    earlierRun: () => ({
      state: async () => state,
      correct: async (change: Partial<RunState>) => {
        state = { ...state, ...change };
      },
    }),
  } as unknown as RunContext;
  const result = { kind: "nothing-to-change", reason: "stepped-back" } as const;
  await reportCost(result, tools);
  await reportCost(result, tools);
  expect(body.match(/\| Review \| nothing was changed \| \$0\.25 \|/g)).toHaveLength(1);
  expect(body).toContain("This cost $0.25, and all runs on the issue and this pull request $1.75.");
});
