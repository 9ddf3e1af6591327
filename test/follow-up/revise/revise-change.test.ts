import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import { keptSteps } from "../../workflow/kept-steps.ts";
import { revising } from "./revising.ts";

const comments = {
  "r01-assign-comments": { replies: [{ comment: "re1", reply: "So it is." }], tasks: [] },
};

describe("revisePullRequest", () => {
  it("answers a thread with one commit and one reply, by the earlier run's Developer and QA Engineer", async () => {
    const shop = await revising();
    const thread = shop.thread("a.txt", "Another word.", "ana", { line: 1 });
    expect(await shop.run()).toMatchObject({ kind: "published", openThreads: 1 });
    expect(shop.asked()).toEqual(["p09-locate-lines", "p10-write-code", "p11-review-change", "d01-describe-change"]);
    expect(shop.state.objects.commit(shop.tip()).parents).toEqual([shop.head]);
    expect(shop.state.objects.textAt(shop.tip(), "a.txt")).toBe("changed\n");
    expect(thread.comments).toHaveLength(2);
    expect(thread.comments[1]?.body).toContain(`It is done, as th1 says.\n\nChanged in ${shop.tip()}.`);
    expect(thread.resolved).toBe(false);
    const p9 = shop.of("p09-locate-lines")[0]?.text ?? "";
    expect(p9).toContain("You are the `Money developer t1`");
    expect(p9).toContain("ana:\n\n```text from maintainer\nAnother word.\n```");
  });

  // Line 3 of five is changed, or a line is inserted above it.
  it.each<[{ line?: number; startLine?: number }, string, boolean]>([
    [{ line: 3 }, "changed", true],
    [{ startLine: 1, line: 4 }, "changed", true],
    [{ startLine: 3, line: 5 }, "changed", true],
    [{ line: 2 }, "changed", false],
    [{ line: 4 }, "changed", false],
    [{ startLine: 4, line: 5 }, "changed", false],
    [{ line: 2 }, "inserted\nthree", true],
    [{ line: 3 }, "inserted\nthree", true],
    [{ line: 1 }, "inserted\nthree", false],
    [{}, "changed", false],
  ])("says in a thread at %j, when line 3 becomes %j, whether its lines were changed", async (lines, code, isHere) => {
    const locate = {
      intervals: [{ start: 3, end: 3, change: "It." }],
      summary: "Done.",
      replies: [{ comment: "th1", reply: "So." }],
    };
    const shop = await revising(
      { "p09-locate-lines": locate, "p10-write-code": code },
      {},
      { first: { "a.txt": "one\ntwo\nthree\nfour\nfive\n" } },
    );
    const thread = shop.thread("a.txt", "Why not a table?", "ana", lines);
    await shop.run();
    const answer = thread.comments[1]?.body ?? "";
    const others = lines.line === undefined ? `${shop.tip()} changes this file.` : "These lines are as they were.";
    expect(answer).toContain(isHere ? `Changed in ${shop.tip()}.` : others);
    expect(answer.includes("Changed in")).toBe(isHere);
  });

  it("describes a new team for a file that the earlier run did not change", async () => {
    const shop = await revising();
    shop.thread("b.txt", "This one too.");
    await shop.run();
    expect(shop.asked().slice(0, 2)).toEqual(["p05-describe-developer", "p08-describe-qa-engineer"]);
  });

  it.each([
    ["everything is answered", 0, { open: true }],
    ["the pull request is closed", 1, { open: false }],
    ["it is not the app's", 1, { byApp: false }],
  ])("ends silently when %s", async (_why, threads, change) => {
    const shop = await revising();
    const [pull] = shop.state.pullRequests;
    if (pull) shop.state.pullRequests[0] = { ...pull, ...change };
    for (let made = 0; made < threads; made++) shop.thread("a.txt", "Another word.");
    expect(await shop.run()).toMatchObject({ kind: "nothing-to-change" });
    expect(shop.asked()).toEqual([]);
    expect(shop.state.comments).toEqual([]);
    expect(shop.tip()).toBe(shop.head);
  });

  it("answers a comment with a quote, without a commit", async () => {
    const shop = await revising(comments);
    const id = shop.comment("Why so?");
    expect(await shop.run()).toEqual({ kind: "nothing-to-change", reason: "everything was answered without a change" });
    const [, answer] = shop.state.comments;
    expect(answer?.body).toBe(`<!-- magis:answer comment-${id} -->\n> ana: Why so?\n\nSo it is.`);
    expect(await shop.run()).toMatchObject({ reason: "answered" });
  });

  it("steps back once when a person has committed, and works when asked to", async () => {
    const shop = await revising();
    shop.thread("a.txt", "Another word.");
    const pushed = shop.push({ "b.txt": "hers\n" }, "ana");
    expect(await shop.run()).toMatchObject({ reason: "stepped-back" });
    expect(await shop.run()).toMatchObject({ reason: "stepped-back" });
    expect(shop.state.comments).toHaveLength(1);
    const asked = { ...shop.request, work: { kind: "revise", because: "command" } } as const;
    Object.assign(shop.request, asked);
    expect(await shop.run()).toMatchObject({ kind: "published" });
    expect(shop.state.objects.commit(shop.tip()).parents).toEqual([pushed]);
  });

  it("starts over when the branch moves, at most three times, and overwrites nothing", async () => {
    let pushed = 0;
    const shop = await revising(
      {
        "p11-review-change": () => {
          shop.push({ "b.txt": `hers ${++pushed}\n` }, "ana");
          return { comments: [], settled: [], verdict: "Good.", approved: true };
        },
      },
      { work: { kind: "revise", because: "command" } },
    );
    const thread = shop.thread("a.txt", "Another word.");
    expect(await shop.run()).toMatchObject({ kind: "gave-up" });
    expect(pushed).toBe(3);
    expect(shop.state.objects.textAt(shop.tip(), "b.txt")).toBe("hers 3\n");
    expect(thread.comments).toHaveLength(1);
  });

  it("pushes nothing to a pull request that is closed meanwhile", async () => {
    const shop = await revising({
      "p11-review-change": () => {
        const { pullRequests } = shop.state;
        pullRequests.splice(0, 1, { ...pullRequests[0], open: false } as never);
        return { comments: [], settled: [], verdict: "Good.", approved: true };
      },
    });
    const thread = shop.thread("a.txt", "Another word.");
    expect(await shop.run()).toMatchObject({ kind: "nothing-to-change" });
    expect([shop.tip(), thread.comments.length]).toEqual([shop.head, 1]);
  });

  it("keeps its commit when it resumes after a person has pushed on top of it", async () => {
    const shop = await revising();
    const thread = shop.thread("a.txt", "Another word.");
    shop.faults.refuse("listThreads", new MagisError("HOST_REFUSED", "Not now."), 0);
    const { step, kept } = keptSteps();
    shop.faults.refuse("replyToThread", new MagisError("HOST_UNREACHABLE", "Away."), 1);
    await shop.run(step);
    const commit = shop.tip();
    expect(commit).not.toBe(shop.head);
    shop.push({ "b.txt": "hers\n" }, "ana");
    kept.delete("end");
    await shop.run(step);
    expect(thread.comments[1]?.body).toContain(commit);
    expect(shop.faults.count("advanceBranch")).toBe(1);
  });

  it("publishes and answers what it finished before the budget ran out", async () => {
    const out = new MagisError("BUDGET_REACHED", "The budget is used up.", { limit: "money" });
    const shop = await revising({ "p08-describe-qa-engineer": out });
    const [first, second] = [shop.thread("a.txt", "Another word."), shop.thread("b.txt", "Here too.")];
    expect(await shop.run()).toMatchObject({ kind: "budget-reached", limit: "money", phase: "code" });
    expect(shop.state.objects.textAt(shop.tip(), "a.txt")).toBe("changed\n");
    expect(first.comments[1]?.body).toContain(shop.tip());
    expect(second.comments).toHaveLength(1);
  });

  it("has kept what it answers before it asks the model", async () => {
    const shop = await revising();
    shop.thread("a.txt", "Another word.");
    const { tracker } = shop.tools;
    const keep = tracker.batch;
    const asked: number[] = [];
    tracker.batch = async (sources) => {
      for (let turn = 0; turn < 20; turn += 1) await nextTurn();
      asked.push(shop.asked().length);
      await keep(sources);
    };
    expect(await shop.run()).toMatchObject({ kind: "published" });
    expect(asked).toEqual([0]);
  });

  it("fails with the model's own error, and says so on the pull request", async () => {
    const shop = await revising({ "p09-locate-lines": new MagisError("MODEL_REJECTED", "The key is wrong.") });
    shop.thread("a.txt", "Another word.");
    expect(await shop.run()).toMatchObject({ kind: "failed", code: "MODEL_REJECTED" });
    expect(shop.tools.tracker.state().batch).toHaveLength(1);
    expect(shop.state.pullRequests[0]?.body).toContain("stopped; a comment says why");
  });
});
