import type { PromptLibrary } from "../../llm/load-prompts.ts";
import { createBudgetKeeper } from "../../llm/metering/budget-keeper.ts";
import { sumOfCalls } from "../../llm/metering/sum-of-calls.ts";
import { withMetering } from "../../llm/metering/with-metering.ts";
import type { PromptContext } from "../../llm/prompt-context.ts";
import { createPromptRunner } from "../../llm/prompt-runner.ts";
import type { Budget } from "../../model/budget.ts";
import { markers } from "../../model/markers.ts";
import { type RepositoryId, repositoryName } from "../../model/repository-id.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { RunState } from "../../model/run-state.ts";
import type { OpenCodeHost } from "../../ports/code-host.ts";
import type { EvolutionMemory } from "../../ports/evolution-memory.ts";
import type { FetchImage } from "../../ports/image-source.ts";
import type { LanguageModel } from "../../ports/language-model.ts";
import type { Log } from "../../ports/log.ts";
import type { OpenRepository, Repository } from "../../ports/repository.ts";
import type { RecordedCall, RunStore } from "../../ports/run-store.ts";
import type { SourceParser } from "../../ports/source-parser.ts";
import { followUpNote } from "../../report/follow-up-note.ts";
import type { RoleSpend } from "../../report/pull-request-body.ts";
import { trackingComment } from "../../report/tracking-comment.ts";
import type { TokenCache } from "../../search/token-cache.ts";
import { createIssueImages } from "./create-issue-images.ts";
import { guidanceOf } from "./guidance-of.ts";
import { readPromptContext } from "./read-prompt-context.ts";
import type { EarlierRun, RunSettings, RunTools } from "./run-tools.ts";
import { createTracker, initialState } from "./tracker.ts";

/** What all runs of a process share. */
export interface RunDependencies {
  readonly openCodeHost: OpenCodeHost;
  readonly openRepository: OpenRepository;
  readonly store: RunStore;
  readonly memory: EvolutionMemory;
  readonly model: LanguageModel;
  readonly prompts: PromptLibrary;
  readonly budget: Budget;
  readonly settings: RunSettings;
  readonly parser: SourceParser;
  readonly log: Log;
  /** absent: no images are shown to the models */
  readonly fetchImage?: FetchImage | undefined;
  /** tokens of blobs that earlier runs on the repository have counted */
  tokenCache(repository: RepositoryId): TokenCache;
}

/** Tool calls of all agents of one run in one process. */
const MAX_LOOKUPS = 300;

/**
 * Puts together what one run works with. A run that is taken up again goes on with the state and the spending that it
 * had: what was used by the process that stopped counts. `works: false`: only to tell its end. `comments: false`: the state
 * is kept and told to nobody on the host.
 */
export async function openRunTools(
  request: RunRequest,
  deps: RunDependencies,
  { works = true, comments = true }: { readonly works?: boolean; readonly comments?: boolean } = {},
): Promise<RunTools> {
  const { store, log } = deps;
  const { settings, context, policy } = readPromptContext(request, deps);
  const budget = extended(request.settings?.budget ?? deps.budget, request.allowance);
  const runId = request.root;
  const host = await deps.openCodeHost(request.repository);
  const before = await store.state(runId);
  const spent = { ...sumOfCalls(await store.calls(runId)), elapsed: before?.spend.elapsed ?? 0 };
  const keeper = createBudgetKeeper(budget, spent, () => performance.now());
  const model = withMetering(deps.model, { store, runId, keeper });
  const lookups = { left: MAX_LOOKUPS };
  let clone: Promise<Repository> | undefined;
  let cloned: string | undefined;
  let guidance: PromptContext["guidance"] = [];
  let commentId: number | undefined;

  const tracker = createTracker({
    initial: stateAtStart(request, before, works),
    spend: keeper.spend,
    log,
    async show(state) {
      await store.saveState(runId, state);
      const body = comments ? noteOf(request, state, budget) : undefined;
      if (body === undefined) return;
      commentId ??= (await host.findOwnComment(request.issue, markers.run(runId)))?.id;
      if (commentId === undefined) commentId = (await host.createComment(request.issue, body)).id;
      else await host.updateComment(commentId, body);
    },
  });

  const kept = () => store.record(runId);
  const record = (part: string, value: unknown) => store.saveRecord(runId, part, value);
  const token = () => host.cloneToken();
  const images = createIssueImages({ kept, record, token, fetchImage: deps.fetchImage });
  return {
    ...{ repositoryId: request.repository, settings, policy, host, memory: deps.memory, tracker, log },
    ...{ tokenCache: deps.tokenCache(request.repository), parser: deps.parser },
    ...{ kept, record },
    spendByRole: async () => spendByRole(await store.calls(runId), deps.prompts),
    openPrompts: (signal) =>
      createPromptRunner(deps.prompts, model, signal, { ...context, guidance }, () => images(signal), lookups),
    earlierRun: (id) => earlierRun(id, request, store),
    openRepository(commit, signal) {
      if (cloned !== commit) close();
      cloned = commit;
      clone ??= open(commit, signal);
      const opening = clone;
      opening.catch(() => {
        if (clone === opening) clone = undefined;
      });
      return opening;
    },
    close,
  };

  async function open(commit: string, signal: AbortSignal): Promise<Repository> {
    const repository = await deps.openRepository({ url: host.cloneUrl, commit, token, signal });
    guidance = await guidanceOf(repository);
    return repository;
  }

  function close(): void {
    clone?.then((repository) => repository.close()).catch(() => undefined);
    clone = undefined;
  }
}

/** What the host is told of a state, if anything. */
function noteOf(request: RunRequest, state: RunState, budget: Budget): string | undefined {
  const follows = request.work.kind !== "resolve";
  return follows ? followUpNote(request, state) : trackingComment(request, state, budget);
}

/** Its id names the repository: what a person may have put in its place must not open another one's run. */
function earlierRun(id: string, { repository }: RunRequest, store: RunStore): EarlierRun {
  const own = id.startsWith(`${repositoryName(repository)}#`);
  return {
    record: async () => (own ? store.record(id) : {}),
    state: async () => (own ? store.state(id) : undefined),
    saveState: async (state) => (own ? store.saveState(id, state) : undefined),
  };
}

/** A run that is taken up again after the process stopped goes on with its state; one that goes on with an ended run begins. */
function stateAtStart({ id, root }: RunRequest, before: RunState | undefined, works: boolean): RunState {
  if (!before) return initialState();
  if (!before.result) return { ...before, resumed: before.resumed + (works ? 1 : 0) };
  const { pullRequest, followUps } = before;
  return id === root
    ? before
    : { ...initialState(), ...(pullRequest && { pullRequest }), ...(followUps && { followUps }) };
}

/** The budget with what people have added to its money; tokens and time grow alike. */
function extended(budget: Budget, allowance: number): Budget {
  const factor = 1 + allowance / budget.money;
  return { money: budget.money * factor, tokens: Math.round(budget.tokens * factor), minutes: budget.minutes * factor };
}

function spendByRole(calls: readonly RecordedCall[], { prompts }: PromptLibrary): RoleSpend[] {
  const roles = new Map<string, RoleSpend>();
  for (const { promptId, tokens, money } of calls) {
    const role = prompts.get(promptId)?.role ?? "other";
    const sum = roles.get(role) ?? { role, calls: 0, tokens: 0, money: 0 };
    roles.set(role, { role, calls: sum.calls + 1, tokens: sum.tokens + tokens, money: sum.money + money });
  }
  return [...roles.values()];
}
