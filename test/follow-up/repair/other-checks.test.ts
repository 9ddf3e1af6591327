import { describe, expect, it } from "@jest/globals";
import { markers } from "../../../src/data/marks.ts";
import type { Check } from "../../../src/github/code-host.ts";
import { markReady } from "../../../src/publish/follow-up.ts";
import type { HostState } from "../../fakes/host-state.ts";
import { sampleSettings } from "../../fakes/sample-settings.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";
import { check, nextOnMain, repairing } from "./repairing.ts";

const JOB = { app: "github-actions", workflow: ".github/workflows/ci.yml" } as const;

const job = (state: Check["state"]) => check(state, JOB);

/** A commit status with the job's name, which anybody may set who may push. */
const other = (state: Check["state"]): Check => ({
  name: "test",
  state,
  byApp: false,
  summary: "Set by a stranger.",
  url: "u",
});

describe("a commit status with the name of a job", () => {
  it("is not repaired, and nor is the job, which passed", async () => {
    const shop = await repairing("test/sum.test.js");
    shop.state.checks.set(shop.base, [job("passed")]);
    shop.state.checks.set(shop.head, [job("passed"), other("failed")]);
    await shop.run();
    expect(shop.asked()).toEqual([]);
    expect(shop.tip()).toBe(shop.head);
    expect(shop.said().at(-1)).toContain("it cannot be told whose it is");
  });

  it("is not shown to the agents", async () => {
    const shop = await repairing("test/sum.test.js");
    shop.state.checks.set(shop.base, [job("passed")]);
    shop.state.checks.set(shop.head, [other("failed"), job("failed")]);
    expect(await shop.run()).toMatchObject({ kind: "published" });
    expect(
      shop
        .of("k01-plan-repair")
        .map(({ text }) => text)
        .join(""),
    ).not.toContain("stranger");
    expect(shop.said().at(-1)).toContain("- test (.github/workflows/ci.yml)");
  });

  it.each<[string, (state: HostState, shop: { base: string; head: string }) => void]>([
    ["red on the base", ({ checks }, { base }) => checks.set(base, [job("passed"), other("failed")])],
    ["red on main since", (state, { base }) => state.checks.set(nextOnMain(state, base), [other("failed")])],
  ])("does not excuse the job by being %s", async (_how, happens) => {
    const shop = await repairing("test/sum.test.js");
    shop.state.checks.set(shop.base, [job("passed")]);
    shop.state.checks.set(shop.head, [job("failed")]);
    happens(shop.state, shop);
    expect(await shop.run()).toMatchObject({ kind: "published" });
  });

  it("does not end the repair by passing meanwhile", async () => {
    const shop = await repairing("test/sum.test.js", {
      onPlan: ({ checks }, head) => checks.set(head, [job("failed"), other("passed")]),
    });
    shop.state.checks.set(shop.base, [job("passed")]);
    shop.state.checks.set(shop.head, [job("failed")]);
    expect(await shop.run()).toMatchObject({ kind: "published" });
  });

  it("does not end the draft by passing before the job has run again", async () => {
    const shop = await repairing("test/sum.test.js");
    shop.state.checks.set(shop.base, [job("passed")]);
    shop.state.checks.set(shop.head, [job("failed")]);
    await shop.run();
    const [pull] = shop.state.pullRequests;
    if (pull) shop.state.pullRequests[0] = { ...pull, head: shop.tip(), draft: true };
    shop.state.checks.set(shop.tip(), [other("passed")]);
    await shop.runOn(shop.tip());
    expect(shop.state.pullRequests[0]?.draft).toBe(true);
    shop.state.checks.set(shop.tip(), [other("passed"), job("passed")]);
    await shop.runOn(shop.tip());
    expect(shop.state.pullRequests[0]?.draft).toBe(false);
  });
});

const GREEN: Check = { name: "test", state: "passed", byApp: false, summary: "", url: "" };

async function opened() {
  const shop = await openWorkshop({ files: { "a.txt": "one\n" } });
  const { host, base } = shop.tools;
  const { tree } = await host.readCommit(base.commit);
  const { id } = await host.createCommit("fix: it", tree, [base.commit]);
  await host.createBranch("magis/issue-7-fix", id);
  const wanted = { title: "fix: it", body: "Words.", branch: "magis/issue-7-fix", base: base.branch, draft: true };
  const { number } = await host.openPullRequest(wanted);
  const mark = async (checks: readonly Check[], draft = true) =>
    markReady(await host.readPullRequest(number), checks, { ...shop.tools, settings: sampleSettings({ draft }) });
  return { host, number, id, mark };
}

describe("the bot's draft", () => {
  it("is marked ready once, when its checks are green", async () => {
    const { host, number, mark } = await opened();
    expect(await mark([GREEN])).toBe(true);
    expect(await host.readPullRequest(number)).toMatchObject({ draft: false, body: `Words.\n\n${markers.ready}\n` });
    expect(await mark([GREEN])).toBe(false);
  });

  it.each<[string, readonly Check[], boolean]>([
    ["there is no check", [], true],
    ["there is only the app's own check", [{ ...GREEN, byApp: true }], true],
    ["a check is still running", [GREEN, { ...GREEN, name: "b", state: "pending" }], true],
    ["a check was cancelled", [GREEN, { ...GREEN, name: "b", state: "neutral", stopped: true }], true],
    ["the settings ask for no drafts", [GREEN], false],
  ])("stays a draft when %s", async (_why, checks, draft) => {
    const { host, number, mark } = await opened();
    expect(await mark(checks, draft)).toBe(false);
    expect((await host.readPullRequest(number)).draft).toBe(true);
  });

  it("stays a draft while a QA thread is open", async () => {
    const { host, number, id, mark } = await opened();
    await host.createFileComment(number, id, "a.txt", "A QA Engineer has something to say.");
    expect(await mark([GREEN])).toBe(false);
    const [thread] = await host.listThreads(number);
    if (thread) await host.resolveThread(thread);
    expect(await mark([GREEN])).toBe(true);
  });
});
