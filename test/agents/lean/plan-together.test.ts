import { describe, expect, it } from "@jest/globals";
import { makePlan } from "../../../src/agents/phases.ts";
import type { IssueSnapshot } from "../../../src/data/discussion.ts";
import type { Candidate } from "../../../src/data/plan.ts";
import type { PastCommit } from "../../../src/git/repository.ts";
import { resultOfPlan } from "../../../src/run/ends.ts";
import type { FakeCall, FakeScript } from "../../fakes/create-fake-model.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";

const FILES = {
  "src/money.js": "export const a = 1;\n",
  "src/invoice.js": "import './money.js';\n",
  "test/money.test.js": "test();\n",
  "package-lock.json": "{}\n",
};
const task = (path: string, changes: object = {}) => ({
  path,
  action: "modify",
  title: `Change ${path}`,
  description: `Change ${path}.`,
  places: [],
  edits: [],
  summary: "",
  developer: { title: "Developer", description: "Takes care." },
  ...changes,
});
const answer = (tasks: readonly object[], changes: object = {}) => ({
  fails: tasks.length > 0,
  at: { path: "src/money.js", line: 1 },
  questions: [],
  notes: [],
  reason: "money.js rounds down.",
  tasks,
  order: 'run("t1");',
  agreed: "roundCents",
  title: "feat(money): round amounts",
  ...changes,
});

async function planning(script: FakeScript, { ablate = [] as "tools"[], uses = {} as Record<string, "read"> } = {}) {
  const shop = await openWorkshop({ files: FILES, script, settings: { ablate } });
  const candidates = ["src/money.js", "src/invoice.js"].map((path): Candidate => {
    const use = uses[path];
    return { ...shop.candidate(path), use };
  });
  return { ...shop, plan: () => makePlan({ ...shop.tools, candidates }) };
}

