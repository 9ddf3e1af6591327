import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import type { LostTests } from "../../../src/data/verdict.ts";
import { readSituation } from "../../../src/follow-up/repair/read-situation.ts";
import { repairChecks } from "../../../src/follow-up/repair/repair-checks.ts";
import type { Check } from "../../../src/github/code-host.ts";
import { proofBlock, untested } from "../../../src/report/proof.ts";
import { openRun } from "../../../src/run/open-run.ts";
import { runPhases } from "../../../src/run/phase-runner.ts";
import type { Verifier } from "../../../src/run/verifier.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { NUMBER } from "../own-pull.ts";
import { commitTo, mergeElsewhere } from "../proof/people.ts";
import { GREEN, NOT_RED, proving, type Scene, silent, TEST, WRONG } from "../proof/proving.ts";
import { check, logOf, nextOnMain, repairing } from "./repairing.ts";

const SUM = "src/sum.js";
const WAS = /^## (?:Not tested|Not proved|Tested, and failing)$/m;
const TABLE = ": `-1 is not 3` |";

interface After {
  scene?: Scene;
  /** who commits to the pull request; the bot by default */
  author?: string;
  /** the file that the commit changes */
  path?: string;
  check?: string;
  /** the file that somebody changes on main meanwhile */
  merged?: string;
}

/** A proof whose fix was red, then another commit with green checks; gives the pull request after that. */
async function repaired({ scene = {}, author, path = SUM, check = "ci", merged }: After) {
  const run = await proving({ green: [WRONG, GREEN], ...scene });
  await run.resolve();
  const { state } = run;
  const before = run.body();
  commitTo(state, author ?? state.login, path);
  if (merged !== undefined) mergeElsewhere(state, merged);
  const head = run.pull()?.head ?? "";
  state.checks.set(head, [{ name: check, state: "passed", byApp: false, summary: "", url: "https://host.example/2" }]);
  const issue = run.pull()?.number ?? 0;
  const id = `ana/shop#${issue}@checks`;
  const trigger = { kind: "checks", head, branch: "" } as const;
  const request = sampleRequest({ id, root: id, issue, trigger, work: { kind: "repair", head } });
  const again = async () =>
    runPhases(repairChecks(request), {
      open: () => openRun(request, run.deps),
      step: run.step,
      log: run.deps.log,
    });
  expect(await again()).toMatchObject({ kind: "nothing-to-change" });
  return { before, again, head, body: run.body, pull: run.pull, state };
}

describe("a fix that was red at first", () => {
  it.each([
    ["when a proof is optional", {}],
    ["when it is required", { scene: { settings: { proof: "required" } } }],
    ["although main has moved elsewhere", { merged: "docs/other.md" }],
  ] as const)("is proved by its repair, %s", async (_where, after: After) => {
    const { before, again, head, body, pull } = await repaired(after);
    expect(before).toMatch(WAS);
    expect(body()).toContain(TABLE);
    expect(body()).toContain(`with the fix, ${head.slice(0, 10)} |`);
    expect(body()).toContain("| green in [ci](https://host.example/ci) |");
    expect(body()).toContain("| Proof | tested: its test failed without the fix and passes with it |");
    expect(body()).not.toMatch(WAS);
    expect(pull()?.draft).toBe(false);
    const once = body();
    await again();
    expect(body()).toBe(once);
  });

  it.each<[string, After]>([
    ["its test has changed since", { path: TEST }],
    ["the check of its test did not run again", { scene: { green: [WRONG, silent("missing")] }, check: "another" }],
    ["its test is skipped now", { scene: { green: [WRONG, silent("not-run", "passed")] } }],
    ["its step prints only `ok` now", { scene: { green: [WRONG, silent("unreported", "passed")] } }],
    ["a person has committed", { author: "ana" }],
    ["main has moved under its test", { merged: TEST }],
    ["main has moved under its fix", { merged: SUM }],
    ["its test did not fail", { scene: { red: [NOT_RED] } }],
  ])("is not called proved when %s", async (_when, after) => {
    const { body } = await repaired(after);
    expect(body()).toMatch(WAS);
    expect(body()).not.toContain(TABLE);
  });
});

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

const NOTHING_RAN = { unproved: untested.noChecks, keep: false };
const PROVED_NOTHING = { unproved: untested.noTest, keep: false, ran: true };

it.each([
  ["a draft that said that nothing was tested", NOTHING_RAN, true, "passed", true],
  ["one that was never a draft", NOTHING_RAN, false, "passed", true],
  ["one whose check ran before and proved nothing", PROVED_NOTHING, false, "passed", false],
  ["one whose check is red", NOTHING_RAN, false, "failed", false],
  ["one whose check still runs", NOTHING_RAN, false, "pending", false],
  ["one of which only the app's own check is green", NOTHING_RAN, false, "own", false],
] as const)("says what green checks change about %s", async (_, state, draft, of, isCorrected) => {
  const { tools, head, state: host } = await repairing("test/sum.test.js");
  const settings = { ...tools.settings, draft, ciRounds: 0 };
  await tools.host.updatePullRequest(NUMBER, { body: `Words.\n\n${proofBlock(state)}\n\nMore.` });
  host.checks.set(head, [of === "own" ? check("passed", { byApp: true }) : check(of)]);
  await readSituation({ ...tools, settings }, head);
  const { body } = await tools.host.readPullRequest(NUMBER);
  expect(body.includes(`The checks passed on ${head.slice(0, 10)}, but no test`)).toBe(isCorrected);
  expect(body.includes("## Not tested")).toBe(state === NOTHING_RAN && !isCorrected);
  expect(body).toMatch(/^Words\..*More\./s);
});

describe("a repair that edits an existing test", () => {
  const TEST = "test/sum.test.js";

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
