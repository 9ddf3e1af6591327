import { createPathPolicy, type PathPolicy } from "../change/path-policy.ts";
import type { SourceParser } from "../code/source-parser.ts";
import { isHostRefusal, isMagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import type { Metrics } from "../data/metrics.ts";
import { readRecord } from "../data/read-record.ts";
import type { KeepPart } from "../data/run-record.ts";
import type { RepositoryId, RunRequest } from "../data/run-request.ts";
import type { RunState } from "../data/run-state.ts";
import { runValuesOf } from "../data/setting-definitions/all-settings.ts";
import { effortsAfter, type RunSettings } from "../data/settings.ts";
import type { Budget } from "../data/spend.ts";
import type { Traces } from "../data/traces.ts";
import type { OpenRepository, Repository } from "../git/repository.ts";
import type { CodeHost, OpenCodeHost } from "../github/code-host.ts";
import type { LanguageModel, Uploads } from "../models/language-model.ts";
import { createBudgetKeeper } from "../models/metering/budget-keeper.ts";
import { meteredModel } from "../models/metering/metered-model.ts";
import type { PromptLibrary } from "../models/prompt-library.ts";
import { createPromptRunner } from "../models/prompt-runner.ts";
import { PLAIN_CONTEXT, type PromptContext } from "../models/render-prompt.ts";
import type { TokenCache } from "../search/token-cache.ts";
import { budgetOf, spendByRole, sumOfCalls } from "./budget.ts";
import { type EvolutionMemory, withPlainSummaries } from "./evolution-memory.ts";
import { guidanceOf } from "./guidance.ts";
import type { EarlierRun, RunContext } from "./run-context.ts";
import type { RunReport, RunStore, RunWriter } from "./runs.ts";
import { createIssueImages } from "./snapshot-issue.ts";
import { createTracker, noteOf, showComment, stateAtStart, stateBefore } from "./tracker.ts";
import type { Verifier } from "./verifier.ts";

/** What all runs of a process share. */
export interface RunDependencies {
  openCodeHost: OpenCodeHost;
  openRepository: OpenRepository;
  parser: SourceParser;
  /** tries changes on a host; absent: nothing is proved */
  verifierOf?: ((host: CodeHost) => Verifier) | undefined;
  log: Log;
  metrics?: Metrics;
  traces?: Traces | undefined;

  // What agents answer with.
  model: LanguageModel;
  prompts: PromptLibrary;
  /** absent: models see no images and no attachments */
  uploads?: Uploads | undefined;

  // What the operator has set, for repositories that set nothing else.
  budget: Budget;
  settings: RunSettings;
  /** the models of both tiers, for the log and the pull request */
  models?: { fast: string; strong: string };

  // What outlives a run.
  store: RunStore;
  memory: EvolutionMemory;
  /** token counts of blobs, kept from earlier runs on the repository */
  tokenCache(repository: RepositoryId): TokenCache;
}

/** Tool calls that all agents of a run may make in one process. */
const MAX_LOOKUPS = 300;

/**
 * `work`: it begins, or goes on after its process has stopped; `again`: the same work once more, after a wait or to
 * report its end, which does not count as taken up again; `silent`: it keeps its state and writes no comment; `guest`: a
 * correction of a run that has ended, which is not taken from a run that continues it.
 */
type Opening = "work" | "again" | "silent" | "guest";

/**
 * Opens what one run works with. A run that is taken up again goes on with its state and its spending: what the stopped
 * process used counts.
 */
export async function openRun(
  request: RunRequest,
  deps: RunDependencies,
  opening: Opening = "work",
): Promise<RunContext> {
  const { store, log } = deps;
  const { settings, context, policy } = readPromptContext(request, deps);
  const budget = budgetOf(request, deps.budget);
  const runId = request.root;
  const { host, lost } = watchAccess(await deps.openCodeHost(request.repository));
  const writer = await store.openWriter(runId, opening === "guest" ? opening : undefined);
  const { before } = writer;
  const spent = { ...sumOfCalls(await store.calls(runId)), elapsed: before?.spend.elapsed ?? 0 };
  const keeper = createBudgetKeeper(budget, spent, () => performance.now());
  const { prompts, metrics, traces } = deps;
  const model = meteredModel(deps.model, { store, runId, keeper, prompts, metrics, traces });
  const lookups = { left: MAX_LOOKUPS };
  let opened: Pick<PromptContext, "guidance" | "tree"> = { guidance: [] };

  const tracker = createTracker({
    initial: opening === "again" || opening === "guest" ? stateBefore(before) : stateAtStart(request, before),
    spend: keeper.spend,
    log,
    ...keepers(request, writer, { ...deps, host, budget }, opening),
  });

  const kept = async () => readRecord(await store.record(runId));
  const record: KeepPart = (part, value) => writer.saveRecord(part, value);
  const token = () => host.cloneToken();
  const addresses = () => host.imagesOf(request.issue);
  const clone = keepClone(async (commit, signal) => {
    const repository = await deps.openRepository({ url: host.cloneUrl, commit, token, signal });
    opened = { guidance: await guidanceOf(repository, (await kept()).start?.issue), tree: repository.entries };
    return repository;
  });
  const images = createIssueImages({ kept, record, addresses, token, fetchImage: deps.uploads?.fetchImage });
  return {
    request,
    settings,
    models: modelsOf(request, deps),
    policy,
    host,
    uploads: deps.uploads,
    lost,
    tracker,
    spending: keeper,
    log,
    memory: withPlainSummaries(deps.memory),
    tokenCache: deps.tokenCache(request.repository),
    parser: deps.parser,
    kept,
    record,
    verifier: deps.verifierOf?.(host),
    spendByRole: async () => spendByRole(await store.calls(runId), deps.prompts),
    openPrompts(signal, reds) {
      const own = { ...context, ...opened, effort: effortsAfter(settings.effort, reds) };
      return createPromptRunner(prompts, model, signal, own, () => images(signal), lookups);
    },
    spentOn: (numbers) => store.spentOn(request.repository, numbers),
    earlierRun: (id) => earlierRun(id, request, store),
    openRepository: clone.open,
    openTree: (commit, signal) => deps.openRepository({ url: host.cloneUrl, commit, token, signal, blobLimit: 0 }),
    close: clone.close,
  };
}

/** A mark forged by a person must not open the run of another repository. */
function earlierRun(id: string, { repository }: RunRequest, store: RunStore): EarlierRun {
  const isOwn = () => store.isOf(id, repository);
  return {
    record: async () => readRecord((await isOwn()) ? await store.record(id) : {}),
    state: async () => ((await isOwn()) ? store.state(id) : undefined),
    correct: async (change) => ((await isOwn()) ? correct(id, change, store) : undefined),
  };
}

/** Until nobody takes the run over between reading and writing: that ends no other run. */
async function correct(id: string, change: Partial<RunState>, store: RunStore): Promise<void> {
  const { before, saveState } = await store.openWriter(id, "guest");
  if (!before) return;
  await saveState({ ...before, ...change }).catch((error: unknown) => {
    if (!isMagisError(error, "RUN_CANCELLED")) throw error;
    return correct(id, change, store);
  });
}

/** The clone that a run's phases share: one at a time, replaced for another commit and after a failure. */
function keepClone(open: (commit: string, signal: AbortSignal) => Promise<Repository>) {
  let clone: Promise<Repository> | undefined;
  let cloned: string | undefined;
  const close = () => {
    clone?.then((repository) => repository.close()).catch(() => undefined);
    clone = undefined;
  };
  return {
    close,
    open(commit: string, signal: AbortSignal): Promise<Repository> {
      if (cloned !== commit) close();
      cloned = commit;
      clone ??= open(commit, signal);
      const opening = clone;
      opening.catch(() => {
        if (clone === opening) clone = undefined;
      });
      return opening;
    },
  };
}

/** Saves a run's state, along with which comment is its own, and writes the state into that. */
function keepers(
  request: RunRequest,
  { before, saveState }: RunWriter,
  { log, host, budget }: RunDependencies & { host: CodeHost },
  opening: Opening,
): Pick<Parameters<typeof createTracker>[0], "keep" | "show"> {
  let comment = before?.comment;
  let isTakenOver = false;
  // Asking again gets a new comment.
  if (comment && before?.result && opening !== "again") comment = { ...comment, again: false };
  return {
    async keep(state) {
      try {
        await saveState(comment ? { ...state, comment } : state);
      } catch (error) {
        isTakenOver ||= isMagisError(error, "RUN_CANCELLED");
        throw error;
      }
    },
    async show(state) {
      const body = opening === "silent" || isTakenOver ? undefined : noteOf(request, state, budget);
      if (body === undefined) return { isNew: false };
      const shown = await showComment(host, request, body, comment);
      if (shown === undefined) log.warn({ run: request.id }, "its comment was deleted twice; making no other");
      if (shown === undefined || (shown.id === comment?.id && shown.again === comment.again)) return { isNew: false };
      comment = shown;
      return { isNew: true };
    },
  };
}

function modelsOf({ settings }: RunRequest, { models }: RunDependencies): readonly string[] {
  const { fast, strong } = { ...models, ...settings?.models };
  return [...new Set([strong, fast])].filter((name) => name !== undefined);
}

/** What holds for one run: the repository's settings win over the operator's. */
function readPromptContext(
  { settings: own }: RunRequest,
  { settings }: { settings: RunSettings },
): { settings: RunSettings; context: PromptContext; policy: PathPolicy } {
  const policy = createPathPolicy(own ?? {});
  if (!own) return { settings, context: PLAIN_CONTEXT, policy };
  const { models, language, instructions } = own;
  // Where the operator repairs no checks, no repository turns that on.
  const ciRounds = Math.min(own.ciRounds, settings.ciRounds);
  return {
    settings: { ...settings, ...runValuesOf(own), ciRounds },
    context: { language, instructions, guidance: [], models },
    policy,
  };
}

/** All that `store` knows of a run, with the facts that it does not keep. */
export async function runReport(
  store: RunStore,
  facts: Omit<RunReport, "state" | "record" | "calls">,
): Promise<RunReport> {
  const [state, record, calls] = [
    await store.state(facts.id),
    await store.record(facts.id),
    await store.calls(facts.id),
  ];
  return { ...facts, state, record, calls };
}

type Verb = (...values: unknown[]) => unknown;

/**
 * The same host, and a signal that aborts once the app can no longer see the repository: whenever the host refuses
 * something, it is asked for the repository itself.
 */
function watchAccess(host: CodeHost): { host: CodeHost; lost: AbortSignal } {
  const lost = new AbortController();
  const askForRepository = async () => {
    await host.defaultBranch().catch((error: unknown) => {
      if (isHostRefusal(error)) lost.abort();
    });
  };
  const watched = new Proxy(host, {
    get(own, key) {
      const value: unknown = Reflect.get(own, key);
      if (typeof value !== "function") return value;
      return async (...values: unknown[]) => {
        try {
          return await (value as Verb).apply(own, values);
        } catch (error) {
          if (isHostRefusal(error)) await askForRepository();
          throw error;
        }
      };
    },
  });
  return { host: watched, lost: lost.signal };
}