describe("makePlan in the lean profile", () => {
  describe("where changes come with notes for users", () => {
    const planned = async (files: Readonly<Record<string, string>>, noteOf: (at: number) => string, path: string) => {
      const tasks = [task("src/money.js"), task(path, { action: path in files ? "modify" : "create" })];
      const shop = await openWorkshop({ files: { ...FILES, ...files }, script: { "p04-plan-work": answer(tasks) } });
      const past = Array.from({ length: 12 }, (_, at) => ({
        commit: `${at}`,
        message: "Round",
        paths: ["src/money.js", noteOf(at)],
      }));
      const repository = { ...shop.tools.repository, landed: async () => past };
      const plan = await makePlan({ ...shop.tools, repository, candidates: [shop.candidate("src/money.js")] });
      return { plan, text: shop.of("p04-plan-work")[0]?.text ?? "" };
    };
    const notes = { "news/3.bugfix.md": "Threes.\n", "news/5.bugfix.md": "Fives.\n", "news/9.bugfix.md": "Nines.\n" };

    it("shows the two newest that stand to Manager and Developer, and the issue's number", async () => {
      const { plan, text } = await planned(notes, (at) => `news/${at}.bugfix.md`, "news/7.bugfix.md");
      expect(text).toContain("Changes to the code usually come with a note for users, in a file of its own");
      expect(text).toMatch(/`news\/3\.bugfix\.md`:[\s\S]*Threes\.[\s\S]*Fives\./);
      expect(text).not.toContain("Nines.");
      expect(text).toContain("with number 7 if they have one");
      const places = ["news/3.bugfix.md", "news/5.bugfix.md"].map((path) => expect.objectContaining({ path }));
      expect(plan.tasks[1]).toMatchObject({ path: "news/7.bugfix.md", places });
      expect(plan.tasks[0]?.places).toEqual([]);
    });

    it("cuts long ones", async () => {
      const long = { ...notes, "news/5.bugfix.md": `Fives.\n${"More.\n".repeat(400)}` };
      const { text } = await planned(long, (at) => `news/${at}.bugfix.md`, "news/7.bugfix.md");
      expect(text).toContain("Fives.");
      expect(text.match(/^More\.$/gm)?.length).toBeLessThan(200);
    });

    it("names them when a release took them away", async () => {
      const { text } = await planned({}, (at) => `news/${at}.bugfix.md`, "news/7.bugfix.md");
      expect(text).toMatch(/The newest names:\n\n- `news\/0\.bugfix\.md`\n- `news\/1/);
    });

    it("shows the beginning of a changelog, numbered", async () => {
      const lines = Array.from({ length: 80 }, (_, at) => `- Entry ${at}.\n`);
      const { plan, text } = await planned({ "CHANGES.md": lines.join("") }, () => "CHANGES.md", "CHANGES.md");
      expect(text).toMatch(/`CHANGES\.md` begins:[\s\S]*50\|- Entry 49\./);
      expect(text).not.toContain("Entry 50.");
      expect(plan.tasks[1]?.places).toEqual([{ path: "CHANGES.md", start: 1, end: 50 }]);
    });

    it.each(["### Preview", "Preview\n-------"])(
      "shows each section of a changelog by its newest entries: %s",
      async (heading) => {
        const entries = Array.from({ length: 60 }, (_, at) => `- Entry ${at}.\n`).join("");
        const text = `# Changes\n\n## Unreleased\n\n${entries}\n${heading}\n\n- Shown first.\n${entries}`;
        const { text: prompt } = await planned({ "CHANGES.md": text }, () => "CHANGES.md", "CHANGES.md");
        expect(prompt).toContain("Shown first.");
        expect(prompt).toContain("Entry 1.");
        expect(prompt).not.toContain("Entry 20.");
      },
    );
  });

  it("gets tasks, team, order and description from one call", async () => {
    const order = 'concurrently(run("t1"), run("t2"));';
    const { plan, asked, record } = await planning({
      "p04-plan-work": answer([task("src/money.js"), task("src/round.js", { action: "create" })], { order }),
    });
    expect(await plan()).toMatchObject({
      tasks: [
        { id: "t1", path: "src/money.js", developer: { title: "Developer" } },
        { id: "t2", path: "src/round.js", action: "create" },
      ],
      order: { concurrently: [{ run: "t1" }, { run: "t2" }] },
      source: order,
      meeting: [],
      agreed: "roundCents",
      reason: "money.js rounds down.",
      refused: 0,
      description: { type: "feat", title: "round amounts", problem: "money.js rounds down." },
    });
    expect(asked()).toEqual(["p04-plan-work"]);
    expect(record.plan).toMatchObject({ reason: "money.js rounds down." });
  });

  it("sends back a plan that creates an existing file, and gives the file a free name if it comes again", async () => {
    const twice = answer([task("test/money.test.js", { action: "create" })]);
    const { plan, calls, asked } = await planning({ "p04-plan-work": twice });
    expect((await plan()).tasks).toMatchObject([{ path: "test/money-2.test.js", action: "create" }]);
    expect(asked()).toEqual(["p04-plan-work", "p04-plan-work"]);
    expect(calls[1]?.reply).toContain("the file exists already");
  });

  it("plans to fill an empty file", async () => {
    const script = { "p04-plan-work": answer([task("notes.md")], { at: { path: "notes.md", line: 0 } }) };
    const shop = await openWorkshop({ files: { "notes.md": "" }, script });
    const plan = await makePlan({ ...shop.tools, candidates: [shop.candidate("notes.md")] });
    expect(plan.tasks).toMatchObject([{ path: "notes.md", action: "modify" }]);
    expect(shop.asked()).toEqual(["p04-plan-work"]);
  });

  it("shows files to change before files to read, and their tests", async () => {
    const { plan, of } = await planning({ "p04-plan-work": answer([]) }, { uses: { "src/money.js": "read" } });
    await plan();
    const text = of("p04-plan-work")[0]?.text ?? "";
    expect(text).toMatch(
      /`src\/invoice\.js` \(1 lines\)[\s\S]*`src\/money\.js` \(1 lines\)[\s\S]*- `test\/money\.test\.js`/,
    );
  });

  it("lets the Manager look around, and explains files left out of the search", async () => {
    const looks = [
      { name: "read", input: { places: [{ path: "test/money.test.js" }] } },
      { name: "read", input: { places: [{ path: "package-lock.json" }] } },
    ];
    const { plan, calls } = await planning({
      "p04-plan-work": ({ nth }: FakeCall) => (nth === 1 ? { tools: looks } : answer([task("src/money.js")])),
    });
    expect((await plan()).tasks).toHaveLength(1);
    const [exchange] = calls[1]?.request.earlier ?? [];
    const results = exchange && "results" in exchange ? exchange.results.map(({ text }) => text) : [];
    expect(results[0]).toContain("1|test();");
    expect(results[1]).toMatch(/^package-lock\.json is left out of what is searched: lock files \(a lock file\)\./);
  });

  it("offers no look-ups without the tools", async () => {
    const { plan, calls } = await planning({ "p04-plan-work": answer([]) }, { ablate: ["tools"] });
    await plan();
    expect(calls[0]?.request.tools?.map(({ name }) => name)).toEqual(["plan", "change", "review"]);
    expect(calls[0]?.request.keep).toBeUndefined();
    expect(calls[0]?.text).not.toContain("look around");
  });

  it.each([
    ["tasks for an example that does not fail", { fails: false }, "The example does not fail"],
    ["a line beyond the end", { at: { path: "src/money.js", line: 40 } }, "src/money.js has 1 lines."],
    ["no line", { at: { path: "src/money.js", line: 0 } }, "src/money.js has 1 lines."],
    ["an unknown file", { at: { path: "src/none.js", line: 1 } }, "There is no file src/none.js."],
    ["tasks and questions", { questions: ["What?"] }, "give tasks or questions, not both"],
  ])("sends back %s", async (_, changes, words) => {
    const good = answer([task("src/money.js")]);
    const script = { "p04-plan-work": ({ nth }: FakeCall) => (nth === 1 ? { ...good, ...changes } : good) };
    const { plan, calls } = await planning(script);
    expect((await plan()).tasks).toHaveLength(1);
    expect(calls[1]?.reply).toContain(words);
  });

  it("accepts a new file as the place of the example", async () => {
    const created = { ...task("src/new.js"), action: "create" };
    const at = { path: "src/new.js", line: 0 };
    const { plan, calls } = await planning({ "p04-plan-work": { ...answer([created]), at } });
    expect((await plan()).tasks).toHaveLength(1);
    expect(calls).toHaveLength(1);
  });

  it("needs evidence that nothing has to change, and quotes it, unless the fault lies elsewhere", async () => {
    const none = { ...answer([]), fails: false, title: "" };
    const there = await planning({ "p04-plan-work": none });
    expect((await there.plan()).reason).toBe("money.js rounds down.\n`src/money.js`, line 1: `export const a = 1;`");
    const elsewhere = await planning({ "p04-plan-work": { ...none, fails: true, at: { path: "", line: 0 } } });
    expect((await elsewhere.plan()).reason).toMatch(/^money\.js rounds down\.\n/);
  });

  it("reports a failing example without a task, with the notes", async () => {
    const fails = { ...answer([]), fails: true, title: "", notes: ["`invoice.js` has it, too."] };
    const plan = await (await planning({ "p04-plan-work": fails })).plan();
    expect(resultOfPlan(plan)).toEqual({
      kind: "gave-up",
      reason:
        "money.js rounds down.\nThe example fails, and yet no change to this repository was planned.\n`invoice.js` has it, too.",
    });
    const none = await (await planning({ "p04-plan-work": { ...answer([]), title: "" } })).plan();
    expect(resultOfPlan(none)).toMatchObject({ kind: "nothing-to-change" });
  });

  it("asks nobody without candidates, and says what it searched for", async () => {
    const { tools, asked } = await planning({});
    const plan = await makePlan({ ...tools, candidates: [] });
    expect(asked()).toEqual([]);
    expect(resultOfPlan(plan)).toMatchObject({ kind: "gave-up" });
    expect(plan.reason).toMatch(/^No file was found that this issue is about: 3 files were searched for `\w+`/);
    expect(plan.reason).toContain("1 file left out (lock files 1): package-lock.json.");
  });

  describe("when nothing has to change", () => {
    const commit = (at: number) => `${at}`.repeat(40);
    const past = (at: number, message: string, ...paths: string[]): PastCommit => ({
      commit: commit(at),
      message,
      paths,
    });
    const notesFor = async (history: readonly PastCommit[], issue: Partial<IssueSnapshot>, changes: object = {}) => {
      const none = { ...answer([]), fails: false, title: "", ...changes };
      const shop = await planning({ "p04-plan-work": none });
      const repository = { ...shop.tools.repository, history: async () => history };
      const { reason } = await makePlan({
        ...shop.tools,
        repository,
        candidates: [shop.candidate("src/money.js")],
        issue: { ...sampleIssue(), number: 7, title: "Halves are cut off", body: "", discussion: [], ...issue },
      });
      return reason.split("\n").slice(2);
    };
    const file = "src/money.js";

    it.each([
      [
        "closes it",
        [past(1, "Round halves\n\nFixes #7", "x.js")],
        {},
        `Commit ${commit(1)} closes this issue: \`Round halves\``,
      ],
      [
        "closes an issue that a comment names",
        [past(1, "Round (#70)", file), past(2, "Round halves (#71)\n\nresolved: #55", "x.js")],
        { discussion: [{ author: "ben", body: "Is it a duplicate of #55?" }] },
        `Commit ${commit(2)} closes \`#55\`, which is named here: \`Round halves (#71)\``,
      ],
    ] as const)("names the commit that %s", async (_, history, issue, sentence) => {
      expect(await notesFor([past(9, "Something else", file), ...history], issue)).toEqual([sentence]);
    });

    it.each([
      ["a commit only mentions the number", [past(1, "Since #7 this fails\n\nFixes #70", "x.js")], {}],
      [
        "a reference names no issue of this repository",
        [past(1, "Fixes #5", "x.js")],
        { body: "See other/repository#5 and &#5;" },
      ],
    ] as const)("names no commit when %s", async (_, history, issue) => {
      expect(await notesFor(history, issue)).toEqual([]);
    });

    it("names neither when something has to be done elsewhere", async () => {
      const changes = { fails: true, at: { path: "", line: 0 } };
      expect(await notesFor([past(1, "Fixes #7", file)], {}, changes)).toEqual([]);
    });
  });

  it("keeps notes for the maintainer along with the tasks", async () => {
    const notes = ["`parse` has the same fault."];
    const { plan } = await planning({ "p04-plan-work": { ...answer([task("src/money.js")]), notes } });
    expect(await plan()).toMatchObject({ notes, tasks: [{}] });
  });

  it("sends back an unknown path with the nearest one, and two tasks on one file", async () => {
    const missing = await planning({
      "p04-plan-work": ({ nth }: FakeCall) => answer([task(nth === 1 ? "lib/money.js" : "src/money.js")]),
    });
    expect((await missing.plan()).tasks).toMatchObject([{ path: "src/money.js" }]);
    expect(missing.calls[1]?.reply).toContain("lib/money.js: there is no such file. Did you mean src/money.js?");
    const twice = await planning({
      "p04-plan-work": ({ nth }: FakeCall) =>
        answer(nth === 1 ? [task("src/money.js"), task("src/money.js")] : [task("src/money.js")]),
    });
    await twice.plan();
    expect(twice.calls[1]?.reply).toBe("There are two tasks on src/money.js. Make them one.");
  });

  it("leaves protected files alone, and says so", async () => {
    const { plan } = await planning({ "p04-plan-work": answer([task("LICENSE", { action: "create" })]) });
    expect(await plan()).toMatchObject({
      tasks: [],
      refused: 1,
      reason: expect.stringContaining("`LICENSE`: left alone"),
    });
  });

  it("runs the tasks one after the other when the order is invalid", async () => {
    const tasks = [task("src/money.js"), task("src/invoice.js")];
    const { plan, asked } = await planning({ "p04-plan-work": answer(tasks, { order: "while (true) {}" }) });
    expect(await plan()).toMatchObject({
      order: { sequence: [{ run: "t1" }, { run: "t2" }] },
      fallback: expect.stringContaining("Line 1 of the plan"),
    });
    expect(asked()).toHaveLength(1);
  });
});
