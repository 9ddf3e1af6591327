import { expect, it } from "@jest/globals";
import type { RunState } from "../../src/domain/run/run-state.ts";
import type { ModelAnswer } from "../../src/ports/language-model.ts";
import type { RecordedCall, RunStore } from "../../src/ports/run-store.ts";

const ANSWER: ModelAnswer = {
  text: "naïve \u0000 zero, \ud800 half a pair, 日本",
  stop: "end",
  model: "m",
  usage: { input: 1, cacheWrite: 2, cacheRead: 3, output: 4 },
  money: 0.001,
  elapsed: 12,
};
const CALL: RecordedCall = {
  key: "k1",
  promptId: "p01-summarise-change",
  tier: "fast",
  answer: ANSWER,
  tokens: 10,
  money: 0.1 + 0.2,
  elapsed: 12.5,
};
const STATE: RunState = {
  phases: [{ name: "locate", status: "working", detail: "5 files \u0000" }],
  tasks: [],
  spend: { calls: 1, tokens: 10, money: 0.1, elapsed: 5 },
  resumed: 0,
};

/** What every RunStore does. `open` gives one that may hold other runs. */
export function runStoreContract(open: () => RunStore): void {
  it("gives a finished call back exactly, whatever text is in it", async () => {
    const store = open();
    expect(await store.recordedCall("exact", "k1")).toBeUndefined();
    await store.recordCall("exact", CALL);
    expect(await store.recordedCall("exact", "k1")).toEqual(CALL);
    expect(await store.recordedCall("exact", "k2")).toBeUndefined();
    expect(await store.recordedCall("other", "k1")).toBeUndefined();
  });

  it("keeps the first of two finished calls with one key", async () => {
    const store = open();
    const second = { ...CALL, answer: { ...ANSWER, text: "second" } };
    await Promise.all([store.recordCall("twice", CALL), store.recordCall("twice", CALL)]);
    await store.recordCall("twice", second);
    expect(await store.calls("twice")).toEqual([CALL]);
  });

  it("keeps every failed call, in order, and finds none of them as finished", async () => {
    const store = open();
    const { answer: _none, ...rest } = CALL;
    const failed = { ...rest, failure: "overloaded \u0000" };
    await store.recordCall("failed", failed);
    await store.recordCall("failed", failed);
    expect(await store.recordedCall("failed", "k1")).toBeUndefined();
    await store.recordCall("failed", CALL);
    const calls = await store.calls("failed");
    expect(calls.map((call) => call.failure !== undefined)).toEqual([true, true, false]);
    expect(calls[0]).toMatchObject({ failure: expect.stringMatching(/^overloaded/), tokens: 10 });
    expect(calls[0]).not.toHaveProperty("answer");
  });

  it("keeps the latest state of a run", async () => {
    const store = open();
    expect(await store.state("state")).toBeUndefined();
    await store.saveState("state", STATE);
    await store.saveState("state", { ...STATE, resumed: 1 });
    expect(await store.state("state")).toEqual({ ...STATE, resumed: 1 });
  });

  it("keeps the parts of the record, each by its name", async () => {
    const store = open();
    expect(await store.record("record")).toEqual({});
    await store.saveRecord("record", "candidates", [{ path: "a.ts", reasons: ["\u0000"] }]);
    await store.saveRecord("record", "plan", null);
    await store.saveRecord("record", "candidates", ["b.ts"]);
    expect(await store.record("record")).toEqual({ candidates: ["b.ts"], plan: null });
  });
}
