import { locateFiles, makePlan, writeCode } from "../../agents/phases.ts";
import { staleFiles } from "../../change/generated-files.ts";
import { changedFiles, diffsOf } from "../../change/working-copy.ts";
import { gitPatch } from "../../code/edits/diff.ts";
import { fileMode } from "../../code/edits/file-mode.ts";
import type { IssueSnapshot } from "../../data/discussion.ts";
import type { Candidate, MadePlan, PlannedDescription } from "../../data/plan.ts";
import { type RunRequest, runByHand } from "../../data/run-request.ts";
import type { RepositorySettings } from "../../data/settings.ts";
import { countOpen, type FileChange, type Work } from "../../data/work.ts";
import type { Repository } from "../../git/repository.ts";
import { type ChangeDescription, createManager } from "../../models/agents.ts";
import { describeWork, pullRequestTemplate } from "../../publish/describe-work.ts";
import { obeyAiPolicy } from "../../run/ai-policy.ts";
import { resultOfPlan, resultOfWork } from "../../run/ends.ts";
import { openRun, runReport } from "../../run/open-run.ts";
import { passingSteps, type RunKind, runPhases } from "../../run/phase-runner.ts";
import type { PhaseContext, RunContext } from "../../run/run-context.ts";
import { cutSentence } from "../../run/snapshot-issue.ts";
import { limitsUnder, readSettings, withChosen } from "../../settings/repository/read-settings.ts";
import { counted } from "../../text/counted.ts";
import { readUtf8 } from "../../text/found-text.ts";
import { checkBase, checkWork, type LocalCheck } from "./check-work.ts";
import { absentHost, type LocalDependencies, type LocalJob, type LocalOutcome, NO_REPOSITORIES } from "./job.ts";

/** What the phases have made so far, so that every end returns what is finished. */
type Made = { plan?: MadePlan; work?: Work; unchecked?: Work; description?: ChangeDescription };

/**
 * `resolveIssue` without a host and without the engine: the same phases on one commit in memory, ending in a patch and
 * the pull request's words. Budget, paid calls, guidance and protected paths work as there. Throws what opening the
 * repository throws; after that every end is a result, `cancelled` if `signal` aborted.
 */
export async function resolveLocally(
  job: LocalJob,
  deps: LocalDependencies,
  signal: AbortSignal,
): Promise<LocalOutcome> {
  const repository = await deps.openRepository({ ...job.source, signal });
  const made: Made = {};
  try {
    const read = job.settings ? { settings: job.settings } : await readOwnSettings(repository, job, deps);
    const request = requestOf(job, "settings" in read ? read.settings : undefined);
    const run = await openTools(request, job, deps, repository);
    const faults = "faults" in read ? read.faults : [];
    const check = job.check?.("settings" in read ? read.settings.check : undefined);
    const issue = (await job.issueFrom?.(run.settings.commentsFrom)) ?? job.issue;
    const kind = dryRun({ ...job, issue }, { repository, faults, made, check });
    const result = await runPhases(kind, {
      open: async () => run,
      step: passingSteps(signal),
      log: run.log,
      signal,
    });
    const { number, title } = job.issue;
    const facts = {
      id: job.id,
      repository: job.name,
      number: number > 0 ? number : undefined,
      title,
      requestedAt: job.requestedAt,
    };
    return {
      result,
      patch: made.work && !signal.aborted ? await patchOf(made.work.changes, repository) : new Uint8Array(),
      unchecked: made.unchecked && (await patchOf(made.unchecked.changes, repository)),
      plan: made.plan,
      description: made.description,
      outcomes: made.work?.outcomes ?? [],
      report: await runReport(deps.store, facts),
    };
  } finally {
    repository.close();
  }
}

interface DryRunInput {
  repository: Repository;
  /** what is wrong with the repository's own settings */
  faults: readonly string[];
  made: Made;
  check: LocalCheck | undefined;
}

function dryRun(job: LocalJob, { repository, faults, made, check }: DryRunInput): RunKind {
  const { issue, through = "description" } = job;
  return {
    async phases(runner) {
      const base = { branch: "", commit: repository.commit };
      await runner.step("start", async ({ record, tracker }) => {
        await record("start", { issue, base, by: job.id });
        const cut = cutSentence(issue);
        if (cut !== undefined) await tracker.note(cut);
      });
      if (faults.length > 0) return { kind: "refused", reason: faults.join("\n") };
      const onBase = check && through !== "plan" ? await checkBase(runner, base, check) : undefined;
      if (onBase && "end" in onBase) return onBase.end;

      const located = await runner.phase("locate", base, (run) => locate(job, run));
      const { candidates, policy: aiPolicy, stopped } = located;
      if (stopped !== undefined) return { kind: "refused", reason: stopped, paid: true };

      const plan = await runner.phase("plan", base, (run) => makePlan({ ...run, issue, candidates, aiPolicy }));
      made.plan = plan;
      const unplanned = resultOfPlan(plan);
      if (unplanned) return unplanned;
      if (through === "plan") return { kind: "dry-run", made: "plan", openComments: 0 };

      const first = await runner.phase("code", base, (run) => writeCode({ ...run, issue, plan }));
      made.work = first;
      const unchanged = resultOfWork(first);
      if (unchanged) return unchanged;
      const checked = check && onBase && (await checkWork(runner, { base, issue, plan, work: first, check, onBase }));
      if (checked) made.unchecked = first;
      const { work } = checked ?? { work: first };
      made.work = work;

      if (through === "description") {
        const described = await runner.phase("publish", base, (run) =>
          describeLocally(run, { issue, work, planned: plan.description }),
        );
        made.description = described;
      }
      return {
        kind: "dry-run",
        made: "patch",
        openComments: countOpen(work.outcomes),
        check: checked?.end,
      };
    },
  };
}

