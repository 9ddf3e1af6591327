import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { RunState } from "../../src/data/run-state.ts";
import { initialState } from "../../src/data/run-state.ts";
import { NO_SPEND } from "../../src/data/spend.ts";
import { createTracker, type Tracker } from "../../src/run/tracker.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";

/** A tracker whose comment and store do what the test says. */
function openTracker({
  show = async () => ({ isNew: false }),
  keep = async () => undefined,
}: {
  show?: (state: RunState) => Promise<{ isNew: boolean }>;
  keep?: (state: RunState) => Promise<void>;
} = {}) {
  const shown: RunState[] = [];
  const kept: RunState[] = [];
  const { log, lines } = createFakeLog();
  let calls = 0;
  const tracker = createTracker({
    initial: initialState(),
    spend: () => ({ ...NO_SPEND, calls: ++calls }),
    show(state) {
      shown.push(state);
      return show(state);
    },
    keep(state) {
      kept.push(state);
      return keep(state);
    },
    log,
  });
  return { tracker, shown, kept, lines };
}

/** Work that waits until the test lets the first of it go. */
function held<T>(value: T) {
  const waiting: (() => void)[] = [];
  return {
    work: () => new Promise<T>((resolve) => void waiting.push(() => resolve(value))),
    async letGo() {
      waiting.shift()?.();
      await settled();
    },
  };
}

const settled = () => new Promise(setImmediate);

/** A state is shown a second after it came about. */
async function aSecond() {
  jest.advanceTimersByTime(1_000);
  await settled();
}

const statuses = (state: RunState | undefined) => state?.phases.map(({ status }) => status);

const details = (state: RunState | undefined) => state?.phases.map(({ detail }) => detail);

