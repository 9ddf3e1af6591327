import { describe, expect, it } from "@jest/globals";
import type { Command } from "../../../src/data/command.ts";
import { markers } from "../../../src/data/marks.ts";
import type { Delivery, Trigger } from "../../../src/data/run-request.ts";
import type { RunResult } from "../../../src/data/run-state.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { samplePlan } from "../../fakes/sample-plan.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { commentOf } from "./admitting.ts";
import { takingCommands } from "./taking-commands.ts";

const ROOT = sampleRequest().root;
const AWAITING: RunResult = { kind: "awaiting-approval", plan: samplePlan() };
const FAILED: RunResult = { kind: "failed", code: "GIT_TIMEOUT", message: "Git took too long." };
const CANCELLED: RunResult = { kind: "cancelled", by: "ana", undone: [] };
const GAVE_UP: RunResult = { kind: "gave-up", reason: "No line fits." };
const PUBLISHED: RunResult = { kind: "published", pullRequest: { number: 9, url: "u" }, openThreads: 0 };
const BUDGET: RunResult = {
  kind: "budget-reached",
  limit: "money",
  phase: "code",
  patch: "",
  finished: [],
  unfinished: [],
};
const comment = (body: string) => ({ kind: "comment", commentId: 51, body, on: "issue" }) as const;

describe("who gives a command", () => {
  it("gets a reaction and nothing else without permission", async () => {
    const { decision, reactions, answers } = await takingCommands({ result: FAILED, permission: "read" });
    expect([await decision({ verb: "retry" }), reactions, answers()]).toEqual([
      undefined,
      ["confused on comment 50"],
      [],
    ]);
  });

  it("must not be a bot or the app", async () => {
    const { take, reactions } = await takingCommands({ result: AWAITING });
    for (const actor of ["renovate[bot]", "magis[bot]"])
      expect(await take(comment("more"), { actor, actorIsBot: true })).toBeUndefined();
    expect(reactions).toEqual([]);
  });

  it("must not have taken it back meanwhile", async () => {
    const { decision, state, answers } = await takingCommands({ result: FAILED });
    state.comments.push(commentOf(50, "never mind"));
    expect([await decision({ verb: "retry" }), answers()]).toEqual([undefined, []]);
  });
});

