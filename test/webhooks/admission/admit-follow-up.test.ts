import { describe, expect, it } from "@jest/globals";
import { markers } from "../../../src/data/marks.ts";
import type { Delivery } from "../../../src/data/run-request.ts";
import type { Settings } from "../../../src/data/settings.ts";
import type { Check, Mergeability } from "../../../src/github/code-host.ts";
import { proofBlock, untested } from "../../../src/report/proof.ts";
import { admitChecks, admitFeedback, createAdmission } from "../../../src/webhooks/admission/admit.ts";
import { admitPush, admitUpdate } from "../../../src/webhooks/admission/admit-update.ts";
import { createPullPoll } from "../../../src/webhooks/admission/poll-pull.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleCheck } from "../../fakes/sample-check.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { admissionDependencies, openOwnPull } from "./admitting.ts";

const COMMENT = { kind: "comment", commentId: 5, body: "Why?", on: "pull request" } as const;

/** A pull request of the app, and a delivery about it. */
async function admitting(delivery: Partial<Delivery> = {}, pull: object = {}) {
  const { host, state } = createFakeHost({});
  const opened = await openOwnPull(host);
  state.pullRequests.splice(0, 1, { ...opened, ...pull });
  state.permission = delivery.actor === "tom" ? "triage" : "write";
  const said = sampleDelivery({ issue: opened.number, trigger: { kind: "review" }, ...delivery });
  return { state, decision: await admitFeedback(said, host, admissionDependencies()) };
}

describe("admitFeedback", () => {
  it("starts a revision with a budget of its own", async () => {
    const { decision, state } = await admitting();
    const id = "ana/shop#101@delivery-2";
    expect(decision).toMatchObject({
      start: { id, root: id, issue: 101, work: { kind: "revise", because: "feedback" }, actor: "ben" },
    });
    expect(state.reactions).toEqual([]);
  });

  it("acknowledges a comment with eyes", async () => {
    const { decision, state } = await admitting({ trigger: COMMENT });
    expect(decision).toBeDefined();
    expect(state.reactions).toEqual(["eyes on comment 5"]);
  });

  it.each([
    ["somebody who may not write", { actor: "tom" }, {}],
    ["a bot", { actor: "other[bot]", actorIsBot: true }, {}],
    ["the app itself", { actor: "magis[bot]", actorIsBot: true }, {}],
    ["a person, on a closed pull request", {}, { open: false }],
    ["a person, on somebody else's pull request", {}, { byApp: false }],
    ["a person, on a pull request that is gone", { issue: 10 }, {}],
  ])("starts nothing and says nothing for %s", async (_who, delivery, pull) => {
    const { decision, state } = await admitting({ trigger: COMMENT, ...delivery }, pull);
    expect(decision).toBeUndefined();
    expect([state.reactions, state.comments]).toEqual([[], []]);
  });
});

/** What is admitted when checks of the head of the bot's pull request have ended like that. */
async function admitted(
  checks: readonly Check[],
  { head, ...pull }: { draft?: boolean; head?: string; body?: string } = {},
) {
  const { host, state } = createFakeHost({});
  const { head: id, branch } = await openOwnPull(host, pull);
  state.checks.set(id, [...checks]);
  const trigger = { kind: "checks", head: head ?? id, branch } as const;
  const delivery = sampleDelivery({ actor: "ci", actorIsBot: true, trigger });
  return { id, decision: await admitChecks(delivery, host, admissionDependencies().queue) };
}

describe("ended checks", () => {
  it("start a run when all have ended and one failed", async () => {
    const { id, decision } = await admitted([sampleCheck("failed"), sampleCheck("neutral", { name: "b" })]);
    const run = "ana/shop#101@delivery-2";
    const start = { id: run, root: run, work: { kind: "repair", head: id }, actor: "ci", delivery: "delivery-2" };
    expect(decision).toMatchObject({ start });
  });

  it("start a run when they are green and the text says that nothing ran", async () => {
    const body = proofBlock({ unproved: untested.noChecks, keep: false });
    expect((await admitted([sampleCheck("passed")], { body })).decision).toBeDefined();
    expect((await admitted([sampleCheck("passed")])).decision).toBeUndefined();
  });

  it("start a run when a draft is green", async () => {
    expect((await admitted([sampleCheck("passed")], { draft: true })).decision).toBeDefined();
    expect((await admitted([sampleCheck("passed")])).decision).toBeUndefined();
  });

  it.each<[string, readonly Check[]]>([
    ["there is none", []],
    ["one goes on", [sampleCheck("failed"), sampleCheck("pending", { name: "b" })]],
    ["only the app's own failed", [sampleCheck("failed", { byApp: true })]],
  ])("start nothing while %s", async (_what, checks) => {
    expect((await admitted(checks, { draft: true })).decision).toBeUndefined();
  });

  it("start nothing for a commit that is no longer the head", async () => {
    expect((await admitted([sampleCheck("failed")], { head: "0".repeat(40) })).decision).toBeUndefined();
  });
});

