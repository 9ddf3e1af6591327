import { describe, expect, it, jest } from "@jest/globals";
import { MagisError } from "../../src/model/error.ts";
import type { RunRequest } from "../../src/model/run-request.ts";
import type { RunResult } from "../../src/model/run-state.ts";
import type { Step } from "../../src/ports/runs.ts";
import { createRunHandlers } from "../../src/workflow/perform-run.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { NOT_RED, proving, RIGHT, silent } from "./proof/proving.ts";
import { repairing } from "./repair/repairing.ts";
import { resolving } from "./resolving.ts";
import { revising } from "./revise/revising.ts";

type Run = Pick<Awaited<ReturnType<typeof resolving>>, "deps" | "keep" | "state" | "faults"> & {
  readonly request?: RunRequest;
};

type Scene = readonly [string, () => Promise<Run>];

const SCENES = [
  ["a change without a proof", () => resolving({})],
  ["a fix whose test is rewritten", () => proving({ red: [NOT_RED, RIGHT], byCommit: true })],
] as const;

/** Runs on an existing pull request. */
const FOLLOWING: readonly Scene[] = [
  [
    "a revision",
    async () => {
      const shop = await revising({ "p11-review-change": { comments: [], settled: [], verdict: "", approved: true } });
      shop.thread("a.txt", "Another word.");
      shop.comment("Why so?");
      return shop;
    },
  ],
  ["a repair", () => repairing("test/sum.test.js")],
];

const SETTLED = new Promise<never>(() => undefined);

/** Performs a run like the engine, which drops the result of an aborted step. */
async function performing<R extends Run>(make: () => Promise<R>) {
  const run = await make();
  const handlers = createRunHandlers({ ...run.deps, patience: { graceMs: 0, clock: () => performance.now() } });
  const request = run.request ?? sampleRequest();
  await run.keep(request);
  const cancel = new AbortController();
  let rested: () => void = () => undefined;
  const rest = new Promise<void>((done) => {
    rested = done;
  });
  const step: Step = async (_name, body) => {
    const outcome = await Promise.allSettled([body({ signal: cancel.signal })]);
    if (cancel.signal.aborted) {
      rested();
      return SETTLED;
    }
    const [one] = outcome;
    if (one?.status === "rejected") throw one.reason;
    return one?.value as never;
  };
  const noWait = async () => undefined;
  const perform = (asked = request): Promise<RunResult | "cancelled"> =>
    Promise.race([handlers.resolve(asked, step, noWait, noWait), rest.then(() => "cancelled" as const)]);
  return { ...run, handlers, request, cancel, perform };
}

/** What the host still shows although the run has stopped. */
function leftBehind({ state }: Pick<Run, "state">): readonly string[] {
  const pulls = state.pullRequests;
  const refs = [...state.objects.refs.keys()].filter((ref) => ref !== "refs/heads/main");
  const orphans = refs.filter((ref) => !pulls.some((pull) => pull.open && ref === `refs/heads/${pull.branch}`));
  const going = [...state.checks.values()].flat().filter(({ byApp, state: is }) => byApp && is === "pending");
  const tested = pulls.filter(({ open, body }) => open && body.includes("Being tested"));
  const working = state.comments.filter(
    ({ body, nodeId }) => body.includes("is working on this issue") && !state.minimised.includes(nodeId),
  );
  return [
    ...orphans,
    ...going.map(({ name }) => `the check ${name}`),
    ...tested.map(({ number }) => `#${number} is being tested`),
    ...working.map(({ id }) => `comment ${id}`),
  ];
}

/**
 * Cancels a run after its `write`, before that write takes effect, or during it, and reports the end once. Gives
 * nothing when the run makes fewer writes.
 */
async function cancelling<R extends Run>(make: () => Promise<R>, write: number, when: "after" | "before" | "during") {
  const run = await performing(make);
  let reported: Promise<void> | undefined;
  run.faults.atWrite(write, when === "after" ? "after" : "before", async () => {
    run.cancel.abort();
    reported = Promise.resolve().then(() => run.handlers.cancelled(run.request, "ana"));
    if (when === "before") await reported;
  });
  const result = await run.perform();
  await reported;
  return result === "cancelled" ? run : undefined;
}

