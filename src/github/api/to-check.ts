import type { RestEndpointMethodTypes } from "@octokit/rest";
import type { Check } from "../../ports/check-api.ts";

type CheckRun = RestEndpointMethodTypes["checks"]["get"]["response"]["data"];

/**
 * What a conclusion says of the commit. `cancelled` and `stale` say nothing: somebody or a failed sibling stopped the
 * check, or nobody ever finished it. `action_required` waits for a person, so that it has not finished.
 */
const STATES: Readonly<Record<string, Check["state"]>> = {
  success: "passed",
  neutral: "neutral",
  skipped: "neutral",
  cancelled: "neutral",
  stale: "neutral",
  failure: "failed",
  timed_out: "failed",
  startup_failure: "failed",
  action_required: "pending",
};

const STOPPED: ReadonlySet<string> = new Set(["cancelled", "stale"]);

/** GitHub's check run in the port's terms. */
export function toCheck(run: CheckRun, appId: number | undefined): Check {
  const { title, summary } = run.output;
  const job = run.app?.slug === "github-actions" ? jobOf(run.details_url) : undefined;
  return {
    checkRunId: run.id,
    ...(job === undefined ? {} : { jobId: job }),
    name: run.name,
    state: run.status === "completed" ? (STATES[run.conclusion ?? ""] ?? "neutral") : "pending",
    ...(STOPPED.has(run.conclusion ?? "") && { stopped: true }),
    byApp: appId !== undefined && run.app?.id === appId,
    summary: [title, summary].filter(Boolean).join("\n\n"),
    url: run.html_url ?? run.details_url ?? "",
  };
}

function jobOf(url: string | null): number | undefined {
  const id = /\/actions\/runs\/\d+\/jobs?\/(\d+)/.exec(url ?? "")?.[1];
  return id === undefined ? undefined : Number(id);
}
