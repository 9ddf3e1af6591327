import type { JudgedFile } from "../../src/data/run-record.ts";

/** A file that the Custodian judged relevant. */
export const sampleCandidate = (path: string, changes: Partial<JudgedFile> = {}): JudgedFile => ({
  path,
  blob: "",
  score: 1,
  reasons: [],
  summary: "",
  source: "",
  relevant: true,
  reason: "Why.",
  ...changes,
});
