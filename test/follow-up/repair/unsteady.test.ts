import { describe, expect, it } from "@jest/globals";
import type { LostTests } from "../../../src/data/verdict.ts";
import { repairChecks } from "../../../src/follow-up/repair/repair-checks.ts";
import type { Check } from "../../../src/github/code-host.ts";
import { runPhases } from "../../../src/run/phase-runner.ts";
import type { Verifier } from "../../../src/run/verifier.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import type { revising } from "../revise/revising.ts";
import { check, logOf, repairing } from "./repairing.ts";

describe("repairChecks leaves alone", () => {
  it("a test unrelated to the change, and says so once without a call", async () => {
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

  it("a check that passed when a person ran it again", async () => {
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

describe("repairChecks reports", () => {
  const green = async (lost: readonly LostTests[]) => {
    const shop = await repairing("test/sum.test.js");
    const { state, tools } = shop;
    state.checks.set(shop.head, [check("passed")]);
    const pull = state.pullRequests[0];
    if (pull) state.pullRequests[0] = { ...pull, draft: true };
    const asked: string[][] = [];
    const verifier: Verifier = {
      verify: async () => ({ kind: "green", checks: [] }),
      async lostTests(...commits) {
        asked.push(commits);
        return lost;
      },
    };
    const request = sampleRequest({
      id: "ana/shop#9@green",
      root: "ana/shop#9@green",
      issue: shop.number,
      work: { kind: "repair", head: shop.head },
    });
    const run = () =>
      runPhases(repairChecks(request), {
        open: async () => ({ ...tools, verifier }),
        step: (_name, body) => body({ signal: new AbortController().signal }),
        log: tools.log,
      });
    return { ...shop, run, asked, draft: () => state.pullRequests[0]?.draft };
  };

  it("once which tests of the base no longer run on a green head, and keeps it a draft", async () => {
    const shop = await green([{ check: "test", before: 12, now: 11, names: ["reads a pair"] }]);
    await shop.run();
    await shop.run();
    expect(shop.asked[0]).toEqual([shop.base, shop.head]);
    expect(shop.said()).toHaveLength(1);
    expect(shop.said()[0]).toContain('in "test", 12 tests ran before, and 11 now. Missing: "reads a pair".');
    expect(shop.draft()).toBe(true);
  });

  it("nothing when every earlier test still runs", async () => {
    const shop = await green([]);
    await shop.run();
    expect(shop.said()).toEqual([]);
    expect(shop.draft()).toBe(false);
  });

  it("that checks may not run, and repairs nothing", async () => {
    const shop = await repairing("test/sum.test.js");
    shop.state.checks.set(shop.head, [check("pending", { because: "not-allowed" })]);
    await shop.run();
    expect(shop.asked()).toEqual([]);
    expect(shop.said()).toEqual([expect.stringContaining("not allowed to trigger Actions workflows here")]);
  });

  it.each([
    ["is left alone when it names no changed file", "make: *** [test] Error 1", 0],
    ["is repaired when it names a changed file", logOf("src/sum.js"), 1],
  ])("a failure on another machine image, which %s", async (_what, log, plans) => {
    const shop = await repairing("test/sum.test.js");
    const on = (version: string) => `Image: ubuntu-24.04\nVersion: ${version}\n${log}`;
    shop.state.checks.set(shop.base, [check("passed", { jobId: 2 })]);
    shop.state.jobLogs.set(1, on("20261115.1"));
    shop.state.jobLogs.set(2, on("20261101.1"));
    await shop.run();
    expect(shop.asked().filter((id) => id === "k01-plan-repair")).toHaveLength(plans);
    if (plans === 0) expect(shop.said().at(-1)).toContain("it ran on the image ubuntu-24.04 20261115.1");
  });
});

const shopOf = (own: object) => {
  const shop = own as Awaited<ReturnType<typeof revising>>;
  return { state: shop.state, head: shop.tip };
};

describe("repairChecks repairs", () => {
  it("what still fails when only one of two checks has passed meanwhile", async () => {
    const types = (state: Check["state"]) => check(state, { name: "types", jobId: 2, checkRunId: 2 });
    const shop = await repairing("test/sum.test.js", {
      onPlan: (own) => {
        const { state, head } = shopOf(own);
        state.checks.set(head(), [check("passed"), types("failed")]);
      },
    });
    shop.state.checks.set(shop.base, [check("passed"), types("passed")]);
    shop.state.checks.set(shop.head, [check("failed"), types("failed")]);
    shop.state.jobLogs.set(2, logOf("test/sum.test.js"));
    expect(await shop.run()).toMatchObject({ kind: "published" });
    expect(shop.tip()).not.toBe(shop.head);
  });

  it.each([
    ["a test that uses the change", "test/sum.test.js"],
    ["a test that uses it through another file", "test/all.test.js"],
    ["a failure that names no file", "make: *** [test] Error 1"],
  ])("%s", async (_what, file) => {
    const shop = await repairing(file);
    expect(await shop.run()).toMatchObject({ kind: "published" });
    expect(shop.tip()).not.toBe(shop.head);
    // Only planning and coding call the model, after the first red check.
    expect(shop.reds.filter((count) => count === 1)).toHaveLength(2);
  });
});
