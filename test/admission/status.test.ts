import { describe, expect, it } from "@jest/globals";
import { initialState } from "../../src/model/run-state.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { takingCommands } from "./taking-commands.ts";

describe("/magis status", () => {
  it("the status of a queued run says how many are ahead of it now", async () => {
    const request = sampleRequest();
    const { store, decision, answers } = await takingCommands({ request, unfinished: [request] });
    await store.saveState(request.root, { ...initialState(), queued: { ahead: 9 } });
    expect(await decision({ verb: "status" })).toBeUndefined();
    expect(answers()[0]).toContain("A run waits for its turn: 3 runs are ahead of it.");
  });
});
