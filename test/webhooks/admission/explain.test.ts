import { describe, expect, it } from "@jest/globals";
import { markers } from "../../../src/data/marks.ts";
import type { RunResult } from "../../../src/data/run-state.ts";
import { sampleCandidate } from "../../fakes/sample-candidate.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { takingCommands } from "./taking-commands.ts";

const PUBLISHED: RunResult = { kind: "published", pullRequest: { number: 9, url: "u" }, openThreads: 0 };
const EXPLAIN = { verb: "explain" } as const;

const whyPart = (path: string) => ({
  judged: [sampleCandidate(path, { reason: "It rounds." })],
});

describe("/magis explain", () => {
  it("explains the latest run once, from its root's record", async () => {
    const request = sampleRequest({ id: "ana/shop#7@later" });
    const { store, decision, answers, reactions } = await takingCommands({ request, result: PUBLISHED });
    await (await store.openWriter(request.root)).saveRecord("candidates", whyPart("a.js"));
    for (let times = 0; times < 2; times++) expect(await decision(EXPLAIN)).toBeUndefined();
    expect(answers()).toEqual([expect.stringMatching(/<summary>a\.js[^<]*<\/summary>\n\n- Why: It rounds\./)]);
    expect(answers()[0]?.startsWith(markers.command(50))).toBe(true);
    expect(answers()[0]).toContain("Pull request #9 opened.");
    expect(reactions).toContain("eyes on comment 50");
  });

  it("says that a working run is not over", async () => {
    const request = sampleRequest();
    const { decision, answers } = await takingCommands({ request, result: PUBLISHED, unfinished: [request] });
    await decision(EXPLAIN);
    expect(answers()[0]).toMatch(/asked for\.\*\* (Working|Not begun)/);
    expect(answers()[0]).not.toContain("#9");
  });

  it("says that no run is kept", async () => {
    const { decision, answers } = await takingCommands({ hasRun: false });
    await decision(EXPLAIN);
    expect(answers()).toEqual([expect.stringContaining("Nothing is kept of any run here")]);
  });

  it("does not answer people without write permission", async () => {
    const { decision, answers, reactions } = await takingCommands({ result: PUBLISHED, permission: "read" });
    expect([await decision(EXPLAIN), answers(), reactions]).toEqual([undefined, [], ["confused on comment 50"]]);
  });

  it("explains, on the pull request, both the issue's run and the pull request's latest", async () => {
    const { store, keep, decision, answers, openPull } = await takingCommands({ result: PUBLISHED });
    const pull = await openPull();
    const { root } = sampleRequest();
    const request = sampleRequest({ id: "r", root: "r", issue: pull, work: { kind: "revise", because: "feedback" } });
    await keep(request);
    await (await store.openWriter(root)).saveRecord("candidates", whyPart("a.js"));
    await (await store.openWriter("r")).saveRecord("candidates", whyPart("b.js"));
    await decision(EXPLAIN, pull);
    expect(answers()[0]).toMatch(/which ana asked for[\s\S]*a\.js[\s\S]*for its open feedback[\s\S]*b\.js/);
  });
});
