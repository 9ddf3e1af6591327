import type { PromptRunner } from "../../llm/prompt-runner.ts";
import { abortable } from "../../model/cancellation.ts";
import type { PhaseName } from "../../model/run-state.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { Repository } from "../../ports/repository.ts";
import type { Step } from "../../ports/step.ts";
import type { RunTools } from "./run-tools.ts";

/** What a phase is handed: the run's tools, its base commit in memory, and a way to ask the model. */
export interface PhaseTools extends RunTools {
  readonly repository: Repository;
  readonly prompts: PromptRunner;
}

export interface PhaseRunner {
  /** Runs a phase as a checkpointed step on the base commit and keeps the tracking comment true around it. */
  run<T>(name: PhaseName, base: { readonly commit: string }, body: (tools: PhaseTools) => Promise<T>): Promise<T>;
  /** the phase that was begun last */
  current(): PhaseName;
}

/** The clone is made inside the step that needs it: after a crash it has to be made again. */
export function createPhaseRunner(open: () => Promise<RunTools>, step: Step): PhaseRunner {
  let current: PhaseName = "locate";
  return {
    run(name, base, body) {
      current = name;
      return step(name, async ({ signal }) => {
        const tools = abortableTools(await open(), signal);
        // A run that is suspended or lost never comes back to close its clone.
        signal.addEventListener("abort", () => tools.close(), { once: true });
        await tools.tracker.begin(name);
        const repository = await tools.openRepository(base.commit, signal);
        const output = await body({ ...tools, repository, prompts: tools.openPrompts(signal) });
        await tools.tracker.finish(name);
        return output;
      });
    },
    current: () => current,
  };
}

const READS: readonly (keyof CodeHost)[] = [
  ...(["cloneToken", "readIssue", "listComments", "permissionOf", "findOwnComment", "findOwnPullRequests"] as const),
  ...(["readPullRequest", "listCommits", "findOwnReview", "listReviews", "listThreads", "defaultBranch"] as const),
  ...(["branchTip", "readCommit", "readBlob", "changedPaths", "readFile", "checksOf"] as const),
  ...(["annotationsOf", "jobLog"] as const),
];

/** The tools of a run for one of its steps: neither host nor tracking comment is written once the step is aborted. */
export function abortableTools(tools: RunTools, signal: AbortSignal): RunTools {
  return {
    ...tools,
    host: abortable(tools.host, signal, { reads: READS }),
    tracker: abortable(tools.tracker, signal, { immediate: ["state"] }),
  };
}
