import { describe, expect, it } from "@jest/globals";
import { markers } from "../../../src/data/marks.ts";
import type { Delivery, Trigger } from "../../../src/data/run-request.ts";
import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import type { Settings } from "../../../src/data/settings.ts";
import type { Mergeability } from "../../../src/github/code-host.ts";
import { createAdmission } from "../../../src/webhooks/admission/admit.ts";
import { admitPush, admitUpdate } from "../../../src/webhooks/admission/admit-update.ts";
import type { AdmissionDependencies } from "../../../src/webhooks/admission/dependencies.ts";
import { createPullPoll } from "../../../src/webhooks/admission/poll-pull.ts";
import { createFakeLog } from "../../fakes/create-fake-log.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";

const REPOSITORY = { owner: "acme", name: "shop", installationId: 1 };

const TIP = "f".repeat(40);

const delivery = (issue: number, trigger: Trigger): Delivery => ({
  id: "guid",
  repository: REPOSITORY,
  issue,
  actor: "ana",
  actorIsBot: false,
  at: "2026-11-20T10:00:00Z",
  trigger,
});

/** The bot's open pull request into `main`, and one into `next`. */
async function opened(mergeability: Mergeability = "clean") {
  const shop = await openWorkshop({ files: { "a.txt": "one\n" } });
  const { host, base } = shop.tools;
  const { tree } = await host.readCommit(base.commit);
  const { id } = await host.createCommit("fix: it", tree, [base.commit]);
  const open = async (branch: string, into: string) => {
    await host.createBranch(branch, id);
    return host.openPullRequest({ title: "fix: it", body: "", branch, base: into, draft: true });
  };
  const pull = await open("magis/issue-7-fix", "main");
  await open("magis/issue-8-fix", "next");
  shop.state.mergeability = mergeability;
  return { host, pull };
}

describe("a push", () => {
  it("concerns each open pull request of the bot into that branch", async () => {
    const { host, pull } = await opened();
    expect(await admitPush(delivery(0, { kind: "push", branch: "main", tip: TIP }), host)).toMatchObject({
      deliver: [
        {
          id: `base-${pull.number}-${pull.head}-${TIP}`,
          issue: pull.number,
          subject: 7,
          actor: "ana",
          trigger: { kind: "base", tip: TIP },
        },
      ],
    });
  });

  it("to any other branch concerns nothing", async () => {
    const { host } = await opened();
    expect(await admitPush(delivery(0, { kind: "push", branch: "other", tip: TIP }), host)).toBeUndefined();
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
    const decision = await admitUpdate(delivery(pull.number, { kind: "base", tip: TIP }), host, update);
    expect(decision !== undefined).toBe(starts);
    if (starts) expect(decision).toMatchObject({ start: { issue: pull.number, work: { kind: "update" } } });
  });

  it("starts a run that is shown the maintainers' notes, like every run", async () => {
    const { host, pull } = await opened("conflicting");
    const admit = createAdmission({
      openCodeHost: async () => host,
      readSettings: async () => ({ settings: DEFAULT_SETTINGS }),
      notes: { list: async () => [{ number: 1, text: "Round down.", by: "ben" }] },
      log: createFakeLog().log,
    } as unknown as AdmissionDependencies);
    const instructions = "Remember, from earlier reviews:\n- Round down.";
    expect(await admit(delivery(pull.number, { kind: "base", tip: TIP }))).toMatchObject({
      start: { settings: { instructions } },
    });
  });

  it("starts nothing for a pull request that was closed", async () => {
    const { host, pull } = await opened("conflicting");
    await host.updatePullRequest(pull.number, { state: "closed" });
    const moved = delivery(pull.number, { kind: "base", tip: TIP });
    expect(await admitUpdate(moved, host, "always")).toBeUndefined();
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
    const { deliveries } = await look({ repository: REPOSITORY, number: pull.number });
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
