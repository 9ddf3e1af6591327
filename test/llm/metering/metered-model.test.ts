import { describe, expect, it } from "@jest/globals";
import { createBudgetKeeper } from "../../../src/llm/metering/budget-keeper.ts";
import { meteredModel } from "../../../src/llm/metering/metered-model.ts";
import { NO_SPEND } from "../../../src/model/spend.ts";
import { sumOfCalls } from "../../../src/workflow/run/budget.ts";
import { anthropicAt } from "../../adapters/anthropic/anthropic-at.ts";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { startScriptedModel } from "../../scripted-model/start-scripted-model.ts";
import { createMemoryStore } from "./create-memory-store.ts";

const never = new AbortController().signal;
const BUDGET = { money: 1, tokens: 100_000, minutes: 10 };

describe("meteredModel over a real connection", () => {
  it("repeats a broken answer, pays once across restarts, and continues from the recorded sums", async () => {
    const server = await startScriptedModel({
      answer: ({ n }) => (n === 1 ? { cut: true, text: "half ".repeat(100) } : { text: "the answer" }),
    });
    const store = createMemoryStore();
    const model = anthropicAt(server.url);
    const keeper = createBudgetKeeper(BUDGET, NO_SPEND, () => performance.now());
    const answer = await meteredModel(model, { store, runId: "run", keeper }).complete(scriptedRequest(), never);
    expect(answer.text).toBe("the answer");
    expect(server.journal).toHaveLength(2);
    expect(answer.money).toBeCloseTo(keeper.spend().money, 12);

    const recorded = sumOfCalls(await store.calls("run"));
    const later = createBudgetKeeper(BUDGET, recorded, () => performance.now());
    const again = await meteredModel(model, { store, runId: "run", keeper: later }).complete(scriptedRequest(), never);
    await server.stop();
    expect(again).toEqual(answer);
    expect(server.journal).toHaveLength(2);
    expect(later.spend().money).toBeCloseTo(keeper.spend().money, 12);
    expect(later.spend().tokens).toBe(keeper.spend().tokens);
  });
});
