import { describe, expect, it } from "@jest/globals";
import { makePlan, writeCode } from "../../../src/agents/phases.ts";
import { planShape, type Task } from "../../../src/data/plan.ts";
import type { FakeCall, FakeScript } from "../../fakes/create-fake-model.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";
import { planOf } from "../../workflow/plan-of.ts";
import { codingTogether } from "./coding-together.ts";

const PLAN = {
  fails: true,
  at: { path: "a.js", line: 2 },
  questions: [],
  notes: [],
  reason: "It gives one.",
  agreed: "",
  title: "fix: give two",
  order: 'run("t1");',
  tasks: [
    {
      path: "a.js",
      action: "modify",
      title: "Change a.js",
      description: "Give two.",
      places: [],
      edits: [],
      summary: "",
      developer: { title: "Developer", description: "Takes care." },
    },
  ],
};
const { run: coding, task, change, edit, review, two: TWO } = codingTogether;

describe("writeCode in the lean profile", () => {
  it("makes a change in one call, and gets it reviewed in one", async () => {
    const { work, outcome, asked } = await coding({ "p09-change-file": TWO });
    expect(asked()).toEqual(["p09-change-file", "p11-review-work"]);
    expect(outcome).toMatchObject({
      status: "approved",
      summary: "It gives two.",
      qaEngineer: codingTogether.qaEngineer,
    });
    expect(work.patch).toContain("-  return 1;\n+  return 2;\n");
  });

  it("says that a task is being worked on only where a Developer is asked", async () => {
    const statuses = async (made: Task) => {
      const shop = await openWorkshop({ files: { "a.js": "one();\n" } });
      const said: string[] = [];
      const task: typeof shop.tools.tracker.task = async (id, status) => void said.push(`${id} ${status}`);
      await writeCode({ ...shop.tools, tracker: { ...shop.tools.tracker, task }, plan: planOf([made]) });
      return said;
    };
    const one = task("t1", "a.js");
    const draft = { edits: [edit(1, 1, "two();")], summary: "It gives two." };
    expect(await statuses({ ...one, draft })).not.toContain("t1 working");
    expect(await statuses(one)).toContain("t1 working");
  });

  it("pays no Developer for a file that cannot be edited, and says why", async () => {
    const files = {
      "model.bin.txt": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n",
      "strings.rc": new Uint8Array(Buffer.from("\uFEFFa", "utf16le")),
    };
    const shop = await openWorkshop({ files });
    const plan = planOf([task("t1", "model.bin.txt"), task("t2", "strings.rc")]);
    const { outcomes, changes } = await writeCode({ ...shop.tools, plan });
    expect([shop.asked(), changes]).toEqual([[], []]);
    expect(outcomes.map(({ status, summary }) => `${status}: ${summary}`)).toEqual([
      "unchanged: It is kept in Git LFS: its content is not here, so it is not edited.",
      "unchanged: It is not edited: text in UTF-16, which is not edited: it can be once it is saved in UTF-8.",
    ]);
  });

  it("fills an empty file, with the line ends of its siblings", async () => {
    const files = { "a.js": "one();\r\ntwo();\r\n", "empty.js": "" };
    const script = { "p09-change-file": change([edit(1, 0, "three();\nfour();")]) };
    const shop = await openWorkshop({ files, script });
    const { changes } = await writeCode({ ...shop.tools, plan: planOf([task("t1", "empty.js")]) });
    expect(changes).toMatchObject([{ kind: "modify", path: "empty.js", edits: [{ text: "three();\r\nfour();\r\n" }] }]);
  });

  describe("edits that change the meaning of neighbouring lines", () => {
    const files = { "c.js": "class A {\n  a = 1\n}\n" };
    const joined = [edit(3, 2, "  [b] = 2")];
    const parted = [edit(3, 2, "  b = 2")];
    const field = task("t1", "c.js");
    const run = async (script: FakeScript, draft?: readonly (typeof joined)[number][]) => {
      const shop = await openWorkshop({ files, script });
      const one = draft ? { ...field, draft: { edits: draft, summary: "Adds b." } } : field;
      const work = await writeCode({ ...shop.tools, plan: planOf([one]) });
      return { ...shop, work };
    };

    it("go back to the Developer once, with the lines", async () => {
      const { calls, work } = await run({
        "p09-change-file": ({ nth }: FakeCall) => change(nth === 1 ? joined : parted),
      });
      expect(calls[1]?.reply).toContain(
        "- Line 2 of the new file, `a = 1`, is joined with `[`, which stands after it.",
      );
      expect(work.patch).toContain("+  b = 2\n");
    });

    it("are accepted when the Developer insists", async () => {
      const { work, of } = await run({ "p09-change-file": change(joined) });
      expect(of("p09-change-file")).toHaveLength(2);
      expect(work.patch).toContain("+  [b] = 2\n");
    });

    it("go to a Developer when the Manager made them", async () => {
      const { work, of } = await run({ "p09-change-file": change(parted) }, joined);
      expect(of("p09-change-file")[0]?.text).toContain("is joined with `[`");
      expect(work.patch).toContain("+  b = 2\n");
    });

    it("are accepted at once when the Developer means the Manager's, having read what is said of them", async () => {
      const { work, of } = await run({ "p09-change-file": change(joined) }, joined);
      expect(of("p09-change-file")).toHaveLength(1);
      expect(work.patch).toContain("+  [b] = 2\n");
    });

    it("are left to the Developer when QA made them, and QA counts as a writer only for accepted edits", async () => {
      const reviewWith = (edits: readonly object[]) => ({
        "p09-change-file": ({ nth }: FakeCall) => change(nth === 1 ? [edit(2, 2, "  a = 3")] : parted),
        "p11-review-work": ({ nth }: FakeCall) =>
          review({
            comments: nth === 1 ? [{ path: "c.js", line: 2, body: "b is missing.", edits }] : [],
            approved: nth > 1,
          }),
      });
      const refused = await run(reviewWith(joined));
      expect(refused.of("p09-change-file")).toHaveLength(2);
      expect(refused.work.outcomes[0]?.writers).toEqual(["developer"]);
      const taken = await run(reviewWith(parted));
      expect(taken.of("p09-change-file")).toHaveLength(1);
      expect(taken.work.outcomes[0]?.writers).toEqual(["developer", "qa"]);
    });
  });

  it("shows QA the diff, the code around it, its uses, and whether there are tests", async () => {
    const { of } = await coding({ "p09-change-file": TWO });
    const text = of("p11-review-work")[0]?.text ?? "";
    for (const words of ["2+  return 2;", "-  return 1;", "b.js", "It gives one.", "Does a test fail without"]) {
      expect(text).toContain(words);
    }
  });

  it("begins every call of every role with the same tools, system text and issue", async () => {
    const shop = await openWorkshop({
      files: { "a.js": "export function one() {\n  return 1;\n}\n", "AGENTS.md": "Use tabs." },
      script: {
        "p04-plan-work": ({ nth }: FakeCall) =>
          nth === 1 ? { tools: [{ name: "read", input: { places: [{ path: "a.js" }] } }] } : PLAN,
        "p09-change-file": TWO,
        "p11-review-work": ({ nth }: FakeCall) =>
          nth === 1 ? review({ comments: [{ path: "a.js", line: 2, body: "No." }], approved: false }) : review(),
      },
    });
    const plan = await makePlan({ ...shop.tools, candidates: [shop.candidate("a.js")] });
    await writeCode({ ...shop.tools, plan });
    const { calls } = shop;
    expect(calls.length).toBeGreaterThanOrEqual(5);
    const beginnings = calls.map(({ request: { tools, system, parts } }) => JSON.stringify([tools, system, parts[0]]));
    expect(new Set(beginnings).size).toBe(1);
    expect(calls[0]?.request.tools?.map(({ name }) => name)).toEqual("search read plan change review".split(" "));
    expect(calls.every(({ request }) => request.schema === undefined)).toBe(true);
  });

  it("shows QA what the Manager was shown, in the same words, for the cache to be read", async () => {
    const shop = await openWorkshop({
      files: { "a.js": "export function one() {\n  return 1;\n}\n" },
      script: { "p04-plan-work": PLAN, "p09-change-file": TWO },
    });
    const plan = await makePlan({ ...shop.tools, candidates: [shop.candidate("a.js")] });
    await writeCode({ ...shop.tools, plan: planShape.parse(JSON.parse(JSON.stringify(plan))) });
    const [planned, reviewed] = ["p04-plan-work", "p11-review-work"].map(
      (id) => shop.of(id)[0]?.request.parts.filter(({ cache }) => cache) ?? [],
    );
    expect(planned?.at(-1)?.text).toContain("1|export function one() {");
    expect(reviewed).toEqual(planned);
  });

  it("sends back edits that are misplaced or break the file before QA sees them", async () => {
    const answers = [change([edit(2, 2, "  return 2;", "return 5;")]), TWO];
    const off = await coding({ "p09-change-file": ({ nth }: FakeCall) => answers[nth - 1] ?? TWO });
    expect(off.calls[1]?.reply).toContain(
      "the anchor `return 5;`, but line 2 is `return 1;`. No such line is in the file.",
    );
    expect(off.outcome?.status).toBe("approved");
    const broken = await coding({
      "p09-change-file": ({ nth }: FakeCall) => (nth === 1 ? change([edit(2, 2, "  return (2;")]) : TWO),
    });
    expect(broken.calls[1]?.reply).toContain("a.js");
    expect(broken.asked()).toEqual(["p09-change-file", "p09-change-file", "p11-review-work"]);
  });

  it("moves an edit with a wrong line number to its only matching anchor", async () => {
    const { asked, work } = await coding({ "p09-change-file": change([edit(1, 1, "  return 2;", "return 1;")]) });
    expect(asked()).toEqual(["p09-change-file", "p11-review-work"]);
    expect(work.patch).toContain("-  return 1;\n+  return 2;\n");
  });

  it.each([
    [2, 3, "first"],
    [8, 9, "second"],
    [10, 9, "second"],
    [6, undefined, "equally far from both"],
    [14, undefined, "too far from either"],
  ])("moves an edit of line %i with anchors at 3 and 9 to %s: %s", async (start, found, _where) => {
    const wrong = change([edit(start, start, "row twenty", "row of two")]);
    const right = change([edit(3, 3, "row twenty", "row of two")]);
    const script = { "p09-change-file": ({ nth }: FakeCall) => (nth === 1 ? wrong : right) };
    const { calls, work } = await coding(script, [task("t1", "twice.txt")]);
    expect(calls[1]?.reply !== undefined).toBe(found === undefined);
    expect(work.changes).toMatchObject([{ edits: [{ start: found ?? 3, end: found ?? 3 }] }]);
  });

  it("accepts an anchor with or without the shown line number, even if the line begins like one", async () => {
    for (const anchor of ["2|  return 1;", "2| return 1;", "  2 | return 1;", "return 1;"]) {
      const { asked } = await coding({ "p09-change-file": change([edit(2, 2, "  return 2;", anchor)]) });
      expect(asked()).toEqual(["p09-change-file", "p11-review-work"]);
    }
    const row = change([edit(1, 1, "12|13", "12|thirteen")]);
    const { asked } = await coding({ "p09-change-file": row }, [task("t1", "rows.txt")]);
    expect(asked()).toEqual(["p09-change-file", "p11-review-work"]);
  });

  it("continues from the last change with QA's comment, and settles it", async () => {
    const comment = { path: "a.js", line: 2, body: "It must be three." };
    const { outcome, of } = await coding({
      "p09-change-file": ({ nth }: FakeCall) =>
        nth === 1
          ? TWO
          : change([edit(2, 2, "  return 3;", "return 2;")], {
              replies: [{ comment: "t1-r1-1", reply: "It is now." }],
            }),
      "p11-review-work": ({ nth }: FakeCall) =>
        nth === 1 ? review({ comments: [comment], approved: false }) : review(),
    });
    expect(of("p09-change-file")[1]?.text).toMatch(
      /2\| {2}return 2;[\s\S]*This is another round[\s\S]*It must be three/,
    );
    expect(of("p11-review-work")[1]?.text).toContain(
      "The Developer's reply:\n\n```text from colleague\nIt is now.\n```",
    );
    expect(outcome).toMatchObject({
      status: "approved",
      comments: [{ id: "t1-r1-1", line: 2, status: "settled", reply: "It is now." }],
      attempts: [
        { round: 1, approved: false },
        { round: 2, approved: true, diff: expect.stringContaining("+  return 3;") },
      ],
    });
  });

  it("takes a reviewer's trivial fix without asking a Developer or another review", async () => {
    const comments = [{ path: "a.js", line: 2, body: "Say three.", edits: [edit(2, 2, "  return 3;", "return 2;")] }];
    const { work, outcome, asked } = await coding({
      "p09-change-file": TWO,
      "p11-review-work": review({ comments, approved: false, unfollowed: ["Two at once."] }),
    });
    expect(asked()).toEqual(["p09-change-file", "p11-review-work"]);
    expect(work.patch).toContain("-  return 1;\n+  return 3;\n");
    expect(work.unfollowed).toEqual(["Two at once."]);
    expect(outcome).toMatchObject({
      status: "mended",
      writers: ["developer", "qa"],
      comments: [{ id: "t1-r1-1", status: "settled", mended: true }],
      attempts: [{ round: 1, approved: true, diff: expect.stringContaining("+  return 3;") }],
    });
  });

  it.each([
    ["does not fit", edit(9, 9, "  return 3;", "return 9;")],
    ["breaks the file", edit(2, 2, "  return (3;", "return 2;")],
    ["is too long", edit(2, 2, "  a();\n".repeat(20), "return 2;")],
  ])("leaves a reviewer's fix that %s to the Developer", async (_, fix) => {
    const comments = [{ path: "a.js", line: 2, body: "Say three.", edits: [fix] }];
    const { asked, work } = await coding({
      "p09-change-file": ({ nth }: FakeCall) => (nth === 1 ? TWO : change([edit(2, 2, "  return 3;", "return 2;")])),
      "p11-review-work": ({ nth }: FakeCall) => (nth === 1 ? review({ comments, approved: false }) : review()),
    });
    expect(asked()).toEqual(["p09-change-file", "p11-review-work", "p09-change-file", "p11-review-work"]);
    expect(work.patch).toContain("+  return 3;\n");
  });

  it("leaves open comments after the last round to the maintainer", async () => {
    const comments = [{ path: "a.js", line: null, body: "Still not." }];
    const { outcome, of } = await coding({
      "p09-change-file": ({ nth }: FakeCall) => (nth === 1 ? TWO : change([])),
      "p11-review-work": review({ comments, approved: false }),
    });
    expect(outcome).toMatchObject({
      status: "open",
      comments: [{ status: "open" }, { status: "open" }, { status: "open" }],
    });
    expect(of("p11-review-work")).toHaveLength(3);
  });

  it("turns what the review finds missing into one more task, once", async () => {
    const missing = ["c.js: Add c. It is needed."];
    const script: FakeScript = {
      "p09-change-file": ({ text }: FakeCall) =>
        text.includes("on the file `c.js`") ? change([edit(1, 0, "export const c = 1;")]) : TWO,
      "p11-review-work": ({ nth }: FakeCall) => (nth === 1 ? review({ missing, approved: false }) : review()),
    };
    const { work } = await coding(script);
    expect(work.added).toMatchObject([{ id: "t2", path: "c.js", action: "create" }]);
    expect(work.changes.map(({ path }) => path)).toEqual(["a.js", "c.js"]);
  });

  it("adds no task for what another commit does, and none of the same id", async () => {
    const missing = ["test/a.test.js: Test it.", "c.js: Add c."];
    const shop = await openWorkshop({
      files: { "a.js": "export function one() {\n  return 1;\n}\n", "test/a.test.js": "test();\n" },
      script: {
        "p09-change-file": ({ text }: FakeCall) =>
          text.includes("on the file `c.js`") ? change([edit(1, 0, "export const c = 1;")]) : TWO,
        "p11-review-work": ({ nth }: FakeCall) => (nth === 1 ? review({ missing, approved: false }) : review()),
      },
    });
    const plan = planOf([task("t1", "a.js")]);
    const work = await writeCode({ ...shop.tools, plan, apart: [task("t2", "test/a.test.js")] });
    expect(work.added?.map(({ id, path }) => `${id} ${path}`)).toEqual(["t3 c.js"]);
  });

  it("takes what the review calls missing again for a comment on the task's file", async () => {
    const reviewed = async (words: string) => {
      const { work, of } = await coding({
        "p09-change-file": ({ text }: FakeCall) =>
          text.includes("on the file `c.js`") ? change([edit(1, 0, "export const c = 1;")]) : TWO,
        "p11-review-work": review({ missing: [words], approved: false }),
      });
      expect(work.outcomes.flatMap(({ comments }) => comments.map(({ body }) => body)).join()).not.toContain(
        "Not part",
      );
      return {
        of,
        comments: work.outcomes.map(({ comments }) => comments.map(({ path, body }) => `${path}: ${body}`)),
      };
    };
    // Of the second review and the third; the first adds the task.
    const added = await reviewed("c.js: Add c.");
    expect(added.comments).toEqual([[], ["c.js: Add c.", "c.js: Add c."]]);
    expect(added.of("p09-change-file").at(-1)?.text).toContain("What must be put right:\n\n- t2-r2-1");
    const planned = await reviewed("a.js: Give three.");
    expect(planned.comments[0]).toContain("a.js: Give three.");
  });

  it("shows a task the changes of earlier tasks, but not of concurrent ones", async () => {
    const script: FakeScript = {
      "p09-change-file": ({ text }: FakeCall) =>
        text.includes("on the file `a.js`") ? TWO : change([edit(2, 2, "one(2);")]),
    };
    const tasks = [task("t1", "a.js"), task("t2", "b.js")];
    const seen = (shop: { of(id: string): FakeCall[] }) =>
      shop
        .of("p09-change-file")
        .find(({ text }) => text.includes("on the file `b.js`"))
        ?.text.includes("+  return 2;");
    expect(seen(await coding(script, tasks))).toBe(true);
    const order = { concurrently: [{ run: "t1" }, { run: "t2" }] };
    expect(seen(await coding(script, tasks, { order }))).toBe(false);
  });

  it("keeps the other tasks when one fails, and tries it again in the next round", async () => {
    const script = (from: number): FakeScript => ({
      "p09-change-file": ({ text, nth }: FakeCall) => {
        if (!text.includes("on the file `b.js`")) return TWO;
        return change([nth < from ? edit(9, 9, "x") : edit(2, 2, "one(2);")]);
      },
    });
    const tasks = [task("t1", "a.js"), task("t2", "b.js")];
    const later = await coding(script(4), tasks);
    expect(later.work.outcomes.map(({ status }) => status)).toEqual(["approved", "approved"]);
    const never = await coding(script(99), tasks);
    expect(never.work.outcomes.map(({ status }) => status)).toEqual(["approved", "failed"]);
    expect(never.work.changes.map(({ path }) => path)).toEqual(["a.js"]);
  });
});
