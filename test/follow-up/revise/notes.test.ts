import { describe, expect, it } from "@jest/globals";
import { initialState, type RunResult } from "../../../src/data/run-state.ts";
import { openRun } from "../../../src/run/open-run.ts";
import type { RunStore } from "../../../src/run/runs.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";
import { planOf } from "../../workflow/plan-of.ts";

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
