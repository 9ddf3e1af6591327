import { describe, expect, it } from "@jest/globals";
import { issueOfPull, markers, runOfPull } from "../../src/data/marks.ts";
import {
  allHints,
  beginOnPull,
  beginRun,
  continueFrom,
  type Delivery,
  readRunId,
  runByHand,
  runId,
} from "../../src/data/run-request.ts";

const repository = { owner: "ana", name: "shop", installationId: 1 };
const delivery: Delivery = {
  id: "guid",
  repository,
  issue: 7,
  actor: "ben",
  actorIsBot: false,
  at: "2026-01-01T12:00:00Z",
  trigger: { kind: "comment", commentId: 3, body: "More.", on: "issue" },
  text: { title: "T", body: "B" },
};
const RESOLVE = { kind: "resolve", gate: "none" } as const;

describe("a run's id", () => {
  it.each([
    ["ana/shop#7@guid", "ana/shop", 7],
    ["ana/shop#7", "ana/shop", 7],
    ["shop@5d1c", "", undefined],
    ["", "", undefined],
  ])("of %j names the repository %j and the issue %j", (id, name, issue) => {
    expect(readRunId(id)).toEqual({ repository: name, issue });
  });

  it("is found in its pull request's mark, which also names the issue", () => {
    const id = runId(repository, 7, "guid");
    const body = `${markers.run(id)}\nWords.`;
    expect(id).toBe("ana/shop#7@guid");
    expect([runOfPull({ body }), issueOfPull({ body, branch: "x" })]).toEqual([id, 7]);
    const without = { body: "Words.", branch: "magis/issue-12-words" };
    expect([runOfPull(without), issueOfPull(without)]).toEqual([undefined, 12]);
  });
});

describe("a request", () => {
  it("begins a new run, with the issue's text only to resolve it", () => {
    const id = "ana/shop#7@guid";
    const asked = { repository, issue: 7, trigger: delivery.trigger, actor: "ben", delivery: "guid", grants: [] };
    const { at: requestedAt, text } = delivery;
    expect(beginRun(delivery, RESOLVE)).toEqual({ id, root: id, work: RESOLVE, ...asked, requestedAt, text });
    const work = { kind: "repair", head: "1" } as const;
    expect(beginRun(delivery, work, 9)).toEqual({
      id: "ana/shop#9@guid",
      root: "ana/shop#9@guid",
      work,
      ...asked,
      issue: 9,
      requestedAt,
    });
  });

  it("on a pull request keeps the options that last, below its own", () => {
    const pull = (words: readonly string[]) => ({ number: 9, body: `${markers.run("r")}\n${markers.options(words)}` });
    const work = { kind: "update" } as const;
    const words = ["anyway", "draft:false", "files:src/**,--a/é🙂.ts"];
    expect(beginOnPull(delivery, work, pull(words))).toMatchObject({
      issue: 9,
      work,
      options: { anyway: true, given: words.slice(1) },
    });
    const command = { verb: "resolve", hint: "", options: { given: ["files:docs/**"] } } as const;
    const trigger = { kind: "other-command", commentId: 1, command, on: "pull request" } as const;
    const { options } = beginOnPull({ ...delivery, trigger }, work, pull(words));
    expect(options?.given).toEqual(["draft:false", "files:docs/**"]);
    for (const wrong of [["base:main", "budget:4"], ["draft:perhaps"], ["%"]])
      expect(beginOnPull(delivery, work, pull(wrong)).options).toBeUndefined();
    const quoted = { number: 9, body: `Words.\n${markers.options(words)}` };
    expect(beginOnPull(delivery, work, quoted).options).toBeUndefined();
  });

  it("keeps the earlier request's root, work and budget unless changed", () => {
    const earlier = { ...beginRun(delivery, RESOLVE), grants: [{ by: "ben", money: 2 }] };
    const next = continueFrom(earlier, { ...delivery, id: "later" }, { hint: "More." });
    expect(next).toEqual({ ...earlier, id: "ana/shop#7@later", delivery: "later", hint: "More." });
    expect(continueFrom(earlier, delivery, { grants: [] }).grants).toEqual([]);
  });

  it("carries all hints of the runs that it continues, in case their records are gone", () => {
    const first = beginRun({ ...delivery, trigger: { kind: "command", commentId: 1, hint: "one" } }, RESOLVE);
    const second = continueFrom(first, { ...delivery, id: "b" }, { hint: "two" });
    const third = continueFrom(second, { ...delivery, id: "c" }, { hint: "three" });
    expect([first, second, third].map(allHints)).toEqual(["one", "one\n\ntwo", "one\n\ntwo\n\nthree"]);
    expect(third.earlierHints).toBe("one\n\ntwo");
  });

  it("can be made without a delivery", () => {
    const asked = { id: "x", repository, issue: 0, actor: "you", requestedAt: "2026-01-01T12:00:00Z" };
    expect(runByHand({ ...asked, hint: "Mind." })).toEqual({
      ...asked,
      root: "x",
      delivery: "x",
      grants: [],
      work: RESOLVE,
      trigger: { kind: "command", commentId: 0, hint: "Mind." },
    });
  });
});
