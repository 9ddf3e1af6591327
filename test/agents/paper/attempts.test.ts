import { describe, expect, it } from "@jest/globals";
import type { FakeCall } from "../../fakes/create-fake-model.ts";
import { coding } from "./coding.ts";

const { approve, located, comment, task, run: coded } = coding;
const a = coding.task("t1", "a.txt");

describe("attempts without a review", () => {
  it("end the task unchanged when the first round has no interval", async () => {
    const { outcome, work, asked } = await coded({
      "p09-locate-lines": { intervals: [], summary: "It is right already.", replies: [] },
    });
    expect(outcome).toMatchObject({ status: "unchanged", summary: "It is right already.", attempts: [] });
    expect(work).toMatchObject({ changes: [], patch: "" });
    expect(asked()).not.toContain("p11-review-change");
  });

  it("let QA judge the reply when a later round has no interval", async () => {
    const stands = { intervals: [], summary: "I stay.", replies: [{ comment: "t1-r1-1", reply: "It is right." }] };
    const { outcome, of } = await coded({
      "p09-locate-lines": ({ nth }: FakeCall) => (nth === 1 ? located(1, 1) : stands),
      "p11-review-change": ({ nth }: FakeCall) => (nth === 1 ? comment("Wrong.") : approve),
    });
    expect(of("p11-review-change")[1]?.text).toContain("It is right.");
    expect(outcome).toMatchObject({ status: "approved", summary: "It says something else." });
  });

  it("reject a change that changes nothing, with a reason, and cost a round", async () => {
    const { outcome, of } = await coded({
      "p10-write-code": ({ nth }: FakeCall) => (nth === 1 ? "one" : "uno"),
    });
    expect(of("p09-locate-lines")[1]?.text).toContain("The new lines are the same as the old ones");
    expect(outcome?.attempts).toMatchObject([
      { round: 1, rejected: expect.any(String) },
      { round: 2, approved: true },
    ]);
    expect(outcome?.status).toBe("approved");
  });

  it("fail the task when all are rejected, and leave its file alone", async () => {
    const { outcome, work } = await coded({ "p10-write-code": "one" });
    expect(outcome).toMatchObject({ status: "failed", summary: expect.stringContaining("nothing was changed") });
    expect(work.changes).toEqual([]);
  });

  it("send back wrong intervals once with the reason, then fail this task alone", async () => {
    const wrong = ({ text }: FakeCall) => located(1, text.includes("of task t1 on") ? 9 : 1);
    const { of, work, lines } = await coded({ "p09-locate-lines": wrong }, [a, task("t2", "b.txt")]);
    expect(of("p09-locate-lines")[1]?.reply).toContain("9");
    expect(work.outcomes.map(({ taskId, status }) => `${taskId} ${status}`)).toEqual(["t1 failed", "t2 approved"]);
    expect(lines).toEqual(["warn a task failed"]);
  });
});

describe("P10's prompt", () => {
  const two = {
    intervals: [
      { start: 1, end: 1, change: "Begin anew." },
      { start: 3, end: 3, change: "End anew." },
    ],
    summary: "Both ends.",
    replies: [],
  };
  const script = { "p09-locate-lines": two, "p10-write-code": ({ nth }: FakeCall) => `part ${nth}\n` };

  it("shows every interval, its own old lines and the parts already written", async () => {
    const { of } = await coded(script);
    const [first = "", second = ""] = of("p10-write-code").map(
      ({ text }) => text.split("Your change replaces")[1] ?? "",
    );
    for (const text of [first, second]) expect(text).toMatch(/`Begin anew\.`[\s\S]*`End anew\.`/);
    expect(first).toContain("It replaces exactly these lines:\n\n```text from file\none\n```");
    expect(second).toContain("It replaces exactly these lines:\n\n```text from file\nthree\n```");
    expect(first).not.toContain("Already written");
    expect(second).toContain("Already written for line 1:\n\n```text from colleague\npart 1\n```");
  });

  it("shows what the meeting agreed on, like P9's and P11's", async () => {
    const { calls } = await coded(script, undefined, undefined, {}, "The name is `total`.");
    const shown = calls.filter(({ promptId }) => /^p(09|10|11)/.test(promptId));
    expect(shown.length).toBeGreaterThan(3);
    for (const { text } of shown)
      expect(text).toContain("What the kick-off meeting agreed on:\n\n```text from colleague\nThe name is");
  });
});
