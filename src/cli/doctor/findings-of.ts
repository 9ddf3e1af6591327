import type { Finding, FindingLevel } from "./finding.ts";

/** Makers of a check's findings, one a level. */
export function findingsOf(check: string) {
  const make =
    (level: FindingLevel) =>
    (text: string, remedy?: string): Finding => ({ check, level, text, ...(remedy !== undefined && { remedy }) });
  return { ok: make("ok"), warning: make("warning"), fault: make("fault"), skipped: make("skipped") };
}
