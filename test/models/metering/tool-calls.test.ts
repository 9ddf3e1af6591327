import { describe, expect, it } from "@jest/globals";
import { NO_SPEND } from "../../../src/data/spend.ts";
import type { ModelAnswer } from "../../../src/models/language-model.ts";
import { createBudgetKeeper } from "../../../src/models/metering/budget-keeper.ts";
import { meteredModel, requestKey } from "../../../src/models/metering/metered-model.ts";
import { READ_TOOL, scriptedRequest, withResults } from "../../scripted-model/scripted-request.ts";
import { startScriptedModel } from "../../scripted-model/start-scripted-model.ts";
import { anthropicAt } from "../anthropic/anthropic-at.ts";
import { createMemoryStore } from "./create-memory-store.ts";

const never = new AbortController().signal;
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
