import { describe, expect, it } from "@jest/globals";
import type { revising } from "../revise/revising.ts";
import { check, repairing } from "./repairing.ts";

describe("repairChecks leaves alone", () => {
  it("a test that knows nothing of the change, and says so once without a call", async () => {
    const shop = await repairing("test/clock.test.js");
    expect(await shop.run()).toMatchObject({ kind: "nothing-to-change" });
    expect(shop.asked()).toEqual([]);
    expect(shop.tip()).toBe(shop.head);
    expect(shop.said()).toHaveLength(1);
    expect(shop.said()[0]).toContain("test/clock.test.js");
    await shop.run();
    expect(shop.said()).toHaveLength(1);
  });

  it("a check that is red on a recent commit of the base", async () => {
    const shop = await repairing("test/sum.test.js");
    const { objects, login, checks } = shop.state;
    const tip = objects.addCommit(
      { tree: objects.commit(shop.base).tree, parents: [shop.base], message: "Next", author: login, verified: true },
      "next",
    );
    objects.refs.set("refs/heads/main", tip);
    checks.set(tip, [check("failed")]);
    await shop.run();
    expect(shop.asked()).toEqual([]);
    expect(shop.said().at(-1)).toContain(`it also fails on ${tip}, a recent commit of main`);
  });

  it("a check that passed when a person ran it again meanwhile", async () => {
    const shop = await repairing("test/sum.test.js", {
      onPlan: (own) => {
        const { state, head } = shopOf(own);
        state.checks.set(head(), [check("passed")]);
      },
    });
    expect(await shop.run()).toMatchObject({ kind: "nothing-to-change" });
    expect(shop.tip()).toBe(shop.head);
    expect(shop.said().at(-1)).toContain("it passed when it was run again with nothing changed");
  });
});

const shopOf = (own: object) => {
  const shop = own as Awaited<ReturnType<typeof revising>>;
  return { state: shop.state, head: shop.tip };
};

describe("repairChecks repairs", () => {
  it.each([
    ["what uses the change", "test/sum.test.js"],
    ["what uses it by way of another file", "test/all.test.js"],
    ["what it cannot tell", "make: *** [test] Error 1"],
  ])("%s", async (_what, file) => {
    const shop = await repairing(file);
    expect(await shop.run()).toMatchObject({ kind: "published" });
    expect(shop.tip()).not.toBe(shop.head);
    // The failures are read without the model; planning and coding come after the first red check.
    expect(shop.reds.filter((count) => count === 1)).toHaveLength(2);
  });
});
