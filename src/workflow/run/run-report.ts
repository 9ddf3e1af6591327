import type { RunReport } from "../../ports/run-report.ts";
import type { RunStore } from "../../ports/run-store.ts";

/** All that `store` knows of a run, beside the facts that it does not keep. */
export async function runReport(
  store: Pick<RunStore, "state" | "record" | "calls">,
  facts: Pick<RunReport, "id" | "repository" | "number" | "title" | "requestedAt">,
): Promise<RunReport> {
  const [state, record, calls] = [
    await store.state(facts.id),
    await store.record(facts.id),
    await store.calls(facts.id),
  ];
  return { ...facts, ...(state && { state }), record, calls };
}