const TIP = "f".repeat(40);

const pushed = (branch: string) => sampleDelivery({ issue: 0, trigger: { kind: "push", branch, tip: TIP } });
const moved = (issue: number) => sampleDelivery({ issue, trigger: { kind: "base", tip: TIP } });

/** The bot's open pull request into `main`, and one into `next`. */
async function opened(mergeability: Mergeability = "clean") {
  const { host, state } = createFakeHost({});
  const pull = await openOwnPull(host, { draft: true });
  await openOwnPull(host, { branch: "magis/issue-8-fix", base: "next", draft: true });
  state.mergeability = mergeability;
  return { host, pull };
}

describe("a push", () => {
  it("concerns each open pull request of the bot into that branch", async () => {
    const { host, pull } = await opened();
    expect(await admitPush(pushed("main"), host)).toMatchObject({
      deliver: [
        {
          id: `base-${pull.number}-${pull.head}-${TIP}`,
          issue: pull.number,
          subject: 7,
          actor: "ben",
          trigger: { kind: "base", tip: TIP },
        },
      ],
    });
  });

  it("to any other branch concerns nothing", async () => {
    const { host } = await opened();
    expect(await admitPush(pushed("other"), host)).toBeUndefined();
  });
});

describe("a base that has moved on", () => {
  it.each<[Settings["update"], Mergeability, boolean]>([
    ["conflicts", "conflicting", true],
    ["conflicts", "behind", true],
    ["conflicts", "clean", false],
    ["conflicts", "unknown", false],
    ["always", "clean", true],
    ["never", "conflicting", false],
  ])("with update: %s, while the host says %s, starts a run: %s", async (update, mergeability, starts) => {
    const { host, pull } = await opened(mergeability);
    const decision = await admitUpdate(moved(pull.number), host, update);
    expect(decision !== undefined).toBe(starts);
    if (starts) expect(decision).toMatchObject({ start: { issue: pull.number, work: { kind: "update" } } });
  });

  it("starts a run that is shown the maintainers' notes, like every run", async () => {
    const { host, pull } = await opened("conflicting");
    const notes = { list: async () => [{ number: 1, text: "Round down.", by: "ben" }] } as never;
    const admit = createAdmission(admissionDependencies({ openCodeHost: async () => host, notes }));
    const instructions = "Remember, from earlier reviews:\n- Round down.";
    expect(await admit(moved(pull.number))).toMatchObject({ start: { settings: { instructions } } });
  });

  it("starts nothing for a pull request that was closed", async () => {
    const { host, pull } = await opened("conflicting");
    await host.updatePullRequest(pull.number, { state: "closed" });
    expect(await admitUpdate(moved(pull.number), host, "always")).toBeUndefined();
  });

  it.each<[Mergeability, string, number]>([
    ["conflicting", "", 1],
    ["behind", "", 1],
    ["unknown", "", 0],
    ["conflicting", markers.proving, 0],
  ])("is found by the look at the pull request: %s %s", async (mergeability, body, found) => {
    const { host, pull } = await opened(mergeability);
    await host.updatePullRequest(pull.number, { body });
    const look = createPullPoll(async () => host);
    const { deliveries } = await look({ repository: sampleDelivery().repository, number: pull.number });
    const tip = await host.branchTip("main");
    expect(deliveries).toHaveLength(found);
    if (found > 0)
      expect(deliveries[0]).toMatchObject({
        id: `look-${pull.number}-${pull.head}-base-${tip}`,
        subject: 7,
        trigger: { kind: "base", tip },
      });
  });
});
