import type { Check } from "../../src/ports/code-host.ts";

/** A check that is called "test" and is not the app's own. */
export const sampleCheck = (state: Check["state"], changes: Partial<Check> = {}): Check => ({
  name: "test",
  state,
  byApp: false,
  summary: "",
  url: "",
  ...changes,
});
