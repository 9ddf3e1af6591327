import { describe, expect, it } from "@jest/globals";
import { isMagisError, MagisError } from "../../../src/data/error.ts";
import { NO_SPEND } from "../../../src/data/spend.ts";
import { createBudgetKeeper } from "../../../src/models/metering/budget-keeper.ts";
import { meteredModel, withBudget } from "../../../src/models/metering/metered-model.ts";
import { sumOfCalls } from "../../../src/run/budget.ts";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { fc } from "../../seeded.ts";
import { createMemoryStore } from "./create-memory-store.ts";
import { createPricedModel } from "./create-priced-model.ts";

const never = new AbortController().signal;
const AMPLE = { money: 1000, tokens: 1_000_000, minutes: 60 };
const now = (): number => performance.now();
/** 1000 tokens of input and `maxTokens` of output, a tenth of a cent each */
const request = (maxTokens: number) => scriptedRequest({ parts: [{ text: "x".repeat(1000) }], maxTokens });

describe("withBudget", () => {
  it("counts every call, failed ones too", async () => {
    const { model } = createPricedModel((_, n) => ({
      share: 0.5,
      fails: n === 2 ? (cost) => new MagisError("MODEL_UNAVAILABLE", "Broke off.", cost) : undefined,
    }));
    const keeper = createBudgetKeeper(AMPLE, { calls: 1, tokens: 10, money: 0.01, elapsed: 5000 }, now);
    const limited = withBudget(model, keeper);
    await limited.complete(request(1000), never);
    await expect(limited.complete(request(1000), never)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    const spend = keeper.spend();
    expect(spend).toMatchObject({ calls: 3, tokens: 2010 });
    expect(spend.money).toBeCloseTo(2.01, 9);
    expect(spend.elapsed).toBeGreaterThanOrEqual(5000);
  });

  it("does not count time spent waiting, from the last answer on", async () => {
    const { model } = createPricedModel(() => ({ share: 0.5 }));
    let time = 0;
    const keeper = createBudgetKeeper({ ...AMPLE, minutes: 1 }, NO_SPEND, () => time);
    keeper.goOn();
    time = 10_000;
    await withBudget(model, keeper).complete(request(1000), never);
    time = 250_000;
    keeper.standStill();
    keeper.standStill();
    expect(keeper.timeLeft()).toBe(50_000);
    time = 10_000_000;
    expect(keeper.spend().elapsed).toBe(10_000);
    keeper.goOn();
    time += 5_000;
    expect([keeper.spend().elapsed, keeper.timeLeft()]).toEqual([15_000, 45_000]);
  });

  it("waits for calls in flight when the worst case does not fit beside theirs", async () => {
    const { model, requests } = createPricedModel(() => ({ lasts: 30, share: 0.1 }));
    const keeper = createBudgetKeeper({ ...AMPLE, tokens: 4500 }, NO_SPEND, now);
    const limited = withBudget(model, keeper);
    await Promise.all([1, 2, 3, 4].map(() => limited.complete(request(2000), never)));
    expect(requests.map((sent) => sent.maxTokens)).toEqual([2000, 2000, 2000, 2000]);
    expect(keeper.spend().tokens).toBe(1200);
  });

  it.each([
    ["money", { ...AMPLE, money: 2.5 }],
    ["tokens", { ...AMPLE, tokens: 2500 }],
  ] as const)(
    "lowers maxTokens to what fits (%s), and fails with BUDGET_REACHED when that cuts off the answer",
    async (limit, budget) => {
      const { model, requests } = createPricedModel(() => ({ stop: "length" }));
      const call = withBudget(model, createBudgetKeeper(budget, NO_SPEND, now)).complete(request(4000), never);
      await expect(call).rejects.toMatchObject({ code: "BUDGET_REACHED", data: { limit, money: 2.5 } });
      expect(requests.map((sent) => sent.maxTokens)).toEqual([1500]);
    },
  );

  it("passes on an answer that the caller's own limit cut off", async () => {
    const { model } = createPricedModel(() => ({ stop: "length" }));
    const call = withBudget(model, createBudgetKeeper(AMPLE, NO_SPEND, now)).complete(request(500), never);
    expect(await call).toMatchObject({ stop: "length" });
  });

  it.each([
    ["money", { ...AMPLE, money: 1.9 }, 2000],
    ["tokens", { ...AMPLE, tokens: 1999 }, 2000],
    ["tokens", { ...AMPLE, tokens: 1299 }, 300],
    ["minutes", { ...AMPLE, minutes: 0 }, 300],
  ] as const)("makes no call that does not fit (%s)", async (limit, budget, maxTokens) => {
    const { model, requests } = createPricedModel(() => ({}));
    const call = withBudget(model, createBudgetKeeper(budget, NO_SPEND, now)).complete(request(maxTokens), never);
    await expect(call).rejects.toMatchObject({ code: "BUDGET_REACHED", data: { limit } });
    await expect(call).rejects.not.toHaveProperty("data.usage");
    expect(requests).toEqual([]);
  });

  it("stops running and waiting calls when the minutes run out", async () => {
    const { model, requests } = createPricedModel(() => ({ lasts: 600_000 }));
    const alreadySpent = { ...NO_SPEND, elapsed: 60_000 - 100 };
    const keeper = createBudgetKeeper({ ...AMPLE, minutes: 1, tokens: 3000 }, alreadySpent, now);
    const limited = withBudget(model, keeper);
    const calls = await Promise.allSettled([1, 2].map(() => limited.complete(request(2000), never)));
    for (const call of calls) {
      expect(call).toMatchObject({ reason: { code: "BUDGET_REACHED", data: { limit: "minutes" } } });
    }
    expect(requests).toHaveLength(1);
    expect(keeper.spend()).toMatchObject({ calls: 1, tokens: 3000 });
  }, 10_000);

  it("releases a cancelled caller that waits, and serves the next", async () => {
    const { model, requests } = createPricedModel(() => ({ lasts: 100, share: 0.1 }));
    const limited = withBudget(model, createBudgetKeeper({ ...AMPLE, tokens: 4000 }, NO_SPEND, now));
    const controller = new AbortController();
    const first = limited.complete(request(2000), never);
    const second = limited.complete(request(2000), controller.signal);
    const third = limited.complete(request(0), never);
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    await Promise.all([first, third]);
    expect(requests.map((sent) => sent.maxTokens)).toEqual([2000, 0]);
  });
});

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
