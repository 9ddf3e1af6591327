import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/model/error.ts";
import type { ProofVerdict } from "../../src/model/verdict.ts";
import { PAPER } from "../fakes/sample-settings.ts";
import { resolving } from "./resolving.ts";

const none = {
  example: "It is read.",
  fails: false,
  at: { path: "a.txt", line: 1 },
  questions: [],
  notes: [],
  reason: "It is right already.",
  tasks: [],
  order: "",
  agreed: "",
  title: "",
};
const developed = (edits: readonly object[], summary: string) => ({
  edits,
  summary,
  replies: [],
  qaEngineer: { title: "QA Engineer", description: "Looks closely." },
});

describe("resolveIssue", () => {
  it("goes through its phases in order and publishes, and the tracking comment says so", async () => {
    const run = await resolving({});
    const result = await run.resolve();
    expect(result).toMatchObject({ kind: "published", openThreads: 0 });
    expect(run.steps).toEqual(["start", "locate", "plan", "code", "publish", "end"]);
    expect(run.state.comments).toHaveLength(1);
    expect(run.comment()).toContain("MAGIS opened pull request #");
    expect((await run.store.state("ana/shop#7@delivery-1"))?.phases.map(({ status }) => status)).toEqual([
      "done",
      "done",
      "done",
      "done",
    ]);
    expect(Object.keys(run.parts)).toEqual(["start", "candidates", "tasks", "plan", "work", "proof", "commit"]);
  });

  it.each([
    ["green", "passes"],
    ["other-red", "fails without the change too, so it says nothing about it"],
  ] as const)("reports the result of the person's own command on the pull request: base %s", async (kind, said) => {
    const verdict = { kind, checks: [], reason: "unknown", check: "", tests: [], words: "" } as ProofVerdict;
    const { signal } = new AbortController();
    const open = () => ({ verify: async () => verdict });
    const check = { command: "npm test", rounds: 0, signal, open, unproven: "go on" } as const;
    const run = await resolving({}, { check });
    await run.resolve();
    const body = run.state.pullRequests[0]?.body ?? "";
    expect(body).toContain(`## ${kind === "green" ? "Tested" : "Not tested"}\n\nThe check \`npm test\``);
    expect(body).toContain(said);
    expect(body).toContain("MAGIS ran this command itself");
  });

  it("refuses a repository without searchable files before any call, and says so on the issue", async () => {
    const run = await resolving({}, { files: { "a.png": "x", "yarn.lock": "x" } });
    expect(await run.resolve()).toMatchObject({ kind: "refused", reason: expect.stringContaining("can be searched") });
    expect(run.asked()).toEqual([]);
    expect(run.comment()).toContain("binary (1), lock files (1)");
    expect(run.comment()).toContain("Nothing was spent");
  });

  it("opens one clone for all its phases", async () => {
    const run = await resolving({});
    await run.resolve();
    expect(run.clones).toEqual([run.base.commit]);
  });

  it("refuses an issue that was closed meanwhile, without a call or a clone", async () => {
    const run = await resolving({}, { issue: { open: false } });
    expect(await run.resolve()).toMatchObject({ kind: "refused" });
    expect(run.asked()).toEqual([]);
    expect(run.clones).toEqual([]);
    expect(run.comment()).toContain("MAGIS did not start");
  });

  it("changes nothing when the Manager finds nothing to change", async () => {
    const run = await resolving({ "p04-plan-work": none });
    expect(await run.resolve()).toMatchObject({
      kind: "nothing-to-change",
      reason: expect.stringMatching(
        /^It is right already\.\nThe example: It is read\.\n`a\.txt`, line 1: `discounts`$/,
      ),
    });
    expect(run.steps).toEqual(["start", "locate", "plan", "end"]);
    expect(run.comment()).toContain("MAGIS found nothing to change");
    expect(run.state.pullRequests).toEqual([]);
  });

  it("asks questions in its comment after two calls when the issue is unclear", async () => {
    const questions = ["Is it up or down?", "For whom?", "Since when?", "One too many?"];
    const run = await resolving({ "p04-plan-work": { ...none, fails: true, reason: "Both are said.", questions } });
    expect(await run.resolve()).toEqual({ kind: "asked", questions: questions.slice(0, 3), reason: "Both are said." });
    expect(run.asked()).toEqual(["c02-locate-files", "p04-plan-work"]);
    expect(run.state.comments).toHaveLength(1);
    expect(run.comment()).toMatch(
      /MAGIS has a question[\s\S]*1\. Is it up or down\?\n2\. For whom\?\n3\. Since when\?\n/,
    );
    expect(run.comment()).not.toContain("One too many");
  });

  it("changes nothing when the Developer finds nothing to change", async () => {
    const run = await resolving({ "p09-change-file": developed([], "It rounds already.") });
    expect(await run.resolve()).toMatchObject({ kind: "nothing-to-change", reason: "`a.txt`: It rounds already." });
  });

  it("gives up without a usable change", async () => {
    const same = { start: 1, end: 1, anchor: "", text: "discounts" };
    const run = await resolving({ "p09-change-file": developed([same], "It is the same.") });
    expect(await run.resolve()).toMatchObject({ kind: "gave-up", reason: expect.stringContaining("`a.txt`") });
    expect(run.comment()).toContain("MAGIS could not resolve this issue");
  });

  it.each([
    ["locate", 3],
    ["plan", 15],
    ["code", 25],
  ] as const)("stops in %s within its budget, and says what is not finished", async (phase, tokens) => {
    const run = await resolving({}, { tokens });
    expect(await run.resolve()).toMatchObject({ kind: "budget-reached", limit: "tokens", phase });
    expect(run.comment()).toContain(`**${phase}**: stopped here`);
    expect((await run.spent()).tokens).toBeLessThanOrEqual(tokens);
    expect(run.state.pullRequests).toEqual([]);
  });

  it("reports an unexpected error in its own words, and never throws it", async () => {
    const run = await resolving({ "p04-plan-work": new MagisError("MODEL_REJECTED", "The API key is wrong.") });
    expect(await run.resolve()).toEqual({ kind: "failed", code: "MODEL_REJECTED", message: "The API key is wrong." });
    expect(run.comment()).toContain("The API key is wrong.");
    expect(run.comment()).toContain("- [ ] **plan**: stopped here");
  });

  it("logs an end that it cannot report on the issue, and still ends", async () => {
    const run = await resolving({});
    run.faults.refuse("updateComment", new MagisError("HOST_REFUSED", "No."));
    expect(await run.resolve()).toMatchObject({ kind: "published" });
    expect(run.lines).toContain("error could not report the end of the run on the host");
  });

  it("pays for no call twice and edits the same comment when it is resumed", async () => {
    const run = await resolving({}, { settings: PAPER });
    await run.resolve();
    const paid = run.asked().length;
    await run.again();
    expect(run.asked()).toHaveLength(paid);
    expect(run.state.comments).toHaveLength(1);
    expect(run.state.pullRequests).toHaveLength(1);
  });
});
