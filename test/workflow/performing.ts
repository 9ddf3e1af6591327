import type { RunRequest } from "../../src/data/run-request.ts";
import type { RunResult } from "../../src/data/run-state.ts";
import type { Step } from "../../src/run/runs.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { NOT_RED, proving, RIGHT } from "../follow-up/proof/proving.ts";
import { repairing } from "../follow-up/repair/repairing.ts";
import { revising } from "../follow-up/revise/revising.ts";
import { handlersOn, noWait, resolving } from "./resolving.ts";

export type PerformedRun = Pick<Awaited<ReturnType<typeof resolving>>, "deps" | "keep" | "state" | "faults"> & {
  request?: RunRequest;
};

export type CancelScene = readonly [string, () => Promise<PerformedRun>];

export const SCENES = [
  ["a change without a proof", () => resolving({})],
  ["a fix whose test is rewritten", () => proving({ red: [NOT_RED, RIGHT], byCommit: true })],
] as const;

/** Runs on an existing pull request. */
export const FOLLOWING: readonly CancelScene[] = [
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
export async function performing<R extends PerformedRun>(make: () => Promise<R>) {
  const run = await make();
  const handlers = handlersOn(run.deps);
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
  const perform = (asked = request): Promise<RunResult | "cancelled"> =>
    Promise.race([handlers.resolve(asked, step, noWait, noWait), rest.then(() => "cancelled" as const)]);
  return { ...run, handlers, request, cancel, perform };
}

/** What the host still shows although the run has stopped. */
export function leftBehind({ state }: Pick<PerformedRun, "state">): readonly string[] {
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
