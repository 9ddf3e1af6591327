import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";

/** A check under its name: the name stands for it where it fails by itself. */
export interface Check {
  readonly name: string;
  readonly run: () => Promise<Finding | readonly Finding[]>;
}

/** Longer than any single request may take, shorter than anybody waits. */
const LIMIT_MS = 45_000;

/** Runs all checks at once and gives their findings in the order of the checks. One that fails takes none with it. */
export async function runChecks(checks: readonly Check[], limitMs = LIMIT_MS): Promise<readonly Finding[]> {
  const findings = await Promise.all(checks.map((check) => runOne(check, limitMs)));
  return findings.flat();
}

async function runOne({ name, run }: Check, limitMs: number): Promise<readonly Finding[]> {
  const { fault } = findingsOf(name);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(fault(`This took longer than ${limitMs / 1000} s and was given up.`)), limitMs);
  });
  try {
    return [await Promise.race([run(), late])].flat();
  } catch (error) {
    return [fault(`This could not be looked at: ${error instanceof Error ? error.message : String(error)}`)];
  } finally {
    clearTimeout(timer);
  }
}
