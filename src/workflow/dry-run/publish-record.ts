import { readRecord } from "../../model/read-record.ts";
import type { RunRecord } from "../../model/run-record.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { RunResult } from "../../model/run-state.ts";
import type { Work } from "../../model/work.ts";
import type { Repository } from "../../ports/repository.ts";
import type { RunReport } from "../../ports/runs.ts";
import { createPathGuard } from "../change/path-guard.ts";
import type { PathPolicy } from "../change/path-policy.ts";
import { changedFiles, createWorkingCopy } from "../change/working-copy.ts";
import { publishChange } from "../publish/publish-change.ts";
import { rollback } from "../publish/rollback.ts";
import type { PhaseRunner, RunKind } from "../run/phase-runner.ts";
import type { RunTools } from "../run/run-tools.ts";
import { startRun } from "../run/start.ts";
import { saidOf } from "./check-work.ts";

/**
 * Publishes the change of a dry run made elsewhere, without any model. Whoever made it is not trusted: its commit must
 * be on the base branch, and it may change only what the guards allow.
 */
export const publishRecord = (request: RunRequest, report: RunReport): RunKind => ({
  phases: (run) => publish(run, request, report),
});

/** How the dry run ended if it made no change to publish; undefined if it made one. */
function endOf({ state }: RunReport, { check }: RunRecord): RunResult | undefined {
  const result = state?.result;
  if (result?.kind === "dry-run" && check?.end !== "red") return undefined;
  if (result?.kind === "gave-up" || result?.kind === "nothing-to-change") {
    return { kind: result.kind, reason: result.reason ?? "" };
  }
  if (result?.kind === "refused") return { kind: "refused", reason: result.reason, paid: result.paid };
  const message = "The job that makes the change ended without one: its summary says why.";
  return { kind: "failed", code: "NOTHING_MADE", message };
}

async function publish(run: PhaseRunner, request: RunRequest, report: RunReport): Promise<RunResult> {
  const record = readRecord(report.record);
  const { start: made, plan, work: kept, description, check } = record;
  const start = await run.step("start", (tools) => startRun(request, tools, () => rollback(request, tools)));
  if ("refused" in start) return { kind: "refused", reason: start.refused };
  const end = endOf(report, record);
  if (end) return end;
  if (!made || !plan || !kept) return { kind: "refused", reason: "The record holds no change." };
  const base = { branch: start.base.branch, commit: made.base.commit };
  const isThere = await run.step("base", ({ host }) => isPart(base.commit, start.base.commit, host));
  if (!isThere)
    return { kind: "refused", reason: `The change was made for a commit that is not part of ${base.branch}.` };
  const { issue } = start;
  const work: Work = { ...kept, patch: "" };
  const checked = check && { said: saidOf(check), passed: check.end === "green" };
  return run.phase("publish", base, async (tools) => {
    await showPhases(tools, work);
    const why = await whyNot(work, tools);
    if (why !== undefined) return { kind: "refused", reason: why };
    const patch = await patchOf(work, tools.repository);
    const { pullRequest, openThreads } = await publishChange({
      ...tools,
      request,
      issue,
      base,
      plan: { ...plan, description: description ?? plan.description },
      work: { ...work, patch },
      checked,
    });
    return { kind: "published", pullRequest, openThreads, checked: checked?.said };
  });
}

const isPart = async (commit: string, tip: string, host: Pick<RunTools["host"], "isAncestor">) =>
  /^[0-9a-f]{40}$/.test(commit) && (commit === tip || (await host.isAncestor(commit, tip)));

/** Shows in the tracking comment what the first job did. */
async function showPhases({ tracker }: Pick<RunTools, "tracker">, { outcomes }: Work): Promise<void> {
  const tasks = outcomes.map(({ taskId, path: file, summary, status }) => ({
    id: taskId,
    path: file,
    title: summary,
    status,
  }));
  await tracker.tasks(tasks);
  for (const phase of ["locate", "plan", "code"] as const) await tracker.finish(phase);
}

interface Guarded {
  readonly repository: Repository;
  readonly policy: PathPolicy;
}

const ACTION = { modify: "modify", create: "create", delete: "delete" } as const;

/** Why the record's change may not be published. Asks the guards again, since the record is not trusted. */
async function whyNot({ changes }: Work, { repository, policy }: Guarded): Promise<string | undefined> {
  if (changes.length === 0) return "The record holds no change.";
  const guard = await createPathGuard(repository, policy);
  const seen = new Set<string>();
  for (const { kind, path: file } of changes) {
    const refusal = guard({ path: file, action: ACTION[kind] });
    if (refusal) return `The record changes ${refusal.path}, and ${refusal.reason}.`;
    if (seen.has(file)) return `The record changes ${file} twice.`;
    seen.add(file);
  }
  return undefined;
}

/** Makes the patch anew instead of trusting the record's. */
async function patchOf({ changes }: Work, repository: Repository): Promise<string> {
  const copy = createWorkingCopy(repository);
  for (const { path: file, after } of await changedFiles(changes, repository)) copy.write(file, after);
  return copy.patch();
}
