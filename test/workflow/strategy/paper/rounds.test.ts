import { describe, expect, it } from "@jest/globals";
import type { FakeCall } from "../../../fakes/create-fake-model.ts";
import { coding } from "./coding.ts";

const { approve, located, comment, run: coded } = coding;

describe("Algorithm 3 on the rounds of a task", () => {
  it("asks P8, P9, P10 and P11 for a change approved at once, and keeps it as edits and a patch", async () => {
    const { asked, work, outcome } = await coded();
    expect(asked()).toEqual(["p08-describe-qa-engineer", "p09-locate-lines", "p10-write-code", "p11-review-change"]);
    expect(outcome).toMatchObject({ status: "approved", qaEngineer: { title: "QA for a.txt" }, comments: [] });
    expect(work.changes).toEqual([
      { kind: "modify", path: "a.txt", edits: [{ start: 1, end: 1, text: "changed by t1\n" }] },
    ]);
    expect(work.patch).toContain("-one\n+changed by t1\n two\n");
  });

  it("reviews, sends back and approves nothing without QA", async () => {
    const { asked, outcome, work } = await coded({}, undefined, undefined, { ablate: ["qa"], reviewRounds: 3 });
    expect(asked()).toEqual(["p09-locate-lines", "p10-write-code"]);
    expect(outcome).toMatchObject({ status: "open", attempts: [{ approved: false, verdict: "" }], comments: [] });
    expect(work.patch).toContain("+changed by t1\n");
  });

  it("does not repeat a rejected attempt without QA", async () => {
    const same = { "p10-write-code": "one\n" };
    const { asked, outcome } = await coded(same, undefined, undefined, { ablate: ["qa"], reviewRounds: 3 });
    expect(asked()).toEqual(["p09-locate-lines", "p10-write-code"]);
    expect(outcome?.status).toBe("failed");
  });

  it("sends the change back with a comment, and keeps the reply and the settling", async () => {
    const { of, outcome } = await coded({
      "p09-locate-lines": ({ nth }) =>
        nth === 1 ? located(1, 1) : located(2, 2, [{ comment: "t1-r1-1", reply: "Moved." }]),
      "p11-review-change": ({ nth }) => (nth === 1 ? comment("The wrong line.") : { ...approve, settled: ["t1-r1-1"] }),
    });
    const [first, second] = of("p09-locate-lines");
    expect(first?.text).not.toContain("This is another round");
    expect(second?.text).toContain("- t1-r1-1 (line 1 of the changed file):");
    expect(second?.text).toContain("The wrong line.");
    expect(of("p11-review-change")[1]?.text).toContain("The Developer's reply:\n\n```text from colleague\nMoved.\n```");
    expect(outcome?.comments).toMatchObject([{ id: "t1-r1-1", round: 1, status: "settled", reply: "Moved." }]);
    expect(outcome).toMatchObject({ status: "approved", attempts: [{ approved: false }, { approved: true }] });
  });

  it("starts every round from the original file, and counts the last change", async () => {
    const { work } = await coded({
      "p09-locate-lines": ({ nth }) => located(nth, nth),
      "p11-review-change": ({ nth }) => (nth === 1 ? comment("The wrong line.") : approve),
    });
    expect(work.changes).toEqual([
      { kind: "modify", path: "a.txt", edits: [{ start: 2, end: 2, text: "changed by t1\n" }] },
    ]);
  });

  it("leaves the task and its unsettled comments open after the last round", async () => {
    const { outcome, of } = await coded({ "p11-review-change": ({ nth }: FakeCall) => comment(`Comment ${nth}.`) });
    expect(of("p11-review-change")).toHaveLength(3);
    expect(outcome?.status).toBe("open");
    expect(outcome?.comments.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "t1-r1-1 open",
      "t1-r2-1 open",
      "t1-r3-1 open",
    ]);
  });

  it("ignores an approval with comments, and settles everything by one without", async () => {
    const { outcome } = await coded({
      "p11-review-change": ({ nth }: FakeCall) => (nth === 1 ? { ...comment("But."), approved: true } : approve),
    });
    expect(outcome?.attempts.map(({ approved }) => approved)).toEqual([false, true]);
    expect(outcome?.comments).toMatchObject([{ status: "settled" }]);
  });

  it("sends back once a refusal with every comment settled and no new one", async () => {
    const sulk = { ...approve, approved: false, settled: ["t1-r1-1"] };
    const { of, outcome } = await coded({
      "p11-review-change": ({ nth }: FakeCall) =>
        [comment("Wrong."), sulk, comment("Still wrong."), approve][nth - 1] ?? "",
    });
    expect(of("p11-review-change")[2]?.reply).toContain("needs at least one comment");
    expect(outcome?.attempts).toHaveLength(3);
  });

  it("moves comments to their lines in the last version", async () => {
    const { outcome } = await coded({
      "p10-write-code": ({ nth }: FakeCall) => (nth === 1 ? "uno" : "x\ny\nuno"),
      "p11-review-change": ({ nth }: FakeCall) => (nth === 1 ? comment("What of this?", 2) : approve),
    });
    expect(outcome?.comments).toMatchObject([{ line: 4 }]);
  });
});
