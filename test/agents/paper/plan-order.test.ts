import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import type { FakeCall } from "../../fakes/create-fake-model.ts";
import { coding } from "./coding.ts";

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
