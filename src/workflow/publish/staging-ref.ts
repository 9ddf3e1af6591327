import { createHash } from "node:crypto";

/** The ref outside refs/heads where a run's objects wait for their commit; the same at every try. */
export function stagingRef(runId: string): string {
  return `refs/magis/staging/${createHash("sha256").update(runId).digest("hex").slice(0, 20)}`;
}
