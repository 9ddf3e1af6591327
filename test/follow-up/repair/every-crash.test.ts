import { expect, it } from "@jest/globals";
import { keptSteps } from "../../workflow/kept-steps.ts";
import { repairing } from "./repairing.ts";

it("a repair that dies after any of its writes makes nothing twice", async () => {
  let crashes = 0;
  for (let write = 1; ; write++) {
    const shop = await repairing("test/sum.test.js");
    const steps = keptSteps();
    shop.faults.crashAfter(write);
    await shop.run(steps);
    if (!shop.faults.restart()) break;
    crashes += 1;
    steps.kept.delete("end");
    await shop.run(steps);
    const { objects, checks } = shop.state;
    expect({ write, parents: objects.commit(shop.tip()).parents }).toEqual({ write, parents: [shop.head] });
    expect([...objects.refs.keys()].filter((ref) => ref.startsWith("refs/magis"))).toEqual([]);
    const own = (checks.get(shop.tip()) ?? []).filter(({ byApp }) => byApp);
    expect({ write, own: own.map(({ state }) => state) }).toEqual({ write, own: ["passed"] });
    expect({ write, said: shop.said().length }).toEqual({ write, said: 1 });
    expect(shop.said()[0]).toContain("a new commit repairs them");
  }
  expect(crashes).toBeGreaterThanOrEqual(5);
});
