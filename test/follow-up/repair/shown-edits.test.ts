import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import { repairing } from "./repairing.ts";

const TEST = "test/sum.test.js";

describe("a repair that edits an existing test", () => {
  it("is shown to the maintainer in a thread when the failing check does not name the line", async () => {
    const shop = await repairing("src/sum.js", { path: TEST, text: "export const sum = () => 3;" });
    expect(await shop.run()).toMatchObject({ kind: "published", openThreads: 1 });
    const [thread] = shop.state.threads;
    expect(thread).toMatchObject({ path: TEST, line: 1, resolved: false });
    expect(thread?.comments[0]?.body).toContain("This change edits existing tests (line 1)");
    expect(thread?.comments[0]?.body).toContain("please see whether they still do");
    const [, again] = shop.of("p09-change-file");
    expect(again?.text).toContain("edits existing tests (line 1). That judges the change");
  });

  it("is not sent back once the budget is used up", async () => {
    const out = new MagisError("BUDGET_REACHED", "The budget is used up.", { limit: "money" });
    const answers = { "p11-review-work": out };
    const shop = await repairing("src/sum.js", { path: TEST, text: "export const sum = () => 3;", answers });
    expect(await shop.run()).toMatchObject({ kind: "budget-reached" });
    expect(shop.of("p09-change-file")).toHaveLength(1);
  });

  it("is not shown on a line that the failing check names", async () => {
    const shop = await repairing(TEST, { path: TEST, text: 'import { sum } from "../src/sum.mjs";' });
    expect(await shop.run()).toMatchObject({ kind: "published", openThreads: 0 });
    expect(shop.state.threads).toEqual([]);
  });
});
