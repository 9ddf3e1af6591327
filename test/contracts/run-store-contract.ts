import { expect, it } from "@jest/globals";
import { RECORD_VERSION } from "../../src/data/run-record.ts";
import type { RunRequest } from "../../src/data/run-request.ts";
import type { RunState } from "../../src/data/run-state.ts";
import type { ModelAnswer, RecordedCall } from "../../src/models/language-model.ts";
import type { RunStore } from "../../src/run/runs.ts";
import { sampleRequest } from "../fakes/sample-request.ts";

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

/** The contract of every RunStore. `open` gives one that may hold other runs; `keep` stores a request like the engine. */
export function runStoreContract(open: () => { store: RunStore; keep(request: RunRequest): Promise<void> }): void {
  it("returns a finished call exactly, whatever text it holds", async () => {
    const { store } = open();
    expect(await store.recordedCall("exact", "k1")).toBeUndefined();
    await store.recordCall("exact", CALL);
    expect(await store.recordedCall("exact", "k1")).toEqual(CALL);
    expect(await store.recordedCall("exact", "k2")).toBeUndefined();
    expect(await store.recordedCall("other", "k1")).toBeUndefined();
  });

  it("keeps when a call began, to the millisecond", async () => {
    const { store } = open();
    const began = 1_790_000_000_123;
    await store.recordCall("began", { ...CALL, began });
    await store.recordCall("began", { ...CALL, key: "k2" });
    expect(await store.calls("began")).toEqual([
      { ...CALL, began },
      { ...CALL, key: "k2" },
    ]);
  });

  it("keeps the first of two finished calls with one key", async () => {
    const { store } = open();
    const second = { ...CALL, answer: { ...ANSWER, text: "second" } };
    await Promise.all([store.recordCall("twice", CALL), store.recordCall("twice", CALL)]);
    await store.recordCall("twice", second);
    expect(await store.calls("twice")).toEqual([CALL]);
  });

  it("keeps every failed call, in order, and never returns one as finished", async () => {
    const { store } = open();
    const { answer: _none, ...rest } = CALL;
    const failed = { ...rest, failure: "overloaded \u0000" };
    await store.recordCall("failed", failed);
    await store.recordCall("failed", failed);
    expect(await store.recordedCall("failed", "k1")).toBeUndefined();
    await store.recordCall("failed", CALL);
    const calls = await store.calls("failed");
    expect(calls.map((call) => call.failure !== undefined)).toEqual([true, true, false]);
    expect(calls[0]).toMatchObject({ failure: expect.stringMatching(/^overloaded/), tokens: 10 });
    expect(calls[0]?.answer).toBeUndefined();
  });

  it("keeps the latest state of a run", async () => {
    const { store } = open();
    expect(await store.state("state")).toBeUndefined();
    await (await store.openWriter("state")).saveState(STATE);
    await (await store.openWriter("state")).saveState({ ...STATE, resumed: 1 });
    expect(await store.state("state")).toEqual({ ...STATE, resumed: 1 });
  });

  it("keeps the parts of the record, each by its name", async () => {
    const { store } = open();
    expect(await store.record("record")).toEqual({});
    const commit = { id: "1".repeat(40), branch: "b", way: "pushed" };
    const { saveRecord } = await store.openWriter("record");
    await saveRecord("candidates", { judged: [], note: "\u0000" });
    await saveRecord("commit", commit);
    await saveRecord("candidates", { judged: [], note: "Later." });
    const candidates = { judged: [], note: "Later." };
    expect(await store.record("record")).toEqual({ version: RECORD_VERSION, candidates, commit });
  });

  it("keeps nothing for whoever another process has taken the run over from, whatever was kept before", async () => {
    const { store } = open();
    const first = await store.openWriter("taken");
    await first.saveState(STATE);
    const guest = await store.openWriter("taken", "guest");
    const newer = { ...STATE, resumed: 1 };
    await guest.saveState(newer);
    await first.saveRecord("commit", { id: "1", branch: "b", way: "pushed" });
    const second = await store.openWriter("taken");
    expect([guest.before, second.before]).toEqual([STATE, newer]);
    for (const late of [first, guest]) {
      await expect(late.saveState(STATE)).rejects.toMatchObject({ code: "RUN_CANCELLED" });
      const saving = late.saveRecord("commit", { id: "0", branch: "b", way: "pushed" });
      await expect(saving).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    }
    expect(await store.state("taken")).toEqual(newer);
    expect(await store.record("taken")).toMatchObject({ commit: { id: "1" } });
    await second.saveState(STATE);
    expect(await store.state("taken")).toEqual(STATE);
  });

  it("finds the latest run of an issue, with the state of its root", async () => {
    const { store, keep } = open();
    const repository = { owner: "Contract", name: "Latest", installationId: 1 };
    const run = (id: string, changes: Partial<RunRequest> = {}) =>
      sampleRequest({ id, root: id, repository, ...changes });
    const latest = (issue = 7) => store.latestRun({ owner: "contract", name: "latest" }, issue);
    expect(await latest()).toBeUndefined();
    await (await store.openWriter("latest-1")).saveState(STATE);
    expect(await latest()).toBeUndefined();
    await keep(run("latest-1"));
    await keep(run("latest-2"));
    expect(await latest()).toEqual({ request: run("latest-2") });
    const continuing = run("latest-3", { root: "latest-1", grants: [{ by: "ben", money: 2.5 }], hint: "\u0000 more" });
    await keep(continuing);
    await keep(run("other-issue", { issue: 8 }));
    await keep(run("latest-1"));
    expect(await latest()).toEqual({ request: continuing, state: STATE });
    expect(await latest(8)).toEqual({ request: run("other-issue", { issue: 8 }) });
    expect(await store.latestRun({ owner: "contract", name: "other" }, 7)).toBeUndefined();
  });
}
