import { describe, expect, it } from "@jest/globals";
import type { Command } from "../../src/data/command.ts";
import { MagisError } from "../../src/data/error.ts";
import type { RunRequest } from "../../src/data/run-request.ts";
import { initialState } from "../../src/data/run-state.ts";
import type { CodeHost } from "../../src/github/code-host.ts";
import type { Step } from "../../src/run/runs.ts";
import { takeCommand } from "../../src/webhooks/admission/take-command.ts";
import type { RunHandlers } from "../../src/workflow/perform-run.ts";
import { sampleDelivery } from "../fakes/sample-delivery.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { admissionDependencies, commentOf } from "../webhooks/admission/admitting.ts";
import { handlersOn, noWait, resolving } from "./resolving.ts";

const HINT = "Mind the second line.";
const FIRST = sampleRequest({ trigger: { kind: "command", commentId: 1, hint: HINT } });
const PROMPTS = { locate: "c02-locate-files", plan: "p04-plan-work", code: "p09-change-file" } as const;
const WHERE = ["queue", "start", "locate", "plan", "code", "publish"] as const;
type Where = (typeof WHERE)[number];
type How = "cancel" | "failure" | "budget";
const BUDGETS = { locate: 3, plan: 15, code: 25 } as const;

/** An issue whose run ends at `where`, and the commands that people give then. */
async function goingOn(where: Where, how: How) {
  let broken = true;
  let reached = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const ending = new AbortController();
  const cancelled = new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve()));
  async function stumble<T>(at: Where, go: () => T): Promise<T | Error> {
    if (!broken || at !== where || how === "budget") return go();
    void reached();
    if (how === "cancel") await cancelled;
    return new MagisError("MODEL_REJECTED", "The key is wrong.");
  }
  const breaking = (at: keyof typeof PROMPTS) => () => stumble(at, () => undefined);
  const tokens = how === "budget" && where in BUDGETS ? BUDGETS[where as keyof typeof BUDGETS] : 1_000_000;
  const script = Object.fromEntries((["locate", "plan", "code"] as const).map((at) => [PROMPTS[at], breaking(at)]));
  const run = await resolving(script, { tokens });
  const { host } = run;
  const halting = <Name extends "readIssue" | "openPullRequest">(name: Name, at: Where) => {
    const usual = host[name] as (...values: unknown[]) => Promise<unknown>;
    return async (...values: unknown[]) => {
      const got = await stumble(at, () => usual(...values));
      if (got instanceof Error) throw got;
      return got;
    };
  };
  const own = {
    ...host,
    readIssue: halting("readIssue", "start"),
    openPullRequest: halting("openPullRequest", "publish"),
  } as typeof host;
  const handlers = handlersOn({ ...run.deps, openCodeHost: async () => own });
  const resolve = (request: RunRequest, step: Step = run.step) => handlers.resolve(request, step, noWait, noWait);

  /** Carries out a command like the engine; gives the result of its run. */
  async function command(given: Command, number: number) {
    run.state.comments.push(commentOf(number, `/magis ${given.verb}`));
    const delivery = sampleDelivery({
      id: `delivery-${number}`,
      trigger: { kind: "other-command", commentId: number, command: given, on: "issue" },
    });
    const budget = { ...run.deps.budget, money: 1_000_000 };
    const deps = admissionDependencies({ store: run.store, log: run.deps.log, budget });
    const decision = await takeCommand(delivery, own, deps);
    if (!decision || !("start" in decision)) return undefined;
    await run.keep(decision.start);
    return resolve(decision.start);
  }

  /** Ends the run at `where` by `how`. */
  async function end(request: RunRequest = FIRST) {
    await run.keep(request);
    if (where === "queue") await handlers.cancelled(request, "ana");
    else if (how === "cancel") {
      const working = resolve(request, (_name, body) => body({ signal: ending.signal }));
      await arrived;
      await handlers.cancelled(request, "ana");
      ending.abort();
      await working;
    } else await resolve(request);
    broken = false;
  }
  return { ...run, command, end };
}

