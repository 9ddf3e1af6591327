import type { Finding } from "../finding.js";

/** A line for each finding, as compilers write them. */
export function text(findings: readonly Finding[]): string {
  return findings.map(({ path, line, level, message }) => `${path}:${line}: ${level}: ${message}\n`).join("");
}
