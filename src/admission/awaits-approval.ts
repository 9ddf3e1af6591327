import type { Delivery } from "../model/delivery.ts";
import type { RunStore } from "../ports/run-store.ts";

/** Whether the issue's latest run has ended at a plan that waits for approval. Told from what is kept, without the host. */
export async function awaitsApproval(
  { repository, issue }: Pick<Delivery, "repository" | "issue">,
  store: Pick<RunStore, "latestRun">,
): Promise<boolean> {
  const latest = await store.latestRun(repository, issue);
  return latest?.state?.result?.kind === "awaiting-approval";
}
