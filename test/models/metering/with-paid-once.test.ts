import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import type { LanguageModel } from "../../../src/models/language-model.ts";
import { withPaidOnce } from "../../../src/models/metering/metered-model.ts";
import { sumOfCalls } from "../../../src/run/budget.ts";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { createMemoryStore } from "./create-memory-store.ts";
import { createPricedModel } from "./create-priced-model.ts";

const never = new AbortController().signal;

describe("withPaidOnce", () => {
  it("answers a finished call from the store, in a later process too, but not for another run", async () => {
    const store = createMemoryStore();
    const { model, requests } = createPricedModel(() => ({}));
    const first = await withPaidOnce(model, store, "run").complete(scriptedRequest(), never);
    const again = await withPaidOnce(model, store, "run").complete(scriptedRequest(), never);
    expect(again).toEqual(first);
    expect(requests).toHaveLength(1);
    await withPaidOnce(model, store, "other").complete(scriptedRequest(), never);
    expect(requests).toHaveLength(2);
    expect(sumOfCalls(await store.calls("run"))).toMatchObject({ calls: 1, money: first.money });
  });

  it("makes one call for identical concurrent ones", async () => {
    const store = createMemoryStore();
    const { model, requests } = createPricedModel(() => ({ lasts: 20 }));
    const paid = withPaidOnce(model, store, "run");
    const answers = await Promise.all([1, 2, 3].map(() => paid.complete(scriptedRequest(), never)));
    await paid.complete(scriptedRequest({ maxTokens: 1 }), never);
    expect(new Set(answers.map((answer) => answer.text))).toEqual(new Set(["answer 1"]));
    expect(requests).toHaveLength(2);
  });

  it("asks again for the other callers when the first one is cancelled", async () => {
    const store = createMemoryStore();
    const { model, requests } = createPricedModel(() => ({ lasts: 50 }));
    const paid = withPaidOnce(model, store, "run");
    const controller = new AbortController();
    const first = paid.complete(scriptedRequest(), controller.signal);
    const second = paid.complete(scriptedRequest(), never);
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    expect(await second).toMatchObject({ text: "answer 2" });
    expect(requests).toHaveLength(2);
  });

  it("releases a cancelled caller while the shared call goes on", async () => {
    const { model } = createPricedModel(() => ({ lasts: 100 }));
    const paid = withPaidOnce(model, createMemoryStore(), "run");
    const controller = new AbortController();
    const first = paid.complete(scriptedRequest(), never);
    const second = paid.complete(scriptedRequest(), controller.signal);
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    expect(await first).toMatchObject({ text: "answer 1" });
  });

  it("records every failure with its cost, and calls again when asked again", async () => {
    const store = createMemoryStore();
    const { model, requests } = createPricedModel((_, n) =>
      n < 3 ? { fails: (cost) => new MagisError("MODEL_UNAVAILABLE", "Overloaded.", cost) } : {},
    );
    const paid = withPaidOnce(model, store, "run");
    for (const _ of [1, 2]) {
      await expect(paid.complete(scriptedRequest(), never)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    }
    const answer = await paid.complete(scriptedRequest(), never);
    expect(requests).toHaveLength(3);
    const calls = await store.calls("run");
    expect(calls.map((call) => call.failure)).toEqual([
      "MODEL_UNAVAILABLE: Overloaded.",
      "MODEL_UNAVAILABLE: Overloaded.",
      undefined,
    ]);
    expect(sumOfCalls(calls).money).toBeCloseTo(3 * answer.money, 9);
  });

  it("records when a call began, failed ones too, without the wait for the budget", async () => {
    const store = createMemoryStore();
    const { model } = createPricedModel((_, n) =>
      n === 1
        ? { lasts: 40 }
        : { lasts: 20, fails: (cost) => new MagisError("MODEL_UNAVAILABLE", "Overloaded.", cost) },
    );
    const waits: LanguageModel = {
      ...model,
      complete: async (request, signal) => {
        await delay(50);
        return model.complete(request, signal);
      },
    };
    const from = Date.now();
    const paid = withPaidOnce(waits, store, "run");
    await paid.complete(scriptedRequest(), never);
    const between = Date.now();
    await expect(paid.complete(scriptedRequest({ maxTokens: 1 }), never)).rejects.toThrow("Overloaded.");
    const [first, second] = await store.calls("run");
    // Timers may fire a millisecond early.
    expect(first?.began).toBeGreaterThanOrEqual(from + 45);
    expect(first?.began).toBeLessThanOrEqual(between - 35);
    expect(second?.began).toBeGreaterThanOrEqual(between - 1);
    expect(second?.began).toBeLessThanOrEqual(Date.now() - 60);
  });

  it("records nothing when the model was not called", async () => {
    const store = createMemoryStore();
    const { model } = createPricedModel(() => ({ fails: () => new MagisError("BUDGET_REACHED", "No room.") }));
    const call = withPaidOnce(model, store, "run").complete(scriptedRequest(), never);
    await expect(call).rejects.toMatchObject({ code: "BUDGET_REACHED" });
    expect(await store.calls("run")).toEqual([]);
  });
});
