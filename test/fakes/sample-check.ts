import type { Check } from "../../src/github/code-host.ts";

/** A check named "test" of another app. */
export const sampleCheck = (state: Check["state"], changes: Partial<Check> = {}): Check => ({
  name: "test",
  state,
  byApp: false,
  summary: "",
  url: "",
  ...changes,
});
