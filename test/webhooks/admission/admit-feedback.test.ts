import { describe, expect, it } from "@jest/globals";
import type { Delivery } from "../../../src/data/run-request.ts";
import { admitFeedback } from "../../../src/webhooks/admission/admit.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
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
