import { describe, expect, it } from "@jest/globals";
import { COMMANDS, type Command, readCommand, VERBS } from "../../../src/data/command.ts";
import { markers } from "../../../src/data/marks.ts";
import { asksForWork, type Delivery, endsWork, type Trigger } from "../../../src/data/run-request.ts";
import { initialState, type RunResult } from "../../../src/data/run-state.ts";
import { createAdmission } from "../../../src/webhooks/admission/admit.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleCandidate } from "../../fakes/sample-candidate.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { samplePlan } from "../../fakes/sample-plan.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { admissionDependencies, commentOf } from "./admitting.ts";
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

/** What comes of a command on an issue whose run works, where the repository's settings have a fault. */
async function given(body: string) {
  const fake = createFakeHost({}, { comments: [commentOf(50, body)] });
  const command = readCommand(body);
  if (!command) throw new Error(`${body} is no command`);
  const delivery = sampleDelivery({ trigger: { kind: "other-command", commentId: 50, command, on: "issue" } });
  const fault = { file: ".github/magis.yml", key: "draft", line: 3, message: "It is neither true nor false." };
  const { queue, ...rest } = admissionDependencies();
  const decision = await createAdmission({
    ...rest,
    openCodeHost: async () => fake.host,
    readSettings: async () => ({ faults: [fault] }),
    queue: { ...queue, unfinished: async () => [sampleRequest()] },
  })(delivery);
  const said = fake.state.comments.filter(({ author }) => author === fake.host.login).map(({ body: text }) => text);
  return { delivery, decision, said: said.join("") };
}

describe("a command where the settings have a fault", () => {
  it.each(VERBS)("starts no work, but still ends work and answers: %s", async (verb) => {
    const { delivery, decision, said } = await given(`/magis ${verb}`);
    const { effect } = COMMANDS[verb];
    expect([asksForWork(delivery), endsWork(delivery)]).toEqual([effect === "starts work", effect === "ends work"]);
    expect(said.includes("my configuration in this repository has faults")).toBe(effect === "starts work");
    expect(decision !== undefined).toBe(effect === "ends work");
    expect(said === "").toBe(effect === "ends work");
  });

  it("answers an unknown command and reports no fault in the settings", async () => {
    const { delivery, said } = await given("/magis reslove");
    expect([asksForWork(delivery), endsWork(delivery)]).toEqual([false, false]);
    expect(said).toContain("my configuration in this repository has faults");
  });
});

const ASKED: RunResult = { kind: "asked", questions: ["Up or down?"], reason: "Both are said." };

describe("a run that has asked something", () => {
  it("takes an answer from the issue's author or anybody who may write", async () => {
    const { take, reactions, state } = await takingCommands({ result: ASKED, permission: "read" });
    const by = { actor: state.issue.author };
    expect(await take(comment("Up."), by)).toEqual({
      start: expect.objectContaining({
        id: "ana/shop#7@delivery-2",
        root: ROOT,
        work: { kind: "resolve", gate: "none" },
      }),
    });
    expect(reactions).toEqual(["eyes on comment 51"]);
    // It stays the run, and the cost, of whoever asked for it.
    expect(await take(comment("Up."), by)).toMatchObject({ start: { actor: sampleRequest().actor } });
    expect(await take(comment("Down."), { actor: "mallory" })).toBeUndefined();
    expect(await take(comment("Up."), { ...by, actorIsBot: true })).toBeUndefined();
    const maintainer = await takingCommands({ result: ASKED });
    expect(await maintainer.take(comment("Up."))).toMatchObject({ start: { root: ROOT } });
    const running = sampleRequest({ id: "ana/shop#7@delivery-9" });
    const busy = await takingCommands({ result: ASKED, unfinished: [running] });
    expect(await busy.take(comment("Up."))).toBeUndefined();
  });
});

const EXPLAIN = { verb: "explain" } as const;

const whyPart = (path: string) => ({
  judged: [sampleCandidate(path, { reason: "It rounds." })],
});

describe("/magis explain", () => {
  it("explains the latest run once, from its root's record", async () => {
    const request = sampleRequest({ id: "ana/shop#7@later" });
    const { store, decision, answers, reactions } = await takingCommands({ request, result: PUBLISHED });
    await (await store.openWriter(request.root)).saveRecord("candidates", whyPart("a.js"));
    for (let times = 0; times < 2; times++) expect(await decision(EXPLAIN)).toBeUndefined();
    expect(answers()).toEqual([expect.stringMatching(/<summary>a\.js[^<]*<\/summary>\n\n- Why: It rounds\./)]);
    expect(answers()[0]?.startsWith(markers.command(50))).toBe(true);
    expect(answers()[0]).toContain("Pull request #9 opened.");
    expect(reactions).toContain("eyes on comment 50");
  });

  it("says that a working run is not over", async () => {
    const request = sampleRequest();
    const { decision, answers } = await takingCommands({ request, result: PUBLISHED, unfinished: [request] });
    await decision(EXPLAIN);
    expect(answers()[0]).toMatch(/asked for\.\*\* (Working|Not begun)/);
    expect(answers()[0]).not.toContain("#9");
  });

  it("says that no run is kept", async () => {
    const { decision, answers } = await takingCommands({ hasRun: false });
    await decision(EXPLAIN);
    expect(answers()).toEqual([expect.stringContaining("Nothing is kept of any run here")]);
  });

  it("does not answer people without write permission", async () => {
    const { decision, answers, reactions } = await takingCommands({ result: PUBLISHED, permission: "read" });
    expect([await decision(EXPLAIN), answers(), reactions]).toEqual([undefined, [], ["confused on comment 50"]]);
  });

  it("explains, on the pull request, both the issue's run and the pull request's latest", async () => {
    const { store, keep, decision, answers, openPull } = await takingCommands({ result: PUBLISHED });
    const pull = await openPull();
    const { root } = sampleRequest();
    const request = sampleRequest({ id: "r", root: "r", issue: pull, work: { kind: "revise", because: "feedback" } });
    await keep(request);
    await (await store.openWriter(root)).saveRecord("candidates", whyPart("a.js"));
    await (await store.openWriter("r")).saveRecord("candidates", whyPart("b.js"));
    await decision(EXPLAIN, pull);
    expect(answers()[0]).toMatch(/which ana asked for[\s\S]*a\.js[\s\S]*for its open feedback[\s\S]*b\.js/);
  });
});

describe("/magis status", () => {
  it("says how many runs are ahead of a queued one", async () => {
    const request = sampleRequest();
    const { store, decision, answers } = await takingCommands({ request, unfinished: [request] });
    await (await store.openWriter(request.root)).saveState({ ...initialState(), queued: { ahead: 9 } });
    expect(await decision({ verb: "status" })).toBeUndefined();
    expect(answers()[0]).toContain("**Now:** queued behind 3 runs since");
  });
});
