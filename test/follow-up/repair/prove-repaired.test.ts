import { describe, expect, it } from "@jest/globals";
import { repairChecks } from "../../../src/follow-up/repair/repair-checks.ts";
import { openRun } from "../../../src/run/open-run.ts";
import { runPhases } from "../../../src/run/phase-runner.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { commitTo, mergeElsewhere } from "../proof/people.ts";
import { GREEN, NOT_RED, proving, type Scene, silent, TEST, WRONG } from "../proof/proving.ts";

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
