import { describe, expect, it } from "@jest/globals";
import { makePlan } from "../../../src/agents/phases.ts";
import { MagisError } from "../../../src/data/error.ts";
import type { RunSettings } from "../../../src/data/settings.ts";
import type { FakeCall, FakeScript } from "../../fakes/create-fake-model.ts";
import { PAPER } from "../../fakes/sample-settings.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";
import { coding } from "./coding.ts";

const FILES = { "a.js": "let a;\n", "b.js": "let b;\n", "c.js": "let c;\n" };
const none = { needed: false, reason: "Only reads it.", action: "modify", title: "", description: "", newFiles: [] };
const needed = {
  needed: true,
  reason: "It must.",
  action: "modify",
  title: "Do it",
  description: "Do it.",
  newFiles: [],
};
const close = { summary: "All agreed.", revised: [], dropped: [], added: [] };
const fileIn = ({ text }: FakeCall) => /^# The file `(.+)`$/m.exec(text)?.[1];

async function planned(
  script: FakeScript = {},
  paths: readonly string[] = Object.keys(FILES),
  settings: Partial<RunSettings> = {},
) {
  const files = { ...FILES, "package-lock.json": "{}\n", "src/x.js": "x\n" };
  const shop = await openWorkshop({ files, script, settings: { ...PAPER, ...settings } });
  const plan = await makePlan({ ...shop.tools, candidates: paths.map(shop.candidate) });
  return { ...shop, plan };
}

describe("tasks (P4) and their Developers (P5)", () => {
  it("asks nothing else and says why when no candidate needs a task", async () => {
    const { plan, asked } = await planned({ "p04-define-task": none });
    expect(plan.tasks).toEqual([]);
    expect(plan.reason).toBe("`a.js`: Only reads it.\n`b.js`: Only reads it.\n`c.js`: Only reads it.");
    expect(new Set(asked())).toEqual(new Set(["p04-define-task"]));
  });

  it("says so when there are no candidates", async () => {
    const { plan, asked } = await planned({}, []);
    expect(plan.reason).toBe("No file of the repository has anything in common with the issue.");
    expect(asked()).toEqual([]);
  });

  it("sends back a task without a title once", async () => {
    const script = { "p04-define-task": ({ nth }: FakeCall) => (nth === 1 ? { ...needed, title: " " } : needed) };
    const { plan, of } = await planned(script, ["a.js"]);
    expect(plan.tasks).toHaveLength(1);
    expect(of("p04-define-task")[1]?.reply).toContain("must have a title and a description");
  });

  it("makes one task of a new file that two candidates ask for, with both descriptions", async () => {
    const asking = (call: FakeCall) => ({
      ...none,
      newFiles: [{ path: "new.js", title: "New", description: `For ${fileIn(call)}.` }],
    });
    const { plan } = await planned({ "p04-define-task": asking }, ["a.js", "b.js"]);
    expect(plan.tasks).toMatchObject([
      { id: "t1", path: "new.js", action: "create", description: "For a.js.\n\nFor b.js." },
    ]);
  });

  it.each([
    ["../out.js", "this is not a path inside the repository"],
    ["a.js", "the file exists already"],
    ["src", "this is a folder"],
    ["a.js/b.js", "a folder of this path is a file"],
    ["logo.png", "files of this kind are not edited"],
    [".github/workflows/ci.yml", "it is protected (`/.github/workflows/**`)"],
  ])("refuses to create %s, and says why", async (path, reason) => {
    const script = { "p04-define-task": { ...none, newFiles: [{ path, title: "New", description: "New." }] } };
    const { plan, record } = await planned(script, ["b.js"]);
    expect(plan.tasks).toEqual([]);
    expect(record.tasks).toMatchObject({ refused: [{ path, reason: expect.stringContaining(reason) }] });
    expect(plan.reason).toContain(reason);
  });
});

describe("a team of one", () => {
  it("holds no meeting and needs no plan", async () => {
    const { plan, asked } = await planned({}, ["b.js"]);
    expect(asked()).toEqual(["p04-define-task", "p05-describe-developer"]);
    expect(plan).toMatchObject({ order: { run: "t1" }, meeting: [], agreed: "", source: 'run("t1");' });
    expect(plan.tasks[0]?.developer.title).toBe("Developer for b.js");
  });
});

