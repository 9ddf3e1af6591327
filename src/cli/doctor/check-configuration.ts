import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";

const { ok, fault } = findingsOf("configuration");

/** The faults that the configuration's reader found, each with its remedy in it. */
export async function checkConfiguration(faults: readonly string[]): Promise<readonly Finding[]> {
  if (faults.length === 0) return [ok("Every variable is set as it should be.")];
  return faults.map((sentence) => fault(sentence));
}
