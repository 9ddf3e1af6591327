import { describe, expect, it } from "@jest/globals";
import type { Check } from "../../../src/ports/code-host.ts";
import { repairChecks } from "../../../src/workflow/repair/repair-checks.ts";
import { runPhases } from "../../../src/workflow/run/phase-runner.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { revising } from "../revise/revising.ts";

const FILES = {
  "src/sum.js": "export const sum = 1;\n",
  "test/sum.test.js": 'import { sum } from "../src/sum.js";\n',
  "test/clock.test.js": 'import { clock } from "../src/time/clock.js";\n',
  "src/time/clock.js": "export const clock = 1;\n",
  "test/all.test.js": 'import "../src/time/facade.js";\n',
  "src/time/facade.js": 'export * from "../sum.js";\n',
};

const check = (state: Check["state"], more: Partial<Check> = {}): Check => ({
  ...{ name: "test", state, byApp: false, summary: "", url: "u", jobId: 1, checkRunId: 1 },
  ...more,
});

const logOf = (file: string) => `FAIL ${file}\n  ● it works\n    at Object.<anonymous> (${file}:1:10)\n`;

const PLAN = {
  ...{ repairable: true, reason: "It is wrong.", title: "mend it" },
  tasks: [{ path: "src/sum.js", action: "modify", title: "Mend", description: "Mend it." }],
};

/** A pull request that changes src/sum.js, whose check `test` fails with `file` in its log; it was green on the base. */
async function repairing(file: string, { onPlan = (_shop: object) => {} } = {}) {
  const reds: (number | undefined)[] = [];
  let shop: Awaited<ReturnType<typeof revising>> | undefined;
  const script = {
    "k01-plan-repair": () => {
      if (shop) onPlan(shop);
      return PLAN;
    },
    "p09-change-file": {
      edits: [{ start: 1, end: 1, anchor: "", text: "export const sum = 3;" }],
      ...{ summary: "It is right.", replies: [], qaEngineer: { title: "QA Engineer", description: "Looks." } },
    },
  };
  shop = await revising(
    script,
    {},
    { settings: { profile: "lean" }, files: FILES, first: ["docs/sum.md", "A sum.\n"] },
  );
  const { state, tools } = shop;
  const head = shop.push("src/sum.js", "export const sum = 2;\n", state.login, shop.head);
  const base = state.objects.commit(shop.head).parents[0] ?? "";
  state.checks.set(base, [check("passed")]);
  state.checks.set(head, [check("failed")]);
  state.jobLogs.set(1, logOf(file));
  const request = sampleRequest({
    ...{ id: "ana/shop#9@checks", root: "ana/shop#9@checks", issue: shop.number },
    work: { kind: "repair", head },
  });
  const own = {
    ...tools,
    openPrompts: (signal: AbortSignal, count?: number) => {
      reds.push(count);
      return tools.openPrompts(signal);
    },
  };
  const run = () =>
    runPhases(repairChecks(request), {
      open: async () => own,
      step: (_name, body) => body({ signal: new AbortController().signal }),
      log: tools.log,
    });
  const said = () => state.comments.filter(({ author }) => author === state.login).map(({ body }) => body);
  return { ...shop, head, base, run, said, reds };
}

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
