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

/** Runs on a pull request that is there already. */
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

/** A run as the engine does it: what comes of a step that was aborted is never seen. */
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

/** What is on the host that is not true of a run which works no more. */
function untrue({ state }: Pick<Run, "state">): readonly string[] {
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
 * The run is cancelled, and its end told once, right after its `write`, or before that takes effect, or while it does; gives
 * nothing when there are fewer writes.
 */
async function cancelling<R extends Run>(make: () => Promise<R>, write: number, when: "after" | "before" | "during") {
  const run = await performing(make);
  let told: Promise<void> | undefined;
  run.faults.atWrite(write, when === "after" ? "after" : "before", async () => {
    run.cancel.abort();
    told = Promise.resolve().then(() => run.handlers.cancelled(run.request, "ana"));
    if (when === "before") await told;
  });
  const result = await run.perform();
  await told;
  return result === "cancelled" ? run : undefined;
}

const TIMES = ["after", "before", "during"] as const;

describe.each<Scene>([...SCENES, ...FOLLOWING])("%s that is cancelled at any of its writes", (_scene, make) => {
  it.each(TIMES)("leaves nothing untrue, however late the write takes effect (%s)", async (when) => {
    for (let write = 1; ; write++) {
      const run = await cancelling(make, write, when);
      if (!run) break;
      await run.handlers.sweep(run.request);
      expect({ write, untrue: untrue(run) }).toEqual({ write, untrue: [] });
      const { state, request } = run;
      const comment = () =>
        // The seconds of work depend on the machine.
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

describe.each(SCENES)("%s that is retried after a cancel at any of its writes", (_scene, make) => {
  it.each(TIMES)("takes the plain branch, although nobody has swept (%s)", async (when) => {
    for (let write = 1; ; write++) {
      const run = await cancelling(make, write, when);
      if (!run) break;
      const retry = sampleRequest({ id: "ana/shop#7@retry" });
      await run.keep(retry);
      const step: Step = (_name, body) => body({ signal: new AbortController().signal });
      const noWait = async () => undefined;
      const result = await run.handlers.resolve(retry, step, noWait, noWait);
      expect({ write, kind: result.kind }).toEqual({ write, kind: "published" });
      // What was done before it was asked for is not its own to sweep.
      await run.handlers.sweep(run.request);
      expect({ write, untrue: untrue(run) }).toEqual({ write, untrue: [] });
      const branches = new Set(run.state.pullRequests.map(({ branch }) => branch));
      expect({ write, branches: branches.size }).toEqual({ write, branches: 1 });
    }
    expect.hasAssertions();
  });
});

describe.each(SCENES)("%s that GitHub refuses any write of", (_scene, make) => {
  it("leaves nothing untrue however it ends", async () => {
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
      // The last word itself may be refused; it is told later.
      if (result !== "cancelled" && untrue(run).length > 0)
        await run.handlers.report(run.request, { kind: "ended", result, about: undefined });
      // A staging ref whose deletion is refused is harmless beside a pull request.
      const left = untrue(run).filter((one) => !one.startsWith("refs/magis/staging/"));
      expect({ write, left }).toEqual({ write, left: [] });
    }
    expect(ends).toContain("failed");
  });
});

describe("a run that goes on after a cancel", () => {
  it.each(SCENES)("takes the plain branch and pays nothing twice: %s", async (_scene, make) => {
    const smooth = await performing(make);
    await smooth.perform();
    const run = await performing(make);
    const isOpened = () => run.state.pullRequests.length > 0;
    // In the fix's stage of a proof the model is asked after the pull request was opened.
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

describe("a proof while the clock is set", () => {
  it.each([-7_200_000, 7_200_000])("waits as long as before (%i ms)", async (shift) => {
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
    expect(usual.looks).toBeGreaterThan(5);
    expect(await looksWith(shift)).toEqual(usual);
  });
});
