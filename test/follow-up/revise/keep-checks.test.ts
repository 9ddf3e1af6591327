import { describe, expect, it } from "@jest/globals";
import { ROOT } from "../own-pull.ts";
import { revising } from "./revising.ts";

const PATH = "sum.test.js";
const TEST = ['it("adds", () => {', "  expect(sum(1, 2)).toBe(3);", "});", ""].join("\n");
const SKIPPED = TEST.replace("it(", "it.skip(");

/** A Developer that skips the test of the base branch; `own`: the pull request brought it, and it came to `verdict`. */
async function skipping({ own = false, verdict }: { own?: boolean; verdict?: "right-red" | "not-red" } = {}) {
  const change = {
    edits: [{ start: 1, end: 1, anchor: "", text: 'it.skip("adds", () => {' }],
    summary: "It is skipped.",
    replies: [{ comment: "th1", reply: "Done." }],
    qaEngineer: { title: "QA Engineer", description: "Looks." },
  };
  const files: Record<string, string> = own ? {} : { [PATH]: TEST };
  const first: Record<string, string> = own ? { [PATH]: TEST } : { "a.txt": "A\n" };
  const shop = await revising(
    { "p09-change-file": change },
    {},
    { settings: { profile: "lean", allowedBots: ["linter"] }, files, first },
  );
  if (verdict) {
    const asked = [{ path: PATH, within: [], name: "adds" }];
    const red = { commit: shop.head, stage: "red", verdict, checks: [], tests: [], asked };
    await (await shop.store.openWriter(ROOT)).saveRecord("proof", { pushes: [red] });
  }
  const shown = () => shop.state.threads.filter(({ comments }) => comments[0]?.body.includes("<!-- magis:shown "));
  return { ...shop, shown };
}

describe("a revision that edits a test", () => {
  it("is shown to the maintainer in a thread that the bot never resolves, without being sent back", async () => {
    const shop = await skipping();
    shop.thread(PATH, "This takes long.");
    expect(await shop.run()).toMatchObject({ kind: "published", openThreads: 2 });
    expect(shop.asked().filter((id) => id === "p09-change-file")).toHaveLength(1);
    expect(shop.state.objects.textAt(shop.tip(), PATH)).toBe(SKIPPED);
    const [thread, ...others] = shop.shown();
    expect(others).toEqual([]);
    expect(thread).toMatchObject({ path: PATH, line: 1, resolved: false });
    expect(thread?.comments[0]?.body).toContain("edits existing tests (line 1)");
    thread?.comments.push(shop.said("ana", "So be it: it is fine."));
    await shop.run();
    expect(thread?.resolved).toBe(false);
  });

  it.each([
    ["a thread stands on it", { line: 2 }, "This takes long."],
    ["a maintainer names its file", {}, "Skip what is in sum.test.js."],
    ["a maintainer names it", {}, 'Skip "adds" for now.'],
  ])("is not shown where %s", async (_, place, words) => {
    const shop = await skipping();
    Object.assign(shop.thread(PATH, words), place);
    await shop.run();
    expect(shop.shown()).toEqual([]);
  });

  it("is shown where only a bot discusses and names it", async () => {
    const shop = await skipping();
    const said = shop.said("linter[bot]", "Skip `adds` in sum.test.js.", true);
    const thread = { id: "thread-bot", pullRequest: 9, path: PATH, line: 1, resolved: false, comments: [said] };
    shop.state.threads.push(thread);
    await shop.run(undefined, async () => undefined);
    expect(shop.shown()).toHaveLength(1);
  });

  it("is not shown for the bot's own test, unless that carries the proof", async () => {
    for (const verdict of [undefined, "not-red", "right-red"] as const) {
      const shop = await skipping({ own: true, verdict });
      shop.thread(PATH, "This takes long.");
      await shop.run();
      expect(shop.shown()).toHaveLength(verdict === "right-red" ? 1 : 0);
    }
  });
});
