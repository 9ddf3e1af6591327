import type { RunResult } from "../model/run-result.ts";

/** How a run ended, with the reason in a sentence. */
export function endOfResult(result: RunResult): { readonly kind: string; readonly reason: string } {
  const { kind } = result;
  if (kind === "dry-run") {
    const { openComments: open } = result;
    const comments = open === 1 ? "one QA comment stayed open" : `${open} QA comments stayed open`;
    return { kind: "change", reason: open === 0 ? "" : `${comments}` };
  }
  if (kind === "failed") return { kind, reason: `${result.code}: ${result.message}` };
  if (kind === "budget-reached") return { kind, reason: `the limit of ${result.limit}, in the phase ${result.phase}` };
  return { kind, reason: "reason" in result ? result.reason : "" };
}
