import type { Finding } from "../finding.js";

/** A JSON list of the findings as they are. */
export function json(findings: readonly Finding[]): string {
  return `${JSON.stringify(findings, null, 2)}\n`;
}
