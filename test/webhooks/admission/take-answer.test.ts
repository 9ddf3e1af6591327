import { describe, expect, it } from "@jest/globals";
import type { RunResult } from "../../../src/data/run-state.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { takingCommands } from "./taking-commands.ts";

const ROOT = sampleRequest().root;
const ASKED: RunResult = { kind: "asked", questions: ["Up or down?"], reason: "Both are said." };
const comment = (body: string) => ({ kind: "comment", commentId: 51, body, on: "issue" }) as const;

describe("a run that has asked something", () => {
  it("takes an answer from the issue's author or anybody who may write", async () => {
    const { take, reactions, state } = await takingCommands({ result: ASKED, permission: "read" });
    const by = { actor: state.issue.author };
    expect(await take(comment("Up."), by)).toEqual({
      start: expect.objectContaining({
        id: "ana/shop#7@delivery-2",
        root: ROOT,
        work: { kind: "resolve", gate: "none" },
      }),
    });
    expect(reactions).toEqual(["eyes on comment 51"]);
    // It stays the run, and the cost, of whoever asked for it.
    expect(await take(comment("Up."), by)).toMatchObject({ start: { actor: sampleRequest().actor } });
    expect(await take(comment("Down."), { actor: "mallory" })).toBeUndefined();
    expect(await take(comment("Up."), { ...by, actorIsBot: true })).toBeUndefined();
    const maintainer = await takingCommands({ result: ASKED });
    expect(await maintainer.take(comment("Up."))).toMatchObject({ start: { root: ROOT } });
    const running = sampleRequest({ id: "ana/shop#7@delivery-9" });
    const busy = await takingCommands({ result: ASKED, unfinished: [running] });
    expect(await busy.take(comment("Up."))).toBeUndefined();
  });
});