describe("the decision on a command", () => {
  it.each<[string, RunResult, Command, object]>([
    ["approve", AWAITING, { verb: "approve", hint: "" }, { work: { kind: "resolve", gate: "none" } }],
    [
      "approve with words",
      AWAITING,
      { verb: "approve", hint: "b too" },
      { work: { kind: "resolve", gate: "plan" }, hint: "b too" },
    ],
    [
      "plan with words",
      AWAITING,
      { verb: "plan", hint: "b too" },
      { work: { kind: "resolve", gate: "plan" }, hint: "b too" },
    ],
    ["retry after a failure", FAILED, { verb: "retry" }, { grants: [] }],
    ["retry after a cancel", CANCELLED, { verb: "retry" }, { grants: [] }],
    ["retry after giving up", GAVE_UP, { verb: "retry" }, { gaveUp: expect.stringContaining("No line fits.") }],
    ["continue", BUDGET, { verb: "continue" }, { grants: [{ by: "ben", money: 5 }] }],
    ["continue with an amount", BUDGET, { verb: "continue", amount: 1.5 }, { grants: [{ by: "ben", money: 1.5 }] }],
  ])("%s goes on with the run", async (_, result, command, changes) => {
    const { decision, reactions, answers } = await takingCommands({ result });
    expect(await decision(command)).toEqual({
      start: expect.objectContaining({ id: "ana/shop#7@delivery-2", root: ROOT, issue: 7, actor: "ben", ...changes }),
    });
    expect([reactions, answers()]).toEqual([["eyes on comment 50"], []]);
  });

  it.each([
    ["+999999 gets what is left of twice the budget", 999_999, 0, 10],
    ["an amount that fits is granted whole", 10, 0, 10],
    ["what had been added counts", 4, 8, 2],
    ["the default is bounded too", undefined, 8, 2],
  ])("continue: %s", async (_, amount, before, granted) => {
    const { decision, answers } = await takingCommands({
      result: BUDGET,
      request: sampleRequest({ grants: [{ by: "ana", money: before }] }),
    });
    const wanted = amount ?? 5;
    expect(await decision({ verb: "continue", amount })).toMatchObject({
      start: {
        grants: [
          { by: "ana", money: before },
          { by: "ben", money: granted },
        ],
      },
    });
    const said = granted < wanted ? [expect.stringContaining(`$${granted.toFixed(2)} were added: `)] : [];
    expect(answers()).toEqual(said);
  });

  it.each([10, 10.00001, 5_000])(
    "continue adds nothing to a run that has had $%d already, and says why",
    async (money) => {
      const request = sampleRequest({ grants: [{ by: "ana", money }] });
      const { decision, answers } = await takingCommands({ result: BUDGET, request });
      expect(await decision({ verb: "continue", amount: 1 })).toBeUndefined();
      expect(answers()).toEqual([expect.stringMatching(/Nothing was added, .*MAGIS_BUDGET_MONEY/)]);
    },
  );

  it("a comment changes a waiting plan, and is ignored otherwise", async () => {
    const waiting = await takingCommands({ result: AWAITING });
    expect(await waiting.take(comment("b too"))).toMatchObject({
      start: { root: ROOT, work: { gate: "plan" }, hint: "b too" },
    });
    const other = await takingCommands({ result: PUBLISHED });
    expect([await other.take(comment("b too")), other.reactions, other.answers()]).toEqual([undefined, [], []]);
  });

  it("`plan` begins anew when nothing waits", async () => {
    const { decision } = await takingCommands({ hasRun: false });
    expect(await decision({ verb: "plan", hint: "carefully" })).toMatchObject({
      start: { id: "ana/shop#7@delivery-2", root: "ana/shop#7@delivery-2", work: { gate: "plan" }, hint: "carefully" },
    });
  });

  it.each<[string, RunResult | undefined, Command, string]>([
    ["approve", FAILED, { verb: "approve", hint: "" }, "`/magis retry`"],
    ["retry", PUBLISHED, { verb: "retry" }, "`/magis status`"],
    ["continue", AWAITING, { verb: "continue" }, "`/magis approve`"],
    ["cancel", GAVE_UP, { verb: "cancel" }, "`/magis retry`"],
    ["plan without words", AWAITING, { verb: "plan", hint: "" }, "`/magis approve`"],
    ["help", BUDGET, { verb: "help" }, "`/magis continue [+amount]`"],
    [
      "a typo",
      undefined,
      { verb: "unknown", text: "reslove", nearest: "resolve" },
      "`/magis resolve [options] [hint]`",
    ],
  ])("%s with nothing to do is answered once, with the commands that work", async (_, result, command, named) => {
    const { decision, answers } = await takingCommands({ result, hasRun: result !== undefined });
    expect(await decision(command)).toBeUndefined();
    expect(await decision(command)).toBeUndefined();
    expect(answers()).toEqual([expect.stringContaining(`- ${named}`)]);
    expect(answers()[0]?.startsWith(markers.command(50))).toBe(true);
  });

  it("starts nothing, by command or label, beside an unfinished run, which can be cancelled", async () => {
    const running = sampleRequest({ id: "ana/shop#7@delivery-9" });
    for (const [result, command] of [
      [FAILED, { verb: "retry" }],
      [AWAITING, { verb: "approve", hint: "" }],
      [BUDGET, { verb: "continue" }],
    ] as const) {
      const { decision, answers } = await takingCommands({ result, unfinished: [running] });
      expect(await decision(command)).toBeUndefined();
      expect(answers()[0]).toContain("- `/magis cancel`");
    }
    const { decision, take } = await takingCommands({ unfinished: [running] });
    const cancel = { cancel: { repository: running.repository, issue: 7, by: "ben" } };
    expect(await decision({ verb: "cancel" })).toEqual(cancel);
    expect(await take({ kind: "unlabel", label: "magis" })).toEqual(cancel);
  });

  const asking = (trigger: Trigger, changes: Partial<Delivery> = {}) =>
    sampleDelivery({ id: "delivery-1", trigger, at: "2026-01-02T00:00:00Z", ...changes });
  const resolveIt = { kind: "command", commentId: 1, hint: "the second line" } as const;
  const planIt: Trigger = {
    kind: "other-command",
    commentId: 1,
    on: "issue",
    command: { verb: "plan", hint: "with care" },
  };
  const retryIt: Trigger = { kind: "other-command", commentId: 1, on: "issue", command: { verb: "retry" } };

  it.each<[string, Delivery, object | undefined]>([
    ["a command", asking(resolveIt), { work: { kind: "resolve", gate: "none" }, trigger: resolveIt }],
    ["the label", asking({ kind: "label", label: "Magis" }), { work: { kind: "resolve", gate: "none" } }],
    ["a plan", asking(planIt), { work: { kind: "resolve", gate: "plan" }, hint: "with care" }],
    ["another label", asking({ kind: "label", label: "bug" }), undefined],
    ["a retry", asking(retryIt), undefined],
    ["a review of the pull request", asking({ kind: "review" }, { issue: 9, subject: 7 }), undefined],
  ])("cancel calls off %s that is not yet admitted", async (_, earlier, kept) => {
    for (const hasRun of [false, true]) {
      const result = hasRun && { result: PUBLISHED };
      const { decision, answers } = await takingCommands({ hasRun, ...result, unadmitted: [earlier] });
      const request = { id: "ana/shop#7@delivery-1", root: "ana/shop#7@delivery-1", ...kept };
      const calledOff = kept && { calledOff: [expect.objectContaining(request)] };
      const { repository } = earlier;
      expect(await decision({ verb: "cancel" })).toEqual({ cancel: { repository, issue: 7, by: "ben", ...calledOff } });
      expect(answers()).toEqual(
        kept ? [] : [expect.stringContaining("Cancelled: what was asked for here had not started yet.")],
      );
    }
  });

  it("cancelling drops requests by people without permission and those that would displace a plan", async () => {
    const stranger = await takingCommands({ hasRun: false, unadmitted: [asking(resolveIt, { actor: "eve" })] });
    stranger.forbid("eve");
    expect(await stranger.decision({ verb: "cancel" })).toEqual({
      cancel: { repository: sampleRequest().repository, issue: 7, by: "ben" },
    });
    const waiting = await takingCommands({ result: AWAITING, unadmitted: [asking(planIt)] });
    expect(await waiting.decision({ verb: "cancel" })).not.toMatchObject({ cancel: { calledOff: expect.anything() } });
  });

  it("taking the label off once more ends work only when it is off now", async () => {
    const running = sampleRequest({ id: "ana/shop#7@delivery-9" });
    const { take, state } = await takingCommands({ unfinished: [running] });
    const decision = () => take({ kind: "unlabel", label: "magis" }, { again: true });
    state.issue = { ...state.issue, labels: ["Magis"] };
    expect(await decision()).toBeUndefined();
    state.issue = { ...state.issue, labels: [] };
    expect(await decision()).toMatchObject({ cancel: { issue: 7 } });
  });

  it("taking the label off says nothing when nothing runs", async () => {
    const { take, answers, reactions } = await takingCommands({ result: PUBLISHED });
    expect([await take({ kind: "unlabel", label: "magis" }), answers(), reactions]).toEqual([undefined, [], []]);
  });
});

