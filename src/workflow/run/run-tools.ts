import type { BudgetKeeper } from "../../llm/metering/budget-keeper.ts";
import type { PromptRunner } from "../../llm/prompt-runner.ts";
import type { IssueSnapshot } from "../../model/discussion.ts";
import { issueOfPull, runOfPull } from "../../model/marks.ts";
import type { AiPolicy, RoleDescription } from "../../model/plan.ts";
import { readRecord } from "../../model/read-record.ts";
import type { KeepPart, RunRecord } from "../../model/run-record.ts";
import type { RepositoryId, RunRequest } from "../../model/run-request.ts";
import type { RunState } from "../../model/run-state.ts";
import type { RunSettings } from "../../model/settings.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { EvolutionMemory } from "../../ports/evolution-memory.ts";
import type { Uploads } from "../../ports/language-model.ts";
import type { Log } from "../../ports/log.ts";
import type { HostPullRequest } from "../../ports/pull-requests.ts";
import type { Repository } from "../../ports/repository.ts";
import type { RunReport, RunStore } from "../../ports/runs.ts";
import type { SourceParser } from "../../ports/source-parser.ts";
import type { Verifier } from "../../ports/verifier.ts";
import type { RoleSpend } from "../../report/pull-request-body.ts";
import type { TokenCache } from "../../search/token-cache.ts";
import type { PathPolicy } from "../change/path-policy.ts";
import { heardOf, snapshotIssue } from "./snapshot-issue.ts";
import type { Tracker } from "./tracker.ts";

/** The run that this one continues: it opened the pull request. Empty once its record was deleted. */
interface EarlierRun {
  record(): Promise<RunRecord>;
  state(): Promise<RunState | undefined>;
  saveState(state: RunState): Promise<void>;
}

/** What one run works with. Rebuilt when a run is taken up again; nothing in it is kept. */
export interface RunTools extends RunSubject, RunMemory, RunProgress {
  /** tries changes; absent: nothing is proved */
  readonly verifier?: Verifier;
  readonly log: Log;
  /** `reds`: how many of our commits failed their checks so far; each raises the strong model's effort. */
  openPrompts(signal: AbortSignal, reds?: number): PromptRunner;
  /** Lets go of the clone. */
  close(): void;
}

/** The repository that a run works on, and how. */
interface RunSubject {
  readonly repositoryId: RepositoryId;
  readonly settings: RunSettings;
  /** the models' names, the strong one's first; none where they are not known */
  readonly models: readonly string[];
  /** which files the bot leaves alone */
  readonly policy: PathPolicy;
  readonly host: CodeHost;
  /** absent: models see no attachments */
  readonly uploads?: Uploads | undefined;
  /** aborts once the app can no longer see the repository */
  readonly lost: AbortSignal;
  readonly parser: SourceParser;
  /** Gives the commit in memory; cloned once per process. */
  openRepository(commit: string, signal: AbortSignal): Promise<Repository>;
  /** Gives another commit beside it, with its tree and no files, which the host has. The caller closes it. */
  openTree(commit: string, signal: AbortSignal): Promise<Repository>;
}

/** What is kept of this run and of earlier ones. */
interface RunMemory {
  readonly memory: EvolutionMemory;
  readonly tokenCache: TokenCache;
  /** The parts of the record kept so far, including those of the run that this one goes on with. */
  kept(): Promise<RunRecord>;
  /** Keeps a part of the run's record, which says how its result came about. */
  readonly record: KeepPart;
  /** What is kept of an earlier run on this repository; nothing of runs on any other. */
  earlierRun(runId: string): EarlierRun;
}

/** How far a run is, and what it has cost. */
interface RunProgress {
  readonly tracker: Tracker;
  /** the time of work that counts against the run's minutes */
  readonly clock: Pick<BudgetKeeper, "standStill" | "goOn">;
  /** What the calls of each role have cost so far. */
  spendByRole(): Promise<readonly RoleSpend[]>;
  /** US dollars that all runs on these issues and pull requests have cost, this one included. */
  spentOn(numbers: readonly number[]): Promise<number>;
}

/** A mark forged by a person must not open the run of another repository. */
export function earlierRun(id: string, { repository }: RunRequest, store: RunStore): EarlierRun {
  const isOwn = () => store.isOf(id, repository);
  return {
    record: async () => readRecord((await isOwn()) ? await store.record(id) : {}),
    state: async () => ((await isOwn()) ? store.state(id) : undefined),
    saveState: async (state) => ((await isOwn()) ? store.saveState(id, state) : undefined),
  };
}

/** All that `store` knows of a run, with the facts that it does not keep. */
export async function runReport(
  store: Pick<RunStore, "state" | "record" | "calls">,
  facts: Pick<RunReport, "id" | "repository" | "number" | "title" | "requestedAt">,
): Promise<RunReport> {
  const [state, record, calls] = [
    await store.state(facts.id),
    await store.record(facts.id),
    await store.calls(facts.id),
  ];
  return { ...facts, state, record, calls };
}

/** What is known of the run that opened the pull request; roles and base are gone when its record was deleted. */
export interface Origin {
  readonly root?: string;
  readonly issue: IssueSnapshot;
  /** the commit that the change was made on */
  readonly base?: string;
  readonly policy?: AiPolicy | undefined;
  readonly roles: readonly { path: string; developer: RoleDescription; qaEngineer?: RoleDescription }[];
  /** paths of the tests whose failure without the fix is its proof */
  readonly proves: readonly string[];
}

/** Finds the run by the mark in the pull request's body, and takes from its record what a revision needs. */
export async function findOrigin(
  request: RunRequest,
  pull: HostPullRequest,
  { host, earlierRun, settings }: Pick<RunTools, "host" | "earlierRun" | "settings">,
): Promise<Origin> {
  const root = runOfPull(pull);
  const { start, plan, work, proof } = root === undefined ? readRecord({}) : await earlierRun(root).record();
  const number = issueOfPull(pull) ?? pull.number;
  const { text: _, ...withoutText } = request;
  const from = settings.commentsFrom;
  const red = proof?.pushes.findLast(({ stage }) => stage === "red");
  return {
    root,
    issue: start
      ? heardOf(start.issue, from)
      : await snapshotIssue(withoutText, await host.readIssue(number), await host.listComments(number), {
          from,
          renderText: host.renderText,
        }),
    base: start?.base.commit,
    policy: plan?.policy,
    roles: (plan?.tasks ?? []).map(({ id, path, developer }) => {
      const outcome = work?.outcomes.find(({ taskId }) => taskId === id);
      const qaEngineer = outcome?.qaEngineer.title ? outcome.qaEngineer : undefined;
      return { path, developer, qaEngineer };
    }),
    proves: red?.verdict === "right-red" ? [...new Set(red.asked.map(({ path }) => path))] : [],
  };
}
