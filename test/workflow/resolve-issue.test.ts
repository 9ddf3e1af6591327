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
  it("goes through its phases in order and ends published; the tracking comment says so", async () => {
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
  ] as const)("tells on the pull request how the person's own command has ended: base %s", async (kind, said) => {
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

  it("refuses a repository in which nothing can be searched, before any call, and says so on the issue", async () => {
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

  it("refuses an issue that was closed meanwhile: nothing is asked, nothing is cloned", async () => {
    const run = await resolving({}, { issue: { open: false } });
    expect(await run.resolve()).toMatchObject({ kind: "refused" });
    expect(run.asked()).toEqual([]);
    expect(run.clones).toEqual([]);
    expect(run.comment()).toContain("MAGIS did not start");
  });

  it("nothing to change, by the Manager's word", async () => {
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

  it("asks when the issue is unclear: two calls, and the questions in its one comment", async () => {
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

  it("nothing to change, by the Developer's word", async () => {
    const run = await resolving({ "p09-change-file": developed([], "It rounds already.") });
    expect(await run.resolve()).toMatchObject({ kind: "nothing-to-change", reason: "`a.txt`: It rounds already." });
  });

  it("gives up when no usable change came out", async () => {
    const same = { start: 1, end: 1, anchor: "", text: "discounts" };
    const run = await resolving({ "p09-change-file": developed([same], "It is the same.") });
    expect(await run.resolve()).toMatchObject({ kind: "gave-up", reason: expect.stringContaining("`a.txt`") });
    expect(run.comment()).toContain("MAGIS could not resolve this issue");
  });

  it.each([
    ["locate", 3],
    ["plan", 15],
    ["code", 25],
  ] as const)("ends by the budget in %s, within it, and says what is not finished", async (phase, tokens) => {
    const run = await resolving({}, { tokens });
    expect(await run.resolve()).toMatchObject({ kind: "budget-reached", limit: "tokens", phase });
    expect(run.comment()).toContain(`**${phase}**: stopped here`);
    expect((await run.spent()).tokens).toBeLessThanOrEqual(tokens);
    expect(run.state.pullRequests).toEqual([]);
  });

  it("an unexpected end is reported in its own words, and never thrown", async () => {
    const run = await resolving({ "p04-plan-work": new MagisError("MODEL_REJECTED", "The API key is wrong.") });
    expect(await run.resolve()).toEqual({ kind: "failed", code: "MODEL_REJECTED", message: "The API key is wrong." });
    expect(run.comment()).toContain("The API key is wrong.");
    expect(run.comment()).toContain("- [ ] **plan**: stopped here");
  });

  it("an end that cannot be reported on the issue is logged, and is still an end", async () => {
    const run = await resolving({});
    run.faults.refuse("updateComment", new MagisError("HOST_REFUSED", "No."));
    expect(await run.resolve()).toMatchObject({ kind: "published" });
    expect(run.lines).toContain("error could not report the end of the run on the host");
  });

  it("taken up again, pays for no call twice and edits the same comment", async () => {
    const run = await resolving({}, { settings: PAPER });
    await run.resolve();
    const paid = run.asked().length;
    await run.again();
    expect(run.asked()).toHaveLength(paid);
    expect(run.state.comments).toHaveLength(1);
    expect(run.state.pullRequests).toHaveLength(1);
  });
});
