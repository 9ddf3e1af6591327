import { createHash } from "node:crypto";
import type { Instance } from "./instance.ts";

/** SHA-256 of what an instance asks for and is measured by. */
export function digestOf({ repository, baseCommit, problem, hints, patch }: Instance): string {
  return createHash("sha256")
    .update(JSON.stringify([repository, baseCommit, problem, hints, patch]))
    .digest("hex");
}
