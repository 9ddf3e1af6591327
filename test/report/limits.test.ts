import { describe, expect, it } from "@jest/globals";
import type { LimitScope } from "../../src/data/limits.ts";
import { limitSentence } from "../../src/report/limits.ts";
import { REACHED } from "./text-samples.ts";

describe("why a run does not begin", () => {
  it.each<LimitScope>(["bot", "organisation", "repository", "person"])(
    "says until when for the %s, and sums of this repository only",
    (scope) => {
      const sentence = limitSentence({ ...REACHED, scope });
      expect(sentence).toContain("2026-01-02 at 00:00 UTC");
      expect(sentence.includes("$")).toBe(scope === "repository");
    },
  );
});
