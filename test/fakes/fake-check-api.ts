import type { Check, CheckApi, CheckReport } from "../../src/ports/code-host.ts";
import type { HostState } from "./host-state.ts";

const ENDED: Readonly<Record<NonNullable<CheckReport["conclusion"]>, Check["state"]>> = {
  success: "passed",
  neutral: "neutral",
  cancelled: "neutral",
  failure: "failed",
  action_required: "pending",
};

export function fakeCheckApi(state: HostState): CheckApi {
  const { checks, annotations, jobLogs, jobs, artifacts, unfinished, next } = state;
  return {
    runsOf: async (commit) => ({
      checks: checks.get(commit) ?? [],
      unfinished: unfinished.has(commit),
    }),
    jobOf: async (jobId) => jobs.get(jobId),
    artifactsOf: async (runId) =>
      (artifacts.get(runId) ?? []).map(({ id, name, zip }) => ({ id, name, bytes: zip.length })),
    async artifact(id, mostBytes) {
      const found = [...artifacts.values()].flat().find((one) => one.id === id);
      return found && found.zip.length <= mostBytes ? found.zip : undefined;
    },
    checksOf: async (commit) => checks.get(commit) ?? [],
    annotationsOf: async (checkRunId) => annotations.get(checkRunId) ?? [],
    async jobLog(jobId, mostBytes) {
      const log = jobLogs.get(jobId);
      return log === undefined ? undefined : Buffer.from(log).subarray(-mostBytes).toString("utf8");
    },
    async reportCheck(head, { name, status, conclusion = "neutral", title, summary }) {
      const all = checks.get(head) ?? [];
      const own = all.find((check) => check.name === name && check.byApp);
      const state = status === "completed" ? ENDED[conclusion] : "pending";
      const said = { summary: `${title}\n\n${summary}`, url: "https://host.example/check" };
      const others = all.filter((check) => check !== own);
      checks.set(head, [...others, { checkRunId: own?.checkRunId ?? next(), name, state, byApp: true, ...said }]);
    },
  };
}
