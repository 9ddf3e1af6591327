import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import type { FakeCall } from "../../fakes/create-fake-model.ts";
import { codingTogether } from "./coding-together.ts";

const { run: coding, task, change, edit, review, two: TWO } = codingTogether;

describe("the ends of writeCode in the lean profile", () => {
  it("marks a change as unreviewed when QA cannot answer", async () => {
    const { outcome } = await coding({ "p09-change-file": TWO, "p11-review-work": { stop: "refusal" } });
    expect(outcome).toMatchObject({
      status: "open",
      comments: [{ body: expect.stringContaining("This change was not reviewed"), status: "open" }],
    });
  });

  it("sends back a review that names a file outside the change, or gives no reason", async () => {
    const { calls } = await coding({
      "p09-change-file": TWO,
      "p11-review-work": ({ nth }: FakeCall) =>
        nth === 1 ? review({ comments: [{ path: "b.js", line: 1, body: "Here too." }], approved: false }) : review(),
    });
    expect(calls.at(-1)?.reply).toContain("No task is on b.js");
    const mute = await coding({
      "p09-change-file": TWO,
      "p11-review-work": ({ nth }: FakeCall) => review({ approved: nth > 1 }),
    });
    expect(mute.calls.at(-1)?.reply).toContain("needs at least one comment");
  });

  it("keeps finished work when the budget ends, in coding or review", async () => {
    const reached = () => new MagisError("BUDGET_REACHED", "Used up.", { limit: "money" });
    const tasks = [task("t1", "a.js"), task("t2", "b.js")];
    const { work } = await coding(
      { "p09-change-file": ({ text }: FakeCall) => (text.includes("on the file `b.js`") ? reached() : TWO) },
      tasks,
    );
    expect(work.stopped).toEqual({ limit: "money", unfinished: ["Change b.js (`b.js`)"] });
    expect(work.patch).toContain("+  return 2;");
    const inReview = await coding({ "p09-change-file": TWO, "p11-review-work": () => reached() });
    expect(inReview.work.stopped).toEqual({ limit: "money", unfinished: [] });
  });

  it("deletes a file without a Developer's call, and creates one whole", async () => {
    const tasks = [task("t1", "b.js", "delete"), task("t2", "c/new.js", "create")];
    const { work, of } = await coding({ "p09-change-file": change([edit(1, 0, "export {};\n")]) }, tasks);
    expect(of("p09-change-file")).toHaveLength(1);
    expect(work.changes).toMatchObject([{ path: "b.js" }, { path: "c/new.js" }]);
    expect(work.patch).toContain("+export {};\n");
  });

  it("takes the change unreviewed without QA", async () => {
    const { asked, outcome } = await coding({ "p09-change-file": TWO }, undefined, { ablate: ["qa"] });
    expect(asked()).toEqual(["p09-change-file"]);
    expect(outcome?.status).toBe("open");
  });

  it("takes the Manager's draft if its edits fit, and asks the Developer otherwise", async () => {
    const drafted = (edits: ReturnType<typeof edit>[]) => ({
      ...task("t1", "a.js"),
      draft: { edits, summary: "It gives two at once." },
    });
    const good = await coding({ "p09-change-file": TWO }, [drafted([edit(2, 2, "  return 2;", "return 1;")])]);
    expect(good.asked()).toEqual(["p11-review-work"]);
    expect(good.outcome).toMatchObject({ status: "approved", summary: "It gives two at once." });
    expect(good.work.patch).toContain("+  return 2;");
    for (const wrong of [edit(1, 1, "  return 2;", "return 5;"), edit(2, 2, "  return (2;"), edit(9, 9, "x")]) {
      const bad = await coding({ "p09-change-file": TWO }, [drafted([wrong])]);
      expect(bad.asked()).toEqual(["p09-change-file", "p11-review-work"]);
      expect(bad.of("p09-change-file")[0]?.text).toContain(`Lines ${wrong.start} to ${wrong.end}:\n${wrong.text}`);
      expect(bad.of("p09-change-file")[0]?.text).toContain("A draft that could not be put in place:");
    }
  });

  it("gives a draft that QA sends back to the Developer", async () => {
    const comments = [{ path: "a.js", line: 2, body: "It must be three.", edits: [] }];
    const draft = { edits: [edit(2, 2, "  return 2;", "return 1;")], summary: "It gives two." };
    const { asked, of, outcome } = await coding(
      {
        "p09-change-file": change([edit(2, 2, "  return 3;", "return 2;")]),
        "p11-review-work": ({ nth }: FakeCall) => (nth === 1 ? review({ comments, approved: false }) : review()),
      },
      [{ ...task("t1", "a.js"), draft }],
    );
    expect(asked()).toEqual(["p11-review-work", "p09-change-file", "p11-review-work"]);
    expect(of("p09-change-file")[0]?.text).not.toContain("A draft that");
    expect(outcome).toMatchObject({ status: "approved", attempts: [{ round: 1 }, { round: 2 }] });
  });
});
