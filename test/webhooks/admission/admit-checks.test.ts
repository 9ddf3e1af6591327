import { describe, expect, it } from "@jest/globals";
import type { Check } from "../../../src/github/code-host.ts";
import { proofBlock, untested } from "../../../src/report/proof.ts";
import { admitChecks } from "../../../src/webhooks/admission/admit.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleCheck } from "../../fakes/sample-check.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { admissionDependencies, openOwnPull } from "./admitting.ts";

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
