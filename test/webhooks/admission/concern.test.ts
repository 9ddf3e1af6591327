import { describe, expect, it } from "@jest/globals";
import type { Trigger } from "../../../src/data/run-request.ts";
import { createConcern } from "../../../src/webhooks/admission/admit.ts";
import { createFakeStore } from "../../fakes/create-fake-store.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";

const onIssue: Trigger = { kind: "comment", commentId: 51, body: "I see this, too.", on: "issue" };

describe("createConcern", () => {
  it.each<[string, Trigger, issue: number, concerns: boolean]>([
    ["a comment on an issue that the bot worked on", onIssue, 7, true],
    ["a comment on another issue", onIssue, 8, false],
    ["a comment on a pull request", { ...onIssue, on: "pull request" }, 8, true],
    ["a command", { kind: "command", commentId: 51, hint: "" }, 8, true],
    ["a label", { kind: "label", label: "magis" }, 8, true],
  ])("says whether %s may lead to anything", async (_, trigger, issue, concerns) => {
    const { store, keep } = createFakeStore();
    await keep(sampleRequest());
    expect(await createConcern(store)(sampleDelivery({ issue, trigger }))).toBe(concerns);
  });
});
