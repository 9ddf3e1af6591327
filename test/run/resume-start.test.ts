import { describe, expect, it } from "@jest/globals";
import type { KeptStart } from "../../src/data/run-record.ts";
import type { RunRequest } from "../../src/data/run-request.ts";
import { planMark, resumeStart } from "../../src/run/start.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";
import { sampleIssue } from "../fakes/sample-issue.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { sampleTask } from "../fakes/sample-task.ts";

const OLD = "1".repeat(40);
const TIP = "2".repeat(40);
const ROOT = sampleRequest().id;
const plan = { tasks: [{ ...sampleTask(), path: "a.txt" }], order: { run: "t1" }, source: "", meeting: [] };
const start: KeptStart = { issue: sampleIssue({ hint: "first" }), base: { branch: "main", commit: OLD }, by: ROOT };
const order = (verb: "approve" | "plan" | "retry" | "continue"): RunRequest["trigger"] => {
  const command = verb === "approve" || verb === "plan" ? { verb, hint: "" } : { verb };
  return { kind: "other-command", commentId: 1, on: "issue", command };
};
const next = (changes: Partial<RunRequest> = {}) =>
  sampleRequest({ id: "ana/shop#7@delivery-2", root: ROOT, trigger: order("approve"), ...changes });

/** A host whose main is at `tip`; `changed` are the paths that differ between the two commits. */
function host(tip: string | undefined, changed?: readonly string[], history: readonly string[] = [OLD, TIP]) {
  return {
    ...createFakeHost({}).host,
    branchTip: async () => tip,
    changedPaths: async () => changed,
    isAncestor: async (commit: string) => history.includes(commit),
  };
}
/** Where a new run would start. */
const present = { branch: "main", commit: TIP };

describe("resumeStart", () => {
  it("returns undefined for a new run, and for one whose root's record is gone", async () => {
    expect(await resumeStart(sampleRequest(), {}, host(OLD), present)).toBeUndefined();
    expect(await resumeStart(next(), {}, host(OLD), present)).toBeUndefined();
  });

  it("keeps the issue and the commit, and adds a new hint once", async () => {
    const trigger = { kind: "comment", commentId: 2, body: "b too", on: "issue" } as const;
    const request = next({ trigger, hint: "b <!-- hidden -->too", work: { kind: "resolve", gate: "plan" } });
    const resumed = await resumeStart(request, { start, plan }, host(OLD), present);
    expect(resumed).toEqual({ ...start, issue: { ...start.issue, hint: "first\n\nb too" }, by: request.id });
    expect(await resumeStart(request, { start: resumed, plan }, host(OLD), present)).toEqual(resumed);
  });

  it("keeps the reason for giving up apart from people's hints", async () => {
    const resumed = await resumeStart(
      next({ trigger: order("retry"), gaveUp: "It is \u200bodd." }),
      { start },
      host(OLD),
      present,
    );
    expect(resumed?.issue).toEqual({ ...start.issue, hint: "first", gaveUp: "It is odd." });
  });

  it("records which plan was approved", async () => {
    const resumed = await resumeStart(next(), { start, plan }, host(OLD), present);
    expect(resumed).toEqual({ ...start, by: next().id, approved: planMark(plan) });
  });

  it("keeps plan and commit when the branch moved in other files", async () => {
    const resumed = await resumeStart(next(), { start, plan }, host(TIP, ["b.txt"]), present);
    expect(resumed).toMatchObject({ base: { commit: OLD }, approved: planMark(plan) });
  });

  it.each([
    ["in the plan's files", ["a.txt", "b.txt"], "have touched `a.txt`. The plan was made again."],
    ["in unknown files", undefined, "does not tell what changed. The plan was made again."],
  ])("takes the new tip and asks again when the branch moved %s", async (_, changed, words) => {
    const resumed = await resumeStart(next(), { start, plan }, host(TIP, changed), present);
    expect(resumed).toMatchObject({ base: { branch: "main", commit: TIP }, renewed: expect.stringContaining(words) });
    expect(resumed).not.toHaveProperty("approved");
  });

  it.each(["retry", "continue"] as const)("keeps the commit and an open note for %s, whatever moved", async (verb) => {
    const open = { ...start, renewed: "It moved." };
    const resumed = await resumeStart(
      next({ trigger: order(verb) }),
      { start: open, plan },
      host(TIP, ["a.txt"]),
      present,
    );
    expect(resumed).toEqual({ ...open, by: next().id });
  });

  const trunk = { branch: "trunk", commit: TIP };
  it.each([
    [
      "its history was rewritten",
      host(TIP, [], []),
      present,
      { anew: expect.stringContaining("history of `main` was rewritten") },
    ],
    [
      "it is gone, with its history",
      host(undefined, [], []),
      trunk,
      { anew: expect.stringContaining("no longer exists") },
    ],
    [
      "it has another name",
      host(undefined),
      { branch: "trunk", commit: OLD },
      { moved: expect.stringContaining("goes on for `trunk`") },
    ],
    [
      "another one is to be started from",
      host(TIP),
      trunk,
      { anew: expect.stringContaining("started from `main`, and this one is to start from `trunk`") },
    ],
  ])("says why it starts over or goes on when the branch changed: %s", async (_, on, base, why) => {
    for (const verb of ["retry", "continue"] as const) {
      const request = next({ trigger: order(verb), hint: "b too" });
      const resumed = await resumeStart(request, { start, plan }, on, base);
      expect(resumed).toEqual({
        ...start,
        issue: { ...start.issue, hint: "first\n\nb too" },
        by: request.id,
        base,
        ...why,
      });
      // It says so only once.
      const again = next({ id: "ana/shop#7@delivery-3", trigger: order(verb) });
      const after = await resumeStart(again, { start: resumed, plan }, host(TIP), base);
      expect(after).not.toHaveProperty("anew");
      expect(after).not.toHaveProperty("moved");
    }
    const approved = await resumeStart(next(), { start, plan }, on, base);
    if ("anew" in why)
      expect(approved).toMatchObject({ base, renewed: expect.stringContaining("The plan was made again.") });
    else expect(approved).toMatchObject({ base, approved: planMark(plan) });
  });

  it("drops the note once a plan that was made again is approved", async () => {
    const resumed = await resumeStart(next(), { start: { ...start, renewed: "It moved." }, plan }, host(OLD), present);
    expect(resumed).not.toHaveProperty("renewed");
  });
});
