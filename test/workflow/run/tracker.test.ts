import { describe, expect, it } from "@jest/globals";
import type { RunState } from "../../../src/model/run-state.ts";
import { initialState } from "../../../src/model/run-state.ts";
import { NO_SPEND } from "../../../src/model/spend.ts";
import { createTracker } from "../../../src/workflow/run/tracker.ts";
import { createFakeLog } from "../../fakes/create-fake-log.ts";

/** A tracker whose writes wait for the test. */
function openTracker(show?: (state: RunState) => Promise<void>, keep?: () => Promise<void>) {
  const shown: RunState[] = [];
  const kept: RunState[] = [];
  const waiting: (() => void)[] = [];
  const { log, lines } = createFakeLog();
  let calls = 0;
  const held = (state: RunState) => {
    shown.push(state);
    return new Promise<void>((resolve) => void waiting.push(resolve));
  };
  const spend = () => ({ ...NO_SPEND, calls: ++calls });
  const tracker = createTracker({
    initial: initialState(),
    spend,
    show: show ?? held,
    keep: keep ?? (async (state) => void kept.push(state)),
    log,
  });
  const letGo = async () => {
    waiting.shift()?.();
    await new Promise(setImmediate);
  };
  return { tracker, shown, kept, lines, letGo };
}

const statuses = (state: RunState | undefined) => state?.phases.map(({ status }) => status);
const seen: RunState[] = [];
const atOnce = () => {
  seen.length = 0;
  return openTracker(async (state) => void seen.push(state));
};

describe("createTracker", () => {
  it("shows states in order, and skips outdated ones", async () => {
    const { tracker, shown, letGo } = openTracker();
    const all = [tracker.begin("locate"), tracker.detail("one"), tracker.detail("two"), tracker.detail("three")];
    expect(shown).toHaveLength(1);
    await letGo();
    expect(shown.map(({ phases }) => phases[0]?.detail)).toEqual([undefined, "three"]);
    await letGo();
    await Promise.all(all);
    expect(shown).toHaveLength(2);
  });

  it("resolves a call once its state, or a later one, has been shown", async () => {
    const { tracker, letGo } = openTracker();
    let over = false;
    const begun = tracker.begin("locate");
    const detailed = tracker.detail("found").then(() => {
      over = true;
    });
    await letGo();
    expect(over).toBe(false);
    await letGo();
    await Promise.all([begun, detailed]);
    expect(over).toBe(true);
  });

  it("adds a detail to the running phase, with up-to-date spending", async () => {
    const { tracker } = atOnce();
    await tracker.begin("locate");
    await tracker.finish("locate");
    await tracker.begin("plan");
    await tracker.detail("two tasks");
    expect(seen.at(-1)?.phases.map(({ detail }) => detail)).toEqual([undefined, "two tasks", undefined, undefined]);
    expect(seen.map(({ spend }) => spend.calls)).toEqual([1, 3, 4]);
  });

  it("keeps the end of a phase, and shows it with the next phase's begin", async () => {
    const { tracker, kept } = atOnce();
    await tracker.begin("locate");
    await tracker.finish("locate");
    expect(seen).toHaveLength(1);
    expect(statuses(kept.at(-1))).toEqual(["done", "waiting", "waiting", "waiting"]);
    await tracker.begin("plan");
    expect(seen).toHaveLength(2);
    expect(statuses(seen.at(-1))).toEqual(["done", "working", "waiting", "waiting"]);
  });

  it("shows a phase's conclusion and a plan's tasks only with the next phase", async () => {
    const { tracker } = atOnce();
    await tracker.begin("locate");
    await tracker.tasks([{ id: "t1", path: "a", title: "A", status: "waiting" }]);
    await tracker.conclude("one task");
    expect(seen).toHaveLength(1);
    expect(tracker.state().tasks).toHaveLength(1);
    await tracker.finish("locate");
    await tracker.begin("plan");
    expect(seen).toHaveLength(2);
    expect(seen.at(-1)?.phases[0]).toEqual({ name: "locate", status: "done", detail: "one task" });
    expect(seen.at(-1)?.tasks.map(({ id }) => id)).toEqual(["t1"]);
  });

  it("logs a failure to show a state, but throws one at the end", async () => {
    const { tracker, lines } = openTracker(async () => {
      throw new Error("no network");
    });
    await tracker.begin("locate");
    expect(lines).toEqual(["warn the tracking comment could not be updated"]);
    await expect(tracker.end({ kind: "refused", reason: "Closed." })).rejects.toThrow("no network");
  });

  it("logs a failure to keep the end of a phase", async () => {
    const { tracker, lines } = openTracker(undefined, async () => {
      throw new Error("no database");
    });
    await tracker.finish("locate");
    expect(lines).toEqual(["warn the run's state could not be kept"]);
  });

  it("shows the end last, after a pending write", async () => {
    const { tracker, shown, letGo } = openTracker();
    const begun = tracker.begin("code");
    const ended = tracker.end({ kind: "gave-up", reason: "Nothing worked." });
    await new Promise(setImmediate);
    expect(shown).toHaveLength(1);
    await letGo();
    expect(shown).toHaveLength(2);
    await letGo();
    await Promise.all([begun, ended]);
    expect(shown.at(-1)?.result?.kind).toBe("gave-up");
    expect(statuses(shown.at(-1))).toEqual(["waiting", "waiting", "stopped", "waiting"]);
  });

  it("marks a phase that the budget cut short as stopped", async () => {
    const { tracker } = atOnce();
    for (const phase of ["locate", "plan", "code"] as const) {
      await tracker.begin(phase);
      await tracker.finish(phase);
    }
    const rest = { limit: "money", patch: "", finished: [], unfinished: [] } as const;
    await tracker.end({ kind: "budget-reached", phase: "code", ...rest });
    expect(statuses(seen.at(-1))).toEqual(["done", "done", "stopped", "waiting"]);
  });

  it("updates tasks by id, and shows nothing anew for a status that a task already has", async () => {
    const { tracker } = atOnce();
    await tracker.tasks(["t1", "t2"].map((id) => ({ id, path: "a", title: "A", status: "waiting" })));
    await tracker.task("t2", "approved");
    expect(tracker.state().tasks.map(({ status }) => status)).toEqual(["waiting", "approved"]);
    await tracker.task("t2", "approved");
    expect(seen).toHaveLength(1);
  });
});