/** Locates the files, unless the change may not be made for publishing; `stopped`: in a sentence. */
async function locate({ issue, files, ranked, publishing }: LocalJob, run: PhaseContext) {
  const { policy, stopped } = publishing ? await obeyAiPolicy(run, publishing) : {};
  if (stopped !== undefined) return { policy, stopped, candidates: [] };
  const candidates = files ? givenCandidates(files, run) : locateFiles({ ...run, issue, ranked });
  return { policy, stopped, candidates: await candidates };
}

/** Uses the clone that is already open for the whole run. */
function openTools(
  request: RunRequest,
  job: LocalJob,
  deps: LocalDependencies,
  repository: Repository,
): Promise<RunContext> {
  const { profile = deps.settings.profile, ablate = deps.settings.ablate } = job.chosen ?? {};
  const own = { ...deps, settings: { ...deps.settings, profile, ablate } };
  const opened = {
    openCodeHost: async () => absentHost(job),
    openRepository: async () => repository,
  };
  return openRun(request, { ...own, ...opened }, "silent");
}

function requestOf(job: LocalJob, settings: RepositorySettings | undefined): RunRequest {
  const { id, repository, issue, requestedAt } = job;
  const asked = { id, repository, issue: issue.number, actor: "you", hint: issue.hint, requestedAt };
  return { ...runByHand(asked), settings };
}

/** The given files as candidates, in order, without judging them. Skips files that do not exist. */
async function givenCandidates(
  files: readonly string[],
  { repository, tracker, record }: PhaseContext,
): Promise<readonly Candidate[]> {
  const reasons = ["given"];
  const candidates = [...new Set(files)].flatMap((path) => {
    const blob = repository.entries.get(path)?.blob;
    return blob === undefined ? [] : [{ path, blob, score: 0, reasons, summary: "" }];
  });
  const judged = candidates.map((one) => ({ ...one, source: "given", relevant: true, reason: "It was given." }));
  await record("candidates", { judged });
  await tracker.conclude(`${counted(candidates.length, "file")} given`);
  return candidates;
}

/**
 * The settings from the commit's `.github/magis.yml`, overridden by what was chosen for this run; or a sentence for
 * each fault in the file.
 */
async function readOwnSettings(
  { entries, readBlob }: Repository,
  { repository, chosen = {}, ownerReads = NO_REPOSITORIES }: LocalJob,
  { limits }: LocalDependencies,
): Promise<{ settings: RepositorySettings } | { faults: readonly string[] }> {
  const read = await readSettings({
    owner: repository.owner,
    async readRepositoryFile(path) {
      const entry = entries.get(path);
      if (!entry) return undefined;
      if (!entry.mode.startsWith("100")) return { unreadable: "is a link or a submodule" };
      if (entry.size === undefined) return { unreadable: "is larger than the clone's limit" };
      return readUtf8(await readBlob(entry.blob));
    },
    listRepositoryFolder: async (path) => namesIn(entries.keys(), path),
    readOwnerFile: (other, path) => ownerReads.readFile(other, path),
    limits: limitsUnder(limits, chosen),
  });
  if ("faults" in read) return { faults: read.faults.map(({ file, line, message }) => `${file}:${line}: ${message}`) };
  return { settings: withChosen(read.settings, chosen) };
}

/** The names of what is in a folder of a tree, the root being "". */
function namesIn(paths: Iterable<string>, folder: string): readonly string[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  const below = [...paths].filter((path) => path.startsWith(prefix));
  return [...new Set(below.map((path) => path.slice(prefix.length).replace(/\/.*/s, "")))];
}

interface WorkToDescribe {
  issue: IssueSnapshot;
  work: Work;
  planned?: PlannedDescription | undefined;
}

/** The words of a pull request for this work. */
async function describeLocally(
  { repository, prompts, tracker, record, log }: PhaseContext,
  { issue, work, planned }: WorkToDescribe,
): Promise<ChangeDescription> {
  const files = await changedFiles(work.changes, repository);
  const description = await describeWork({
    manager: createManager(prompts),
    issue,
    outcomes: work.outcomes,
    planned,
    log,
    diffs: diffsOf(files),
    template: await pullRequestTemplate(repository),
  });
  const changed = files.map(({ path }) => path);
  const stale = await staleFiles(changed, await repository.landed(), repository);
  const said = {
    ...description,
    solution: [description.solution, ...stale].filter((one) => one).join("\n\n"),
  };
  await record("description", said);
  await tracker.conclude("described, published nowhere");
  return said;
}

/** The changes as one patch for `git apply`, byte for byte in any encoding. */
async function patchOf(changes: readonly FileChange[], repository: Repository): Promise<Uint8Array> {
  const files = await changedFiles(changes, repository);
  const patches = files.map(({ path, before, after }) =>
    gitPatch(path, before, after, { mode: fileMode(path, after, repository.entries) }),
  );
  return new Uint8Array(Buffer.concat(patches));
}
