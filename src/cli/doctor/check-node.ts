import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";

const { ok, fault } = findingsOf("Node.js");
const LEAST = [20, 19] as const;

/** Whether this Node.js is one the program runs on. */
export async function checkNode(version: string): Promise<Finding> {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const least = LEAST.join(".");
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return ok(`Version ${version}.`);
  return fault(`Version ${version} is older than ${least}.`, `Install Node.js ${least} or later.`);
}
