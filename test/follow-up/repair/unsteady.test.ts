import { describe, expect, it } from "@jest/globals";
import type { LostTests } from "../../../src/data/verdict.ts";
import type { Check } from "../../../src/github/code-host.ts";
import type { Verifier } from "../../../src/run/verifier.ts";
import { check, logOf, nextOnMain, repairing } from "./repairing.ts";

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
    const tip = nextOnMain(shop.state, shop.base);
    shop.state.checks.set(tip, [check("failed")]);
    await shop.run();
    expect(shop.asked()).toEqual([]);
    expect(shop.said().at(-1)).toContain(`it also fails on ${tip}, a recent commit of main`);
  });

  it("a check that passed when a person ran it again", async () => {
    const shop = await repairing("test/sum.test.js", {
      onPlan: ({ checks }, head) => checks.set(head, [check("passed")]),
    });
    expect(await shop.run()).toMatchObject({ kind: "nothing-to-change" });
    expect(shop.tip()).toBe(shop.head);
    expect(shop.said().at(-1)).toContain("it passed when it was run again with nothing changed");
  });
});

it("repairChecks pushes nothing to a pull request that was closed while it was planned", async () => {
  const shop = await repairing("test/sum.test.js", {
    onPlan: ({ pullRequests }) => void pullRequests.splice(0, 1, { ...pullRequests[0], open: false } as never),
  });
  expect(await shop.run()).toMatchObject({ kind: "nothing-to-change" });
  expect([shop.tip(), shop.said()]).toEqual([shop.head, []]);
});

describe("repairChecks reports", () => {
  const green = async (lost: readonly LostTests[]) => {
    const asked: string[][] = [];
    const verifier: Verifier = {
      verify: async () => ({ kind: "green", checks: [] }),
      async lostTests(...commits) {
        asked.push(commits);
        return lost;
      },
    };
    const shop = await repairing("test/sum.test.js", { verifier });
    const { checks, pullRequests } = shop.state;
    checks.set(shop.head, [check("passed")]);
    const [pull] = pullRequests;
    if (pull) pullRequests[0] = { ...pull, draft: true };
    return { ...shop, asked, draft: () => pullRequests[0]?.draft };
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

describe("repairChecks repairs", () => {
  it("what still fails when only one of two checks has passed meanwhile", async () => {
    const types = (state: Check["state"]) => check(state, { name: "types", jobId: 2, checkRunId: 2 });
    const shop = await repairing("test/sum.test.js", {
      onPlan: ({ checks }, head) => checks.set(head, [check("passed"), types("failed")]),
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