describe("resuming a run", () => {
  const cases = WHERE.flatMap((where) =>
    (["cancel", "failure"] as const)
      .filter((how) => where !== "queue" || how === "cancel")
      .map((how) => [where, how] as const),
  );

  it.each(cases)("`retry` leads to a pull request: in %s after %s", async (where, how) => {
    const run = await goingOn(where, how);
    await run.end();
    expect(run.comment()).toContain(how === "cancel" ? "### MAGIS was told to stop" : "### MAGIS had to stop");
    const before = run.asked();
    expect(await run.command({ verb: "retry" }, 90)).toMatchObject({ kind: "published" });
    expect(run.comment()).toContain("### MAGIS opened pull request #");
    expect(run.parts.start).toMatchObject({ issue: { hint: HINT } });
    // It repeats no answered prompt except the Custodian's, which now shows what it has learned.
    const open = [PROMPTS.locate, where in PROMPTS && PROMPTS[where as keyof typeof PROMPTS]];
    const answered = before.filter((id) => !open.includes(id as (typeof PROMPTS)["locate"]));
    const again = run.asked().slice(before.length);
    expect(again.filter((id) => answered.includes(id))).toEqual([]);
    // There is one comment of the bot and one open pull request.
    expect(run.state.comments.filter(({ author }) => author === run.host.login)).toHaveLength(1);
    expect(run.state.pullRequests.filter(({ open }) => open)).toHaveLength(1);
  });

  it.each(["locate", "plan", "code"] as const)(
    "`continue` leads to a pull request: in %s after the budget ran out",
    async (where) => {
      const run = await goingOn(where, "budget");
      await run.end();
      expect(run.comment()).toContain("### MAGIS stopped: its budget is used up");
      expect(await run.command({ verb: "retry" }, 90)).toBeUndefined();
      expect(await run.command({ verb: "continue", amount: 10_000 }, 91)).toMatchObject({ kind: "published" });
      expect(run.parts.start).toMatchObject({ issue: { hint: HINT } });
    },
  );

  it("`continue` has nothing to resume after a failure", async () => {
    const run = await goingOn("code", "failure");
    await run.end();
    expect(await run.command({ verb: "continue" }, 90)).toBeUndefined();
  });

  it("`retry` starts over when the request was cancelled before it was admitted", async () => {
    const run = await goingOn("queue", "cancel");
    expect(await run.command({ verb: "retry" }, 90)).toMatchObject({ kind: "published" });
  });

  it("`retry` after a cancelled retry keeps the first hint", async () => {
    const run = await goingOn("queue", "cancel");
    await run.end();
    const hanging = { ...FIRST, id: "ana/shop#7@delivery-2", root: FIRST.root, earlierHints: HINT };
    await run.end({ ...hanging, trigger: { ...FIRST.trigger, hint: "" } as RunRequest["trigger"] });
    expect(await run.command({ verb: "retry" }, 90)).toMatchObject({ kind: "published" });
    expect(run.parts.start).toMatchObject({ issue: { hint: HINT } });
  });

  it("`retry` stops at its plan when the first request did", async () => {
    const run = await goingOn("queue", "cancel");
    await run.end({ ...FIRST, work: { kind: "resolve", gate: "plan" } });
    expect(await run.command({ verb: "retry" }, 90)).toMatchObject({ kind: "awaiting-approval" });
  });

  it("`retry` starts over on the present head after the branch's history was rewritten, and says so", async () => {
    const run = await goingOn("publish", "failure");
    await run.end();
    const { objects } = run.state;
    const { refs } = objects;
    expect([...refs.keys()].filter((ref) => ref.includes("magis/issue-7"))).toEqual([]);
    const { tree } = objects.commit(refs.get("refs/heads/main") ?? "");
    const fresh = { tree, parents: [], message: "rewritten", author: "ana", verified: false };
    const tip = objects.addCommit(fresh, "on the host");
    refs.set("refs/heads/main", tip);
    expect(await run.command({ verb: "retry" }, 90)).toMatchObject({ kind: "published" });
    expect(run.parts.start).toMatchObject({ base: { branch: "main", commit: tip } });
    expect(run.comment()).toContain("The history of `main` was rewritten since the earlier run");
    expect(objects.commit(run.state.pullRequests.at(-1)?.head ?? "").parents).toEqual([tip]);
  });
});

const REQUEST = sampleRequest();
const ENDED = { ...initialState(), result: { kind: "failed", code: "X", message: "It failed." } } as const;
const NEWER = { ...initialState(), resumed: 7 };
const COMMIT = { id: "7".repeat(40), branch: "b", way: "pushed" };

type Work = (handlers: RunHandlers, run: Awaited<ReturnType<typeof resolving>>) => Promise<unknown>;

/**
 * Does work on a run, which another process takes over while the `nth` request to the host is under way that `counts`.
 * Gives what is kept afterwards; undefined when there were fewer requests.
 */
async function keptAfter(nth: number, counts: (verb: string) => boolean, work: Work) {
  const run = await resolving({});
  const { host, store, deps } = run;
  const ended = await store.openWriter(REQUEST.root);
  await ended.saveState(ENDED);
  await run.keep(REQUEST);
  let requests = 0;
  const watched = new Proxy(host, {
    get(own, key: keyof CodeHost) {
      const value: unknown = own[key];
      if (typeof value !== "function" || !counts(key)) return value;
      return async (...given: unknown[]) => {
        const answer: unknown = await (value as (...values: unknown[]) => unknown)(...given);
        requests += 1;
        if (requests !== nth) return answer;
        const { saveState, saveRecord } = await store.openWriter(REQUEST.root);
        await saveState(NEWER);
        await saveRecord("commit", COMMIT);
        return answer;
      };
    },
  });
  await work(handlersOn({ ...deps, openCodeHost: async () => watched }), run).catch(() => undefined);
  if (requests < nth) return undefined;
  return { state: await store.state(REQUEST.root), commit: (await store.record(REQUEST.root)).commit };
}

const isWrite = (verb: string) => /^(?:create|update|push|report)/.test(verb);

it.each<[string, (verb: string) => boolean, Work]>([
  ["that a run waits", () => true, (handlers) => handlers.waits(REQUEST, { ahead: 1 })],
  ["a whole run", isWrite, (handlers, { step }) => handlers.resolve(REQUEST, step, noWait, noWait)],
  ["that a run was cancelled", () => true, (handlers) => handlers.cancelled(REQUEST, "ana")],
  ["what a late end left behind", () => true, (handlers) => handlers.sweep(REQUEST)],
])("a process that reports %s keeps nothing over what another one has kept meanwhile", async (_what, counts, work) => {
  const takenOver = async (nth: number) => {
    const kept = await keptAfter(nth, counts, work);
    if (kept) expect(kept).toEqual({ state: NEWER, commit: COMMIT });
    return kept !== undefined;
  };
  expect(await takenOver(1)).toBe(true);
  for (let nth = 2; await takenOver(nth); nth++);
});
