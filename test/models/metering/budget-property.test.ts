import { describe, expect, it } from "@jest/globals";
import { isMagisError, MagisError } from "../../../src/data/error.ts";
import { createBudgetKeeper } from "../../../src/models/metering/budget-keeper.ts";
import { meteredModel } from "../../../src/models/metering/metered-model.ts";
import { sumOfCalls } from "../../../src/run/budget.ts";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { fc } from "../../seeded.ts";
import { createMemoryStore } from "./create-memory-store.ts";
import { createPricedModel } from "./create-priced-model.ts";

const never = new AbortController().signal;

const oneCall = fc.record({
  input: fc.integer({ min: 0, max: 4000 }),
  maxTokens: fc.integer({ min: 1, max: 8000 }),
  share: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  lasts: fc.integer({ min: 0, max: 3 }),
  fails: fc.boolean(),
  stop: fc.constantFrom("end" as const, "length" as const, "refusal" as const),
  cancelled: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
});

describe("a budget", () => {
  it("is never exceeded by concurrent calls, and every call ends", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(oneCall, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 30_000 }),
        fc.integer({ min: 0, max: 30 }),
        async (agents, tokens, money) => {
          const all = agents.flat();
          const { model } = createPricedModel((request) => {
            const { share, lasts, fails, stop } = all[Number(request.promptId)] ?? { share: 1 };
            const failure = (cost: object) => new MagisError("MODEL_UNAVAILABLE", "Overloaded.", { ...cost });
            return {
              share,
              lasts,
              stop,
              fails: fails ? failure : undefined,
            };
          });
          const spent = { calls: 3, tokens: 500, money: 0.5, elapsed: 0 };
          const keeper = createBudgetKeeper({ tokens, money, minutes: 60 }, spent, () => performance.now());
          const store = createMemoryStore();
          const metered = meteredModel(model, { store, runId: "run", keeper });
          const work = agents.map(async (calls) => {
            for (const { input, maxTokens, cancelled } of calls) {
              const promptId = String(all.findIndex((call) => call.input === input && call.maxTokens === maxTokens));
              const request = scriptedRequest({ promptId, maxTokens, parts: [{ text: "x".repeat(input) }] });
              const outcome = await metered
                .complete(request, cancelled ? AbortSignal.timeout(1) : never)
                .catch((error: unknown) => error);
              if (outcome instanceof Error) {
                expect(isMagisError(outcome, "BUDGET_REACHED", "MODEL_UNAVAILABLE", "RUN_CANCELLED")).toBe(true);
              }
              expect(keeper.spend().tokens).toBeLessThanOrEqual(Math.max(tokens, 500));
              expect(keeper.spend().money).toBeLessThanOrEqual(Math.max(money, 0.5));
            }
          });
          await Promise.all(work);
          const recorded = sumOfCalls(await store.calls("run"));
          expect(recorded.tokens + 500).toBe(keeper.spend().tokens);
          expect(recorded.money + 0.5).toBeCloseTo(keeper.spend().money, 6);
        },
      ),
      { numRuns: 60 },
    );
  });
});