describe("the kick-off meeting", () => {
  it("lets each Developer speak in turn and hear everything said before", async () => {
    const { plan, of } = await planned();
    const speeches = ["Let us begin.", "I speak for t1.", "I speak for t2.", "I speak for t3."];
    const heard = of("m02-speak-in-meeting").map(({ text }) => speeches.filter((speech) => text.includes(speech)));
    expect(heard).toEqual([speeches.slice(0, 1), speeches.slice(0, 2), speeches.slice(0, 3)]);
    expect(speeches.every((speech) => of("m03-close-meeting")[0]?.text.includes(speech))).toBe(true);
    expect(plan.meeting.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      "Manager: Let us begin.",
      "Developer for a.js (t1): I speak for t1.",
      "Developer for b.js (t2): I speak for t2.",
      "Developer for c.js (t3): I speak for t3.",
      "Manager: All agreed.",
    ]);
  });

  it("lets each Developer adjust its role (P6) to what was agreed", async () => {
    const { plan } = await planned();
    expect(plan.tasks.map(({ developer }) => developer.title)).toEqual(
      Object.keys(FILES).map((path) => `Adjusted Developer for ${path}`),
    );
  });

  it("gives P6 and P7 the whole record, not only the Manager's summary", async () => {
    const { of } = await planned();
    const said = ["Let us begin.", "I speak for t1.", "I speak for t2.", "I speak for t3.", "All agreed."];
    const readers = [...of("p06-adjust-role"), ...of("p07-write-plan")];
    expect(readers).toHaveLength(4);
    expect(readers.map(({ text }) => said.filter((speech) => text.includes(speech)))).toEqual(readers.map(() => said));
  });

  it("can be left out: nobody speaks or adjusts a role, and P7 plans without a record", async () => {
    const { plan, asked, of } = await planned({}, Object.keys(FILES), { ablate: ["meeting"] });
    expect(asked().filter((id) => /^(m0|p06)/.test(id))).toEqual([]);
    expect(plan).toMatchObject({ meeting: [], agreed: "" });
    expect(plan.tasks.map(({ developer }) => developer.title)).toEqual([
      "Developer for a.js",
      "Developer for b.js",
      "Developer for c.js",
    ]);
    expect(of("p07-write-plan")[0]?.text).not.toContain("kick-off meeting");
  });

  it("drops, revises and adds tasks, and an added one gets a Developer", async () => {
    const added = { path: "d.js", action: "create", title: "Add d", description: "Add d." };
    const closing = { ...close, dropped: ["t2"], revised: [{ id: "t1", description: "Better." }], added: [added] };
    const { plan } = await planned({ "m03-close-meeting": closing });
    expect(plan.tasks.map(({ id, path, description }) => [id, path, description])).toEqual([
      ["t1", "a.js", "Better."],
      ["t3", "c.js", "Do in c.js what the issue asks for."],
      ["t4", "d.js", "Add d."],
    ]);
    expect(plan.tasks[2]?.developer.title).toBe("Adjusted Developer for d.js");
  });

  it("adds no refused, taken or repeated path", async () => {
    const add = (path: string, action: string) => ({ path, action, title: "Add", description: "Add." });
    const added = [
      add("a.js", "modify"),
      add("../x.js", "create"),
      add("gone.js", "delete"),
      add("package-lock.json", "modify"),
      add("d.js", "create"),
      add("d.js", "create"),
    ];
    const { plan } = await planned({ "m03-close-meeting": { ...close, added } });
    expect(plan.tasks.map(({ path }) => path)).toEqual(["a.js", "b.js", "c.js", "d.js"]);
  });

  it("keeps all tasks when it drops every one", async () => {
    const { plan } = await planned({ "m03-close-meeting": { ...close, dropped: ["t1", "t2", "t3"] } });
    expect(plan.tasks).toHaveLength(3);
  });
});

describe("the work plan (P7)", () => {
  const GOOD = 'run("t2");\nconcurrently(run("t1"), run("t3"));';

  it("is parsed from code into the order", async () => {
    const { plan } = await planned({ "p07-write-plan": `\`\`\`js\n${GOOD}\n\`\`\`` });
    expect(plan.order).toEqual({ sequence: [{ run: "t2" }, { concurrently: [{ run: "t1" }, { run: "t3" }] }] });
    expect(plan.fallback).toBeUndefined();
  });

  it("goes back once with the reason when it is wrong", async () => {
    const script = { "p07-write-plan": ({ nth }: FakeCall) => (nth === 1 ? 'run("t1");' : GOOD) };
    const { plan, of } = await planned(script);
    expect(of("p07-write-plan")[1]?.request.earlier).toEqual([
      { answer: 'run("t1");', reply: expect.stringMatching(/^Missing: t2, t3\./) },
    ]);
    expect(plan.fallback).toBeUndefined();
    expect(plan.source).toBe(GOOD);
  });

  it("falls back to one task after the other when it is wrong twice, and says why", async () => {
    const { plan, asked } = await planned({ "p07-write-plan": "process.exit(1)" });
    expect(asked().filter((id) => id === "p07-write-plan")).toHaveLength(2);
    expect(plan.order).toEqual({ sequence: [{ run: "t1" }, { run: "t2" }, { run: "t3" }] });
    expect(plan.fallback).toContain("process.exit(1)");
  });
});