describe("a command on the bot's pull request", () => {
  async function onPull(options: Parameters<typeof takingCommands>[0]) {
    const taking = await takingCommands(options);
    return { ...taking, pull: await taking.openPull() };
  }

  it.each<Command>([{ verb: "resolve", hint: "" }, { verb: "retry" }])("%j revises it", async (command) => {
    const { decision, pull } = await onPull({ result: PUBLISHED });
    const id = `ana/shop#${pull}@delivery-2`;
    expect(await decision(command, pull)).toMatchObject({
      start: { id, root: id, issue: pull, work: { kind: "revise", because: "command" } },
    });
  });

  it("cancel ends the issue's run and those of the pull request", async () => {
    const { decision, pull } = await onPull({ result: PUBLISHED, unfinished: [sampleRequest({ id: "other" })] });
    expect(await decision({ verb: "cancel" }, pull)).toMatchObject({ cancel: { issue: 7, also: [pull] } });
  });

  it("continue goes on with what was asked about, when both runs ended at their budgets", async () => {
    const { decision, pull, keep, store } = await onPull({ result: BUDGET });
    const work = { kind: "revise", because: "feedback" } as const;
    const request = sampleRequest({ id: "r", root: "r", issue: pull, work });
    await keep(request);
    const state = await store.state(ROOT);
    if (state) await (await store.openWriter("r")).saveState({ ...state, result: BUDGET });
    expect(await decision({ verb: "continue" }, pull)).toMatchObject({ start: { root: "r", issue: pull, work } });
    expect(await decision({ verb: "continue" })).toMatchObject({ start: { root: ROOT, issue: 7 } });
  });

  it.each<Command>([
    { verb: "plan", hint: "" },
    { verb: "approve", hint: "" },
  ])("%j is for the issue", async (command) => {
    const { decision, pull, answers } = await onPull({ result: PUBLISHED });
    expect(await decision(command, pull)).toBeUndefined();
    expect(answers()).toEqual([
      expect.stringContaining("- `/magis resolve [options] [hint]`: answer all open feedback"),
    ]);
  });

  it("does nothing once it is closed, or on another bot's", async () => {
    const { decision, pull, host, state, answers, reactions } = await onPull({ result: PUBLISHED });
    const [own] = state.pullRequests;
    if (own) state.pullRequests.push({ ...own, number: 99, byApp: false });
    await host.updatePullRequest(pull, { state: "closed" });
    for (const number of [pull, 99]) expect(await decision({ verb: "retry" }, number)).toBeUndefined();
    expect([answers(), reactions]).toEqual([[], []]);
  });
});
