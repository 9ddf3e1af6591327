import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import { NO_SPEND } from "../../../src/data/spend.ts";
import { createBudgetKeeper } from "../../../src/models/metering/budget-keeper.ts";
import { withBudget } from "../../../src/models/metering/metered-model.ts";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
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