const { comment, task, run: coded } = coding;
const a = coding.task("t1", "a.txt");

describe("new and deleted files", () => {
  it("writes a new file whole, without P9", async () => {
    const { work, asked } = await coded({}, [task("t1", "new.txt", "create")]);
    expect(asked()).toEqual(["p08-describe-qa-engineer", "p10-write-new-file", "p11-review-change"]);
    expect(work.changes).toEqual([{ kind: "create", path: "new.txt", content: "A new file.\n" }]);
  });

  it("reviews a deletion once, and leaves QA's objection to the maintainer, on the whole file", async () => {
    const review = { "p11-review-change": comment("Others need it.", 3) };
    const { work, asked, outcome } = await coded(review, [task("t1", "b.txt", "delete")]);
    expect(asked()).toEqual(["p08-describe-qa-engineer", "p11-review-change"]);
    expect(outcome).toMatchObject({ status: "open", comments: [{ body: "Others need it." }] });
    expect(outcome?.comments[0]).not.toHaveProperty("line");
    expect(work.changes).toEqual([{ kind: "delete", path: "b.txt" }]);
  });
});

describe("the plan's order", () => {
  const four = [a, task("t2", "b.txt"), task("t3", "c.txt"), task("t4", "d.txt")];
  const order = {
    sequence: [{ run: "t1" }, { concurrently: [{ sequence: [{ run: "t2" }, { run: "t4" }] }, { run: "t3" }] }],
  };

  it("shows a task the changes of earlier tasks, never of concurrent ones", async () => {
    const { of } = await coded({}, four, order);
    const seen = (id: string) => {
      const call = of("p09-locate-lines").find(({ text }) => text.includes(`the Developer of task ${id} on`));
      return [...(call?.text ?? "").matchAll(/^\+changed by (t\d)$/gm)].map(([, other]) => other);
    };
    expect([seen("t1"), seen("t2"), seen("t3"), seen("t4")]).toEqual([[], ["t1"], ["t1"], ["t1", "t2"]]);
  });

  it("runs concurrent tasks at the same time", async () => {
    let both = () => undefined as undefined;
    const met = new Promise<undefined>((resolve) => {
      both = () => resolve(undefined) as undefined;
    });
    let begun = 0;
    const waiting = async (call: FakeCall) => {
      begun += 1;
      if (begun === 2) both();
      await met;
      return { title: `QA ${call.nth}`, description: "Looks." };
    };
    const { work } = await coded({ "p08-describe-qa-engineer": waiting }, [a, task("t2", "b.txt")], {
      concurrently: [{ run: "t1" }, { run: "t2" }],
    });
    expect(work.outcomes).toHaveLength(2);
  });

  it("lets the other tasks go on when one fails", async () => {
    const refused = new MagisError("MODEL_REFUSED", "The model declined.");
    const script = { "p10-write-code": ({ text }: FakeCall) => (text.includes("task t2") ? refused : "fine") };
    const { work } = await coded(script, four, order);
    expect(work.outcomes.map(({ taskId, status }) => `${taskId} ${status}`)).toEqual([
      "t1 approved",
      "t2 failed",
      "t4 approved",
      "t3 approved",
    ]);
    expect(work.changes.map(({ path }) => path)).toEqual(["a.txt", "c.txt", "d.txt"]);
  });

  it("ends the phase on any other error", async () => {
    const away = new MagisError("MODEL_UNAVAILABLE", "The model is away.");
    await expect(coded({ "p10-write-code": away })).rejects.toBe(away);
  });

  it("keeps finished tasks and names the others when the budget runs out", async () => {
    const spent = new MagisError("BUDGET_REACHED", "The run has reached its budget.", { limit: "tokens" });
    const script = { "p10-write-code": ({ text }: FakeCall) => (/of task t[24] /.test(text) ? spent : "fine") };
    const { work, tools } = await coded(script, four, order);
    expect(work.changes.map(({ path }) => path)).toEqual(["a.txt", "c.txt"]);
    expect(work.patch).toContain("+fine");
    expect(work.stopped).toEqual({ limit: "tokens", unfinished: ["Change b.txt (`b.txt`)", "Change d.txt (`d.txt`)"] });
    expect(tools.tracker.state().tasks).toEqual([]);
  });
});
