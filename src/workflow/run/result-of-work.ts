import type { RunResult } from "../../model/run-result.ts";
import type { Work } from "./coding.ts";

/** The end of a run whose coding phase leaves nothing to publish, or nothing when there is a change to publish. */
export function resultOfWork({ outcomes, changes, patch, stopped }: Work): RunResult | undefined {
  if (stopped) {
    const finished = outcomes
      .filter(({ status }) => status === "approved" || status === "open")
      .map(({ summary, path }) => `${summary} (\`${path}\`)`);
    return { kind: "budget-reached", phase: "code", patch, finished, ...stopped };
  }
  if (changes.length > 0) return undefined;
  const reasons = outcomes.map(({ path, summary }) => `\`${path}\`: ${summary}`).join("\n");
  return outcomes.some(({ status }) => status === "failed")
    ? { kind: "gave-up", reason: reasons }
    : { kind: "nothing-to-change", reason: reasons };
}
