import { describe, expect, it } from "@jest/globals";
import { requestKey } from "../../../src/models/metering/metered-model.ts";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { fc } from "../../seeded.ts";

describe("requestKey", () => {
  it("is the same in every process", () => {
    expect(requestKey(scriptedRequest())).toBe("cd78699924e06037898aa2a71f5e056c7cda5be714cfdaf45db5f1918c1b5494");
  });

  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.object(), (schema) => {
        const reversed = Object.fromEntries(Object.entries(schema).reverse());
        expect(requestKey(scriptedRequest({ schema: reversed }))).toBe(requestKey(scriptedRequest({ schema })));
      }),
      { numRuns: 50 },
    );
  });

  it("changes with every part of the request", () => {
    const changed = [
      scriptedRequest(),
      scriptedRequest({ promptId: "p05" }),
      scriptedRequest({ tier: "fast" }),
      scriptedRequest({ maxTokens: 2001 }),
      scriptedRequest({ system: "" }),
      scriptedRequest({ parts: [{ text: "The issue." }, { text: "The task.", cache: true }] }),
      scriptedRequest({ parts: [{ text: "The issue.The task." }] }),
      scriptedRequest({ earlier: [{ answer: "a", reply: "b" }] }),
      scriptedRequest({ schema: {} }),
    ];
    expect(new Set(changed.map(requestKey)).size).toBe(changed.length);
  });
});
