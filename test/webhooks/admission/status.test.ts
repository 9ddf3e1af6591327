import { describe, expect, it } from "@jest/globals";
import { initialState } from "../../../src/data/run-state.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { takingCommands } from "./taking-commands.ts";

describe("/magis status", () => {
  it("says how many runs are ahead of a queued one", async () => {
    const request = sampleRequest();
    const { store, decision, answers } = await takingCommands({ request, unfinished: [request] });
    await (await store.openWriter(request.root)).saveState({ ...initialState(), queued: { ahead: 9 } });
    expect(await decision({ verb: "status" })).toBeUndefined();
    expect(answers()[0]).toContain("**Now:** queued behind 3 runs since");
  });
});
