import { describe, expect, it } from "@jest/globals";
import { markers } from "../../../src/data/marks.ts";
import type { Settings } from "../../../src/data/settings.ts";
import type { Mergeability } from "../../../src/github/code-host.ts";
import { createAdmission } from "../../../src/webhooks/admission/admit.ts";
import { admitPush, admitUpdate } from "../../../src/webhooks/admission/admit-update.ts";
import { createPullPoll } from "../../../src/webhooks/admission/poll-pull.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { admissionDependencies, openOwnPull } from "./admitting.ts";

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
