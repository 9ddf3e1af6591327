import { describe, expect, it } from "@jest/globals";
import type { Delivery } from "../../../src/data/run-request.ts";
import type { Check } from "../../../src/github/code-host.ts";
import { proofBlock, untested } from "../../../src/report/proof.ts";
import { admitChecks } from "../../../src/webhooks/admission/admit.ts";
import { sampleCheck } from "../../fakes/sample-check.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";

const BRANCH = "magis/issue-7-fix";

/** What is admitted when checks of the head of the bot's pull request have ended like that. */
async function admitted(
  checks: readonly Check[],
  { draft = false, head, body = "" }: { draft?: boolean; head?: string; body?: string } = {},
) {
  const { host, base } = (await openWorkshop({ files: { "a.txt": "one\n" } })).tools;
  const { tree } = await host.readCommit(base.commit);
  const { id } = await host.createCommit("fix: it", tree, [base.commit]);
  await host.createBranch(BRANCH, id);
  await host.openPullRequest({ title: "fix: it", body, branch: BRANCH, base: base.branch, draft });
  const delivery: Delivery = {
    id: "guid",
    repository: { owner: "acme", name: "shop", installationId: 1 },
    issue: 7,
    actor: "ci",
    actorIsBot: true,
    at: "2026-11-20T10:00:00Z",
    trigger: { kind: "checks", head: head ?? id, branch: BRANCH },
  };
  const queue = { unfinished: async () => [], unadmitted: async () => [], place: async () => ({ ahead: 0 }) };
  return { id, decision: await admitChecks(delivery, { ...host, checksOf: async () => checks }, queue) };
}

describe("ended checks", () => {
  it("start a run when all have ended and one failed", async () => {
    const { id, decision } = await admitted([sampleCheck("failed"), sampleCheck("neutral", { name: "b" })]);
    expect(decision).toMatchObject({ start: { work: { kind: "repair", head: id }, actor: "ci", delivery: "guid" } });
    const { start } = decision as { start: { id: string; root: string; issue: number } };
    expect(start.id).toBe(`acme/shop#${start.issue}@guid`);
    expect(start.root).toBe(start.id);
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
