import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import { NO_SPEND } from "../../../src/data/spend.ts";
import type { LanguageModel, ModelAnswer } from "../../../src/models/language-model.ts";
import { createBudgetKeeper } from "../../../src/models/metering/budget-keeper.ts";
import { meteredModel, requestKey, withPaidOnce } from "../../../src/models/metering/metered-model.ts";
import { sumOfCalls } from "../../../src/run/budget.ts";
import { READ_TOOL, scriptedRequest, withResults } from "../../scripted-model/scripted-request.ts";
import { startScriptedModel } from "../../scripted-model/start-scripted-model.ts";
import { anthropicAt } from "../anthropic/anthropic-at.ts";
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

const BUDGET = { money: 1, tokens: 100_000, minutes: 10 };
/** Characters that not every encoding preserves. */
const INPUT = { path: "z\0é🙂\ud800", from: 2, a: "1" };

describe("a conversation with tools, metered", () => {
  it("is paid once: a later process finds every turn in the store", async () => {
    const server = await startScriptedModel({
      answer: ({ looked, nth }) => {
        if (nth === 2) return { cut: true };
        if (looked.length === 2) return "done";
        return { text: "I look.", tools: [{ name: "read", input: INPUT }], raw: true };
      },
    });
    const store = createMemoryStore();
    const keeper = createBudgetKeeper(BUDGET, NO_SPEND, () => performance.now());

    /** Holds the whole conversation from the beginning, as a new process does. */
    const converse = async () => {
      const model = meteredModel(anthropicAt(server.url), { store, runId: "run", keeper });
      const answers: ModelAnswer[] = [];
      const keys: string[] = [];
      let request = scriptedRequest({ tools: [READ_TOOL] });
      do {
        keys.push(requestKey(request));
        answers.push(await model.complete(request, never));
        request = withResults(request, answers.at(-1) ?? {});
      } while (answers.at(-1)?.stop === "tools");
      return { answers, keys, text: JSON.stringify(answers) };
    };
    try {
      const first = await converse();
      expect(first.answers.map(({ stop }) => stop)).toEqual(["tools", "tools", "end"]);
      expect(first.answers[0]?.blocks?.at(-1)).toMatchObject({ type: "tool_use", name: "read", input: INPUT });
      expect(first.answers[0]?.blocks?.[0]).toMatchObject({ type: "thinking" });
      // The second turn broke off once; its price includes both attempts.
      expect(server.journal).toHaveLength(4);
      expect(new Set(first.keys).size).toBe(3);
      const spent = keeper.spend();
      expect(first.answers.reduce((sum, { money }) => sum + money, 0)).toBeCloseTo(spent.money, 12);

      const again = await converse();
      expect(again.text).toBe(first.text);
      expect(again.keys).toEqual(first.keys);
      expect(server.journal).toHaveLength(4);
      expect(keeper.spend().money).toBe(spent.money);
      expect(server.faults).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

describe("the key of a request with tools", () => {
  it("depends on the tools, the look-ups and the form of the answer", () => {
    const request = scriptedRequest({ tools: [READ_TOOL] });
    const blocks = [{ type: "tool_use", id: "a", name: "read", input: { path: "x" } }] as const;
    const looked = { ...request, earlier: [{ blocks, results: [{ id: "a", text: "1" }] }] };
    const variants = [
      scriptedRequest(),
      request,
      looked,
      { ...looked, earlier: [{ blocks, results: [{ id: "a", text: "2" }] }] },
      { ...request, answerBy: "read" },
    ];
    expect(new Set(variants.map((variant) => requestKey(variant))).size).toBe(variants.length);
  });

  it("does not depend on cache marks or on whether the answer is forced", () => {
    const request = scriptedRequest({ tools: [READ_TOOL], answerBy: "read" });
    const unmarked = request.parts.map(({ cache: _, ...part }) => part);
    const variants = [
      { ...request, keep: 0 },
      { ...request, mustAnswer: true as const },
      { ...request, parts: unmarked },
    ];
    expect(new Set(variants.map(requestKey))).toEqual(new Set([requestKey(request)]));
  });
});
