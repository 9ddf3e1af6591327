import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import { initialState, type RunResult } from "../../../src/data/run-state.ts";
import { openRun } from "../../../src/run/open-run.ts";
import type { RunStore } from "../../../src/run/runs.ts";
import type { FakeScript } from "../../fakes/create-fake-model.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { PAPER } from "../../fakes/sample-settings.ts";
import { keptSteps } from "../../workflow/kept-steps.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";
import { planOf } from "../../workflow/plan-of.ts";
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

const LINTER = "linter[bot]";

/** A pull request that a bot reviews; `says` adds a thread of the bot's on the present head. */
async function reviewed(allowedBots: readonly string[] = ["linter"]) {
  const script: FakeScript = { "p10-write-code": ({ nth }) => `changed ${nth}` };
  const shop = await revising(script, {}, { settings: { ...PAPER, allowedBots } });
  const says = (body: string) => {
    const comment = { ...shop.said(LINTER, body, true), commit: shop.tip() };
    const thread = { id: `thread-${comment.id}`, pullRequest: 9, path: "a.txt", resolved: false, comments: [comment] };
    shop.state.threads.push(thread);
    return thread;
  };
  const commits = () => {
    let [at, count] = [shop.tip(), 0];
    for (; at !== shop.head; count++) at = shop.state.objects.commit(at).parents[0] ?? shop.head;
    return count;
  };
  return { ...shop, says, commits };
}

const noWait = async () => undefined;

describe("a bot's review", () => {
  it("of twelve comments, made one by one, gets one reply each and one push", async () => {
    const shop = await reviewed();
    const threads = [shop.says("Rename this.")];
    const comes = async () => {
      while (threads.length < 12) threads.push(shop.says(`Rename this, too (${threads.length}).`));
    };
    expect(await shop.run(undefined, comes)).toMatchObject({ kind: "published" });
    expect(shop.commits()).toBe(1);
    expect(threads.map(({ comments }) => comments.length)).toEqual(Array(12).fill(2));
    expect(await shop.run(undefined, noWait)).toMatchObject({ reason: "answered" });
  });

  it("ends after one exchange: what the bot says to the answer is not answered", async () => {
    const shop = await reviewed();
    const { comments } = shop.says("Rename this.");
    await shop.run(undefined, noWait);
    const about = comments[0]?.commit;
    (comments as object[]).push({ ...shop.said(LINTER, "Are you sure?", true), commit: about });
    shop.state.threads.push({
      id: "late",
      pullRequest: 9,
      path: "a.txt",
      resolved: false,
      comments: [{ ...shop.said(LINTER, "And this.", true), commit: about }],
    });
    expect(await shop.run(undefined, noWait)).toMatchObject({ reason: "answered" });
    expect(shop.commits()).toBe(1);
  });

  it("of more threads than one run answers is left to the next run, and then ends too", async () => {
    const shop = await reviewed();
    const first = shop.says("Rename this.");
    const threads = [first, ...Array.from({ length: 31 }, (_, at) => shop.says(`Rename this, too (${at}).`))];
    const about = first.comments[0]?.commit;
    const open = () => threads.filter(({ comments }) => comments.length === 1).length;
    const left: number[] = [];
    for (const expected of ["published", "published", "nothing-to-change"]) {
      expect(await shop.run(undefined, noWait)).toMatchObject({ kind: expected });
      left.push(open());
      (first.comments as object[]).push({ ...shop.said(LINTER, "Are you sure?", true), commit: about });
    }
    expect(left).toEqual([2, 0, 0]);
  });

  it("is answered on three commits, then left to people with one word, until somebody asks", async () => {
    const shop = await reviewed();
    for (let round = 1; round <= 3; round++) {
      shop.says(`Rename this (${round}).`);
      expect(await shop.run(undefined, noWait)).toMatchObject({ kind: "published" });
    }
    shop.says("Rename this, still.");
    for (let again = 0; again < 2; again++)
      expect(await shop.run(undefined, noWait)).toMatchObject({ reason: "answered" });
    const notes = shop.state.comments.filter(({ body }) => body.includes("I have answered `linter[bot]` on three"));
    expect(notes).toHaveLength(1);
    Object.assign(shop.request, { work: { kind: "revise", because: "command" } });
    expect(await shop.run(undefined, noWait)).toMatchObject({ kind: "published" });
  });
});

const ROOT = "ana/shop#7@first";

/** The real tools of a revision on #9, and its host. */
async function tooling(over: (store: RunStore) => RunStore = (store) => store) {
  const shop = await openWorkshop({ files: { "a.txt": "a\n" } });
  const store = over(shop.store);
  const id = "ana/shop#9@review";
  const request = sampleRequest({ id, root: id, issue: 9, work: { kind: "revise", because: "feedback" } });
  return { ...shop, store, tools: await openRun(request, { ...shop.deps, store }) };
}

describe("the tools of a revision", () => {
  it.each<[string, RunResult, number]>([
    ["answered everything", { kind: "nothing-to-change", reason: "answered" }, 0],
    ["made its commit", { kind: "published", pullRequest: { number: 9, url: "u" }, openThreads: 0 }, 0],
    ["was cancelled", { kind: "cancelled", by: "ana", undone: [] }, 1],
    ["was given up", { kind: "failed", code: "RUN_ABANDONED", message: "It was restarted too often." }, 1],
  ])("post no tracking comment, and a note only when needed: a run that %s", async (_how, result, notes) => {
    const { tools, state } = await tooling();
    await tools.tracker.begin("plan");
    await tools.tracker.batch(["thread-3"]);
    await tools.tracker.end(result);
    expect(state.comments).toHaveLength(notes);
    if (notes > 0) expect(state.comments[0]?.body).toContain("<!-- magis:unanswered thread-3 -->");
  });

  it("give the record of an earlier run on this repository only", async () => {
    const { tools, store } = await tooling();
    await (await store.openWriter(ROOT)).saveRecord("plan", planOf([]));
    await (await store.openWriter("eve/secret#1@x")).saveRecord("plan", planOf([]));
    expect(await tools.earlierRun(ROOT).record()).toEqual({ plan: planOf([]), others: {} });
    expect(await tools.earlierRun("eve/secret#1@x").record()).toEqual({ others: {} });
    expect(await tools.earlierRun("ana/shop2#1@x").record()).toEqual({ others: {} });
  });

  it("correct the state of an earlier run that another process takes over just then", async () => {
    let isTaken = false;
    const { tools, store } = await tooling((given) => ({
      ...given,
      async openWriter(id, as) {
        const writer = await given.openWriter(id, as);
        if (as === "guest" && !isTaken) {
          isTaken = true;
          await (await given.openWriter(id)).saveState({ ...initialState(), resumed: 1 });
        }
        return writer;
      },
    }));
    await (await store.openWriter(ROOT)).saveState(initialState());
    await tools.earlierRun(ROOT).correct({ followUps: [] });
    expect(await store.state(ROOT)).toMatchObject({ resumed: 1, followUps: [] });
  });
});
