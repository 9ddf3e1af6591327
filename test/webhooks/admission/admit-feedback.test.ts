import { describe, expect, it } from "@jest/globals";
import type { Delivery } from "../../../src/data/run-request.ts";
import { admitFeedback } from "../../../src/webhooks/admission/admit.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { createFakeLog } from "../../fakes/create-fake-log.ts";

const COMMENT = { kind: "comment", commentId: 5, body: "Why?", on: "pull request" } as const;

/** A pull request of the app, and a delivery about it. */
async function admitting(delivery: Partial<Delivery> = {}, pull: object = {}) {
  const fake = createFakeHost({ "a.txt": "a\n" });
  fake.state.pullRequests.push({
    number: 9,
    url: "u",
    title: "",
    body: "",
    open: true,
    merged: false,
    createdAt: "2026-01-01T00:00:00Z",
    draft: false,
    branch: "magis/issue-7-x",
    head: fake.base.commit,
    base: "main",
    author: "magis[bot]",
    byApp: true,
    ...pull,
  });
  const host = { ...fake.host, permissionOf: async (login: string) => (login === "ana" ? "write" : "triage") } as const;
  const { log } = createFakeLog();
  const decision = await admitFeedback(
    {
      id: "guid",
      repository: { owner: "ana", name: "shop", installationId: 1 },
      issue: 9,
      actor: "ana",
      actorIsBot: false,
      trigger: { kind: "review" },
      at: "2026-01-01T00:00:00Z",
      ...delivery,
    },
    host,
    { allowedBots: [], log },
  );
  return { ...fake, decision };
}

describe("admitFeedback", () => {
  it("starts a revision with a budget of its own", async () => {
    const { decision, faults } = await admitting();
    const id = "ana/shop#9@guid";
    expect(decision).toMatchObject({
      start: { id, root: id, issue: 9, work: { kind: "revise", because: "feedback" }, actor: "ana" },
    });
    expect(faults.count("react")).toBe(0);
  });

  it("acknowledges a comment with eyes", async () => {
    const { decision, faults } = await admitting({ trigger: COMMENT });
    expect(decision).toBeDefined();
    expect(faults.count("react")).toBe(1);
  });

  it.each([
    ["somebody who may not write", { actor: "tom" }, {}],
    ["a bot", { actor: "other[bot]", actorIsBot: true }, {}],
    ["the app itself", { actor: "magis[bot]", actorIsBot: true }, {}],
    ["a person, on a closed pull request", {}, { open: false }],
    ["a person, on somebody else's pull request", {}, { byApp: false }],
    ["a person, on a pull request that is gone", { issue: 10 }, {}],
  ])("starts nothing and says nothing for %s", async (_who, delivery, pull) => {
    const { decision, faults, state } = await admitting({ trigger: COMMENT, ...delivery }, pull);
    expect(decision).toBeUndefined();
    expect(faults.count("react")).toBe(0);
    expect(state.comments).toEqual([]);
  });
});