const TIMES = ["after", "before", "during"] as const;

describe.each<Scene>([...SCENES, ...FOLLOWING])("%s cancelled at any of its writes", (_scene, make) => {
  it.each(TIMES)("leaves nothing behind, however late the write takes effect (%s)", async (when) => {
    for (let write = 1; ; write++) {
      const run = await cancelling(make, write, when);
      if (!run) break;
      await run.handlers.sweep(run.request);
      expect({ write, left: leftBehind(run) }).toEqual({ write, left: [] });
      const { state, request } = run;
      const comment = () =>
        // Drop the seconds of work, which depend on the machine.
        (state.comments.find(({ body }) => body.includes("magis:run"))?.body ?? "").replace(/, \d+ s\./, "");
      const said = comment();
      const was = state.pullRequests.length > 0;
      if (said !== "" && request.work.kind === "resolve")
        expect({ write, said: said.includes("Taken back: pull request #") }).toEqual({ write, said: was });
      await run.handlers.sweep(request);
      expect({ write, comment: comment() }).toEqual({ write, comment: said });
    }
    expect.hasAssertions();
  });
});

describe.each(SCENES)("%s retried after a cancel at any of its writes", (_scene, make) => {
  it.each(TIMES)("uses the usual branch name, even before the clean-up (%s)", async (when) => {
    for (let write = 1; ; write++) {
      const run = await cancelling(make, write, when);
      if (!run) break;
      const retry = sampleRequest({ id: "ana/shop#7@retry" });
      await run.keep(retry);
      const step: Step = (_name, body) => body({ signal: new AbortController().signal });
      const noWait = async () => undefined;
      const result = await run.handlers.resolve(retry, step, noWait, noWait);
      expect({ write, kind: result.kind }).toEqual({ write, kind: "published" });
      // The clean-up must not touch the earlier run's work.
      await run.handlers.sweep(run.request);
      expect({ write, left: leftBehind(run) }).toEqual({ write, left: [] });
      const branches = new Set(run.state.pullRequests.map(({ branch }) => branch));
      expect({ write, branches: branches.size }).toEqual({ write, branches: 1 });
    }
    expect.hasAssertions();
  });
});

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
    const step: Step = (_name, body) => body({ signal: new AbortController().signal });
    const noWait = async () => undefined;
    expect(await run.handlers.resolve(retry, step, noWait, noWait)).toMatchObject({ kind: "published" });
    expect(run.state.pullRequests.map(({ open }) => open)).toEqual([false, true]);
    expect(new Set(run.state.pullRequests.map(({ branch }) => branch)).size).toBe(1);
    expect(run.asked()).toEqual(smooth.asked());
  });
});

describe("a proof while the system clock changes", () => {
  it.each([-7_200_000, 7_200_000])("waits as long as usual (%i ms)", async (shift) => {
    const looksWith = async (by: number) => {
      let [shifted, passed, looks] = [0, 0, 0];
      const [wall, steady] = [Date.now.bind(Date), performance.now.bind(performance)];
      const spies = [
        jest.spyOn(Date, "now").mockImplementation(() => wall() + shifted),
        jest.spyOn(performance, "now").mockImplementation(() => steady() + passed),
      ];
      const before = () => {
        shifted = by;
        looks += 1;
      };
      const run = await proving({ red: [{ before, say: silent("none") }], settings: { checksWait: 10 } });
      const handlers = createRunHandlers({ ...run.deps, patience: { graceMs: 0, clock: () => 0 } });
      const wait = async (ms: number) => {
        passed += ms;
      };
      const result = await handlers.resolve(sampleRequest(), run.step, async () => undefined, wait);
      for (const spy of spies) spy.mockRestore();
      return { kind: result.kind, looks };
    };
    const usual = await looksWith(0);
    expect(usual.looks).toBeGreaterThan(3);
    expect(await looksWith(shift)).toEqual(usual);
  });
});
