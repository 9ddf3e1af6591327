import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { proving, RIGHT } from "../follow-up/proof/proving.ts";
import { leftBehind, performing, SCENES } from "./performing.ts";
import { atOnce, handlersOn, noWait } from "./resolving.ts";

describe.each(SCENES)("%s when GitHub refuses any one of its writes", (_scene, make) => {
  it("leaves nothing behind, however it ends", async () => {
    const ends = new Set<string>();
    for (let write = 1; ; write++) {
      const run = await performing(make);
      let refused = false;
      run.faults.atWrite(write, "before", () => {
        refused = true;
        throw new MagisError("HOST_REFUSED", "GitHub does not.");
      });
      const result = await run.perform();
      if (!refused) break;
      if (result !== "cancelled") ends.add(result.kind);
      // GitHub may refuse the final report itself; the bot repeats it later.
      if (result !== "cancelled" && leftBehind(run).length > 0)
        await run.handlers.report(run.request, { kind: "ended", result, about: undefined });
      // A leftover staging ref is harmless beside a pull request.
      const left = leftBehind(run).filter((one) => !one.startsWith("refs/magis/staging/"));
      expect({ write, left }).toEqual({ write, left: [] });
    }
    expect(ends).toContain("failed");
  });
});

describe("a sweep after a run", () => {
  it.each(SCENES)("fails with GitHub, so that it is tried again: %s", async (_scene, make) => {
    const run = await performing(make);
    await run.perform();
    const from = run.faults.calls.length;
    await run.handlers.sweep(run.request);
    const asked = run.faults.calls.slice(from);
    expect(asked.length).toBeGreaterThan(0);
    for (const method of asked) run.faults.refuse(method, new MagisError("HOST_UNREACHABLE", "GitHub is away."));
    await expect(run.handlers.sweep(run.request)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
  });
});

it.each([
  ["the test alone", "red", false],
  ["the whole change", "green", true],
] as const)("a run that fails while the checks of %s run keeps a pull request: %s", async (_what, stage, stays) => {
  const before = () => {
    throw new MagisError("HOST_REFUSED", "GitHub does not.");
  };
  const run = await performing(() => proving({ [stage]: [{ before, say: RIGHT }] }));
  expect(await run.perform()).toMatchObject({ kind: "failed" });
  expect(run.state.pullRequests.map(({ open }) => open)).toEqual([stays]);
  expect(leftBehind(run)).toEqual([]);
});

it("a sweep folds away a second comment of the run, and nobody else's that has its mark", async () => {
  const run = await performing(SCENES[0][1]);
  await run.perform();
  const [own] = run.state.comments;
  if (!own) throw new Error("the run has no comment");
  run.state.comments.push(
    { ...own, id: 900, nodeId: "second" },
    { ...own, id: 901, nodeId: "mallory's", author: "mallory" },
  );
  await run.handlers.sweep(run.request);
  expect(run.state.minimised).toEqual(["second"]);
});

describe("a sweep that finds a pull request of the ended run", () => {
  it.each([
    ["closes it", false],
    ["leaves it to another run of the issue, even one that is asked for just then", true],
  ])("%s", async (_what, isAskedAgain) => {
    const run = await performing(SCENES[0][1]);
    const { state, host } = run;
    run.faults.atWrite(1, "after", function again() {
      if (state.pullRequests.length > 0) run.cancel.abort();
      else run.faults.atWrite(1, "after", again);
    });
    await run.perform();
    const [opened] = state.pullRequests;
    const refs = [...state.objects.refs];
    await run.handlers.cancelled(run.request, "ana");
    // The write that opened it took effect only now.
    if (opened) state.pullRequests[0] = opened;
    for (const [ref, commit] of refs) state.objects.refs.set(ref, commit);
    const findOwnPullRequests: typeof host.findOwnPullRequests = async (...asked) => {
      const found = await host.findOwnPullRequests(...asked);
      if (isAskedAgain) await run.keep(sampleRequest({ id: "ana/shop#7@retry" }));
      return found;
    };
    await handlersOn({ ...run.deps, openCodeHost: async () => ({ ...host, findOwnPullRequests }) }).sweep(run.request);
    expect(state.pullRequests.map(({ open }) => open)).toEqual([isAskedAgain]);
  });
});

describe("a run retried after a cancel", () => {
  it.each(SCENES)("uses the usual branch name and pays nothing twice: %s", async (_scene, make) => {
    const smooth = await performing(make);
    await smooth.perform();
    const run = await performing(make);
    const isOpened = () => run.state.pullRequests.length > 0;
    // A proof still asks the model after it has opened the pull request.
    run.faults.atWrite(1, "after", function again() {
      if (isOpened()) run.cancel.abort();
      else run.faults.atWrite(1, "after", again);
    });
    expect(await run.perform()).toBe("cancelled");
    await run.handlers.cancelled(run.request, "ana");
    const retry = sampleRequest({ id: "ana/shop#7@retry" });
    await run.keep(retry);
    expect(await run.handlers.resolve(retry, atOnce, noWait, noWait)).toMatchObject({ kind: "published" });
    expect(run.state.pullRequests.map(({ open }) => open)).toEqual([false, true]);
    expect(new Set(run.state.pullRequests.map(({ branch }) => branch)).size).toBe(1);
    expect(run.asked()).toEqual(smooth.asked());
  });
});
