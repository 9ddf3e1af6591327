import { describe, expect, it } from "@jest/globals";
import { createConditional } from "../../../src/github/api/conditional.ts";

const RUNS = "https://api.github.com/repos/o/r/commits/abc/check-runs?per_page=100";

/** A GitHub whose answer changes by `body`, and what it was asked. */
function github() {
  const state = { body: "one", refused: false, asked: [] as (string | null)[] };
  const send: typeof fetch = async (_input, init) => {
    const known = new Headers(init?.headers).get("if-none-match");
    state.asked.push(known);
    if (state.refused) return new Response("{}", { status: 404 });
    const etag = `"${state.body}"`;
    return known === etag
      ? new Response(null, { status: 304 })
      : new Response(state.body, { headers: { etag, link: "<next>" } });
  };
  return { state, send };
}

describe("createConditional", () => {
  it("answers from what it keeps while nothing has changed, for all who share it", async () => {
    const { state, send } = github();
    const conditional = createConditional();
    for (const ask of [conditional(send), conditional(send), conditional(send)]) {
      const answer = await ask(RUNS);
      expect([answer.status, answer.headers.get("link"), await answer.text()]).toEqual([200, "<next>", "one"]);
    }
    state.body = "two";
    expect(await (await conditional(send)(RUNS)).text()).toBe("two");
    expect(state.asked).toEqual([null, '"one"', '"one"', '"one"']);
  });

  it("waits for the same read under way, whose answer it then has for nothing, even if that fails", async () => {
    const { state, send } = github();
    const ask = createConditional()(send);
    const answers = await Promise.all([ask(RUNS), ask(RUNS), ask(RUNS)]);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["one", "one", "one"]);
    expect(state.asked.filter((known) => known === null)).toHaveLength(1);
    const down = createConditional()(async () => {
      state.asked.push("down");
      throw new TypeError("fetch failed");
    });
    const refused = await Promise.allSettled([down(RUNS), down(RUNS)]);
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(state.asked.filter((known) => known === "down")).toHaveLength(2);
  });

  it("passes on a refusal: access may have been taken away", async () => {
    const { state, send } = github();
    const ask = createConditional()(send);
    await ask(RUNS);
    state.refused = true;
    expect((await ask(RUNS)).status).toBe(404);
  });

  it.each([
    ["a write", RUNS, { method: "POST" }],
    ["a log", "https://api.github.com/repos/o/r/actions/jobs/1/logs", {}],
  ])("keeps nothing of %s", async (_what, url, init) => {
    const { state, send } = github();
    const ask = createConditional()(send);
    for (const _ of [1, 2]) await ask(url, init);
    expect(state.asked).toEqual([null, null]);
  });

  it("keeps answers in other forms apart", async () => {
    const { state, send } = github();
    const ask = createConditional()(send);
    for (const accept of ["a", "b"]) await ask(RUNS, { headers: { accept } });
    expect(state.asked).toEqual([null, null]);
  });
});
