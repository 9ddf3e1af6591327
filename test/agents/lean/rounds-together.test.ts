import { describe, expect, it } from "@jest/globals";
import { withFreeName } from "../../../src/agents/lean/plan.ts";
import { lookupRoom } from "../../../src/agents/lean/view/view.ts";
import { writeCode } from "../../../src/agents/phases.ts";
import { MagisError } from "../../../src/data/error.ts";
import type { Task } from "../../../src/data/plan.ts";
import type { FakeCall, FakeScript } from "../../fakes/create-fake-model.ts";
import { sampleTask } from "../../fakes/sample-task.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";
import { planOf } from "../../workflow/plan-of.ts";
import { codingTogether } from "./coding-together.ts";

const { change, edit, review } = codingTogether;

const LONG = Array.from({ length: 1_500 }, (_, at) => `const number${at + 1} = ${at + 1};\n`).join("");
const FILES: Readonly<Record<string, string>> = {
  "src/long.js": LONG,
  "src/rate.js": "export function rateOf(order) {\n  return 1;\n}\n",
  "src/other.js": "export function colourOf(wall) {\n  return 1;\n}\n",
  "src/bill.js": "import { rateOf } from './rate.js';\nexport const bill = (order) => rateOf(order);\n",
};
const task = (id: string, path: string, more: Partial<Task> = {}) =>
  sampleTask({ id, path, action: "modify", title: "Change it", description: "Change it.", places: [], ...more });

async function coding(script: FakeScript, tasks: readonly Task[]) {
  const shop = await openWorkshop({ files: FILES, script });
  const work = await writeCode({ ...shop.tools, plan: { ...planOf(tasks), reason: "It is wrong." } });
  return { ...shop, work };
}

describe("a Developer's prompt", () => {
  it("shows lines that the task or QA's comment mentions, and each changed place", async () => {
    const far = change([edit(200, 200, "const changed200 = 1;"), edit(1_400, 1_400, "const changed1400 = 1;")]);
    const { of } = await coding(
      {
        "p09-change-file": far,
        "p11-review-work": ({ nth }: FakeCall) =>
          nth === 1
            ? review({ comments: [{ path: "src/long.js", line: 700, body: "See also line 1101." }], approved: false })
            : review(),
      },
      [task("t1", "src/long.js", { description: "What is at line 900 is wrong, and L333." })],
    );
    const [first = "", second = ""] = of("p09-change-file").map(({ text }) => text);
    for (const line of [900, 333]) expect(first).toContain(`|const number${line} =`);
    for (const line of [
      "200|const changed200",
      "1400|const changed1400",
      "700|const number700",
      "1101|const number1101",
    ])
      expect(second).toContain(line);
  });

  it("says all that was wrong with an answer that could not be used", async () => {
    const misplaced = (line: number) => ({ ...edit(line, line, "const changed = 1;"), anchor: `no such line ${line}` });
    const { of, work } = await coding(
      {
        "p09-change-file": ({ text }: FakeCall) =>
          change(
            text.includes("# The file `src/long.js`") ? [misplaced(3), misplaced(8)] : [edit(2, 2, "  return 2;")],
          ),
        "p11-review-work": review({ approved: false, comments: [{ path: "src/rate.js", line: 1, body: "Not this." }] }),
      },
      [task("t1", "src/long.js"), task("t2", "src/rate.js")],
    );
    const again = of("p09-change-file").find(({ text }) => text.includes("This is another round"))?.text ?? "";
    expect(again).toMatch(/no such line 3[\s\S]*no such line 8/);
    expect(work.outcomes[0]?.attempts[0]?.rejected).not.toContain("no such line 8");
  });

  it("shows only colleagues' changes that affect its task", async () => {
    const { of } = await coding(
      {
        "p09-change-file": ({ text }: FakeCall) =>
          change([
            edit(2, 2, text.includes("# The file `src/bill.js`") ? "export const bill = () => 2;" : "  return 2;"),
          ]),
      },
      [task("t1", "src/rate.js"), task("t2", "src/other.js"), task("t3", "src/bill.js")],
    );
    const bill = of("p09-change-file").find(({ text }) => text.includes("# The file `src/bill.js`"))?.text ?? "";
    expect(bill).toContain("+++ b/src/rate.js");
    expect(bill).not.toContain("+++ b/src/other.js");
  });
});

describe("QA's prompt in the second round", () => {
  it("shows what changed since the first", async () => {
    const { of } = await coding(
      {
        "p09-change-file": ({ nth }: FakeCall) =>
          change([edit(nth === 1 ? 100 : 1_200, nth === 1 ? 100 : 1_200, `const round${nth} = 1;`)]),
        "p11-review-work": ({ nth }: FakeCall) =>
          nth === 1
            ? review({ comments: [{ path: "src/long.js", line: 1_200, body: "This too." }], approved: false })
            : review(),
      },
      [task("t1", "src/long.js")],
    );
    const [first = "", second = ""] = of("p11-review-work").map(({ text }) => text);
    expect(first).toContain("const round1 = 1;");
    expect(second).toMatch(/Since round 1:\n[\s\S]*1200\+const round2 = 1;/);
    expect(second).not.toContain("const round1 = 1;");
  });
});

describe("a new file whose name is taken", () => {
  it.each([
    ["test/a.test.js", "test/a-2.test.js"],
    ["pkg/a_test.go", "pkg/a_2_test.go"],
    ["src/ParserTest.java", "src/ParserTest2.java"],
  ])("gets a free one instead of %s", (path, expected) => {
    const made = { path, action: "create" as const };
    expect(withFreeName(made, (one) => one.path === path).path).toBe(expected);
    expect(withFreeName(made, () => false)).toBe(made);
    const modified = { path, action: "modify" as const };
    expect(withFreeName(modified, () => true)).toBe(modified);
  });
});

describe("the budget for look-ups", () => {
  it("grows with the number of files that may change, up to a limit", () => {
    expect([1, 3, 5, 9, 40].map(lookupRoom)).toEqual([20_000, 20_000, 25_000, 45_000, 60_000]);
  });
});

describe("the ends of writeCode in the lean profile", () => {
  const { run: coding, task, change, edit, review, two: TWO } = codingTogether;

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
