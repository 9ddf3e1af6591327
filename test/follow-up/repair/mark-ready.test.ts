import { describe, expect, it } from "@jest/globals";
import { markers } from "../../../src/data/marks.ts";
import type { Check } from "../../../src/github/code-host.ts";
import { markReady } from "../../../src/publish/follow-up.ts";
import { sampleSettings } from "../../fakes/sample-settings.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";

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