describe("createTracker", () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] }));

  afterEach(() => void jest.useRealTimers());

  it("keeps a state at once, and shows what has become of it a second later", async () => {
    const { tracker, shown, kept } = openTracker();
    await tracker.begin("locate");
    await tracker.detail("one");
    await tracker.detail("two");
    expect([kept.length, shown.length]).toEqual([3, 0]);
    await aSecond();
    expect(shown.map((state) => details(state)?.[0])).toEqual(["two"]);
    await tracker.detail("three");
    await aSecond();
    expect(shown.map((state) => details(state)?.[0])).toEqual(["two", "three"]);
    await aSecond();
    expect(shown).toHaveLength(2);
  });

  it("keeps one state at a time, and skips outdated ones", async () => {
    const { work, letGo } = held(undefined);
    const { tracker, kept } = openTracker({ keep: work });
    const all = [tracker.begin("locate"), tracker.detail("one"), tracker.detail("two"), tracker.detail("three")];
    expect(kept).toHaveLength(1);
    await letGo();
    expect(kept.map((state) => details(state)?.[0])).toEqual([undefined, "three"]);
    await letGo();
    await Promise.all(all);
    expect(kept).toHaveLength(2);
  });

  it("shows one state at a time", async () => {
    const { work, letGo } = held({ isNew: false });
    const { tracker, shown } = openTracker({ show: work });
    await tracker.begin("locate");
    await aSecond();
    await tracker.detail("one");
    await aSecond();
    expect(shown).toHaveLength(1);
    await letGo();
    expect(shown.map((state) => details(state)?.[0])).toEqual([undefined, "one"]);
  });

  it("keeps the state again when its comment was made anew", async () => {
    const { tracker, kept } = openTracker({ show: async () => ({ isNew: true }) });
    await tracker.announce();
    expect(kept).toHaveLength(2);
  });

  it("shows nothing more once the run no longer goes on here", async () => {
    const { tracker, shown } = openTracker();
    const abort = new AbortController();
    tracker.until(abort.signal);
    await tracker.begin("locate");
    abort.abort();
    await aSecond();
    expect(shown).toEqual([]);
  });

  it.each<["shows" | "keeps", string, (tracker: Tracker) => Promise<void>]>([
    ["shows", "that it waits for the model", (tracker) => tracker.wait({ for: "model", since: "", waited: 0 })],
    ["shows", "that it waits for room to write", (tracker) => tracker.wait({ for: "writes", since: "", waited: 0 })],
    ["shows", "that it waits for checks", (tracker) => tracker.awaitChecks(true)],
    ["keeps", "that it waits for the host", (tracker) => tracker.wait({ for: "host", since: "", waited: 0 })],
  ])("%s at once %s", async (what, _name, wait) => {
    const { tracker, shown, kept } = openTracker();
    await wait(tracker);
    expect([kept.length, shown.length]).toEqual([1, what === "shows" ? 1 : 0]);
    await aSecond();
    expect(shown).toHaveLength(what === "shows" ? 1 : 0);
  });

  it("adds a detail to the running phase, with up-to-date spending", async () => {
    const { tracker, kept } = openTracker();
    await tracker.begin("locate");
    await tracker.finish("locate");
    await tracker.begin("plan");
    await tracker.detail("two tasks");
    expect(details(kept.at(-1))).toEqual([undefined, "two tasks", undefined, undefined]);
    expect(kept.map(({ spend }) => spend.calls)).toEqual([1, 2, 3, 4]);
  });

  it("keeps the end of a phase, and shows it with the next phase's begin", async () => {
    const { tracker, shown, kept } = openTracker();
    await tracker.begin("locate");
    await aSecond();
    await tracker.finish("locate");
    await aSecond();
    expect(shown).toHaveLength(1);
    expect(statuses(kept.at(-1))).toEqual(["done", "waiting", "waiting", "waiting"]);
    await tracker.begin("plan");
    await aSecond();
    expect(shown).toHaveLength(2);
    expect(statuses(shown.at(-1))).toEqual(["done", "working", "waiting", "waiting"]);
  });

  it("shows a phase's conclusion and a plan's tasks only with the next phase", async () => {
    const { tracker, shown } = openTracker();
    await tracker.begin("locate");
    await aSecond();
    await tracker.tasks([{ id: "t1", path: "a", title: "A", status: "waiting" }]);
    await tracker.conclude("one task");
    await aSecond();
    expect(shown).toHaveLength(1);
    expect(tracker.state().tasks).toHaveLength(1);
    await tracker.finish("locate");
    await tracker.begin("plan");
    await aSecond();
    expect(shown).toHaveLength(2);
    expect(shown.at(-1)?.phases[0]).toEqual({ name: "locate", status: "done", detail: "one task" });
    expect(shown.at(-1)?.tasks.map(({ id }) => id)).toEqual(["t1"]);
  });

  it("logs a failure to show a state, but throws one at the begin and the end", async () => {
    const { tracker, lines } = openTracker({
      show: async () => {
        throw new Error("no network");
      },
    });
    await tracker.begin("locate");
    await aSecond();
    expect(lines).toEqual(["warn the tracking comment could not be updated"]);
    await expect(tracker.announce()).rejects.toThrow("no network");
    await expect(tracker.end({ kind: "refused", reason: "Closed." })).rejects.toThrow("no network");
  });

  it("logs a failure to keep a state, but throws one at the begin and the end", async () => {
    const { tracker, lines, shown } = openTracker({
      keep: async () => {
        throw new Error("no database");
      },
    });
    await tracker.finish("locate");
    expect(lines).toEqual(["warn the run's state could not be kept"]);
    await expect(tracker.announce()).rejects.toThrow("no database");
    await expect(tracker.end({ kind: "refused", reason: "Closed." })).rejects.toThrow("no database");
    expect(shown).toEqual([]);
  });

  it("shows the end last, after a write under way and in place of one to come", async () => {
    const { work, letGo } = held({ isNew: false });
    const { tracker, shown } = openTracker({ show: work });
    await tracker.begin("code");
    await aSecond();
    await tracker.detail("half of it");
    const ended = tracker.end({ kind: "gave-up", reason: "Nothing worked." });
    await settled();
    expect(shown).toHaveLength(1);
    await letGo();
    expect(shown).toHaveLength(2);
    await letGo();
    await ended;
    await aSecond();
    expect(shown).toHaveLength(2);
    expect(shown.at(-1)?.result?.kind).toBe("gave-up");
    expect(statuses(shown.at(-1))).toEqual(["waiting", "waiting", "stopped", "waiting"]);
  });

  it("marks a phase that the budget cut short as stopped", async () => {
    const { tracker, shown } = openTracker();
    for (const phase of ["locate", "plan", "code"] as const) {
      await tracker.begin(phase);
      await tracker.finish(phase);
    }
    const rest = { limit: "money", patch: "", finished: [], unfinished: [] } as const;
    await tracker.end({ kind: "budget-reached", phase: "code", ...rest });
    expect(statuses(shown.at(-1))).toEqual(["done", "done", "stopped", "waiting"]);
  });

  it("updates tasks by id, and shows nothing anew for a status that a task already has", async () => {
    const { tracker, shown } = openTracker();
    await tracker.tasks(["t1", "t2"].map((id) => ({ id, path: "a", title: "A", status: "waiting" })));
    await tracker.task("t2", "approved");
    expect(tracker.state().tasks.map(({ status }) => status)).toEqual(["waiting", "approved"]);
    await aSecond();
    expect(shown).toHaveLength(1);
    await tracker.task("t2", "approved");
    await aSecond();
    expect(shown).toHaveLength(1);
  });
});
