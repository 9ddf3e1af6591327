import type { LimitReached } from "../data/limits.ts";
import { markers } from "../data/marks.ts";
import type { RunRequest } from "../data/run-request.ts";
import type { RunResult, UnreportedEnd } from "../data/run-state.ts";
import { limitNote, limitSentence } from "../report/limits.ts";
import { sayOnce } from "../report/tracking-comment.ts";
import { openRun, type RunDependencies } from "../run/open-run.ts";
import type { Patience } from "../run/patience.ts";
import { type RunKind, runPhases } from "../run/phase-runner.ts";
import type { RunContext } from "../run/run-context.ts";
import type { Step } from "../run/runs.ts";

interface RefusedRun {
  request: RunRequest;
  /** the limit that keeps it from beginning */
  limit: LimitReached;
  step: Step;
  patience: Patience;
  reportLater: (end: UnreportedEnd) => Promise<void>;
}

/**
 * Reports that a limit keeps a run from beginning. A run that continues another leaves the comment and the state of
 * that one as they were, with its plan or its finished part, and says it in a comment of its own. Never throws.
 */
export async function refuseRun(
  { request, limit, step, patience, reportLater }: RefusedRun,
  deps: RunDependencies,
): Promise<RunResult> {
  const isNew = request.id === request.root;
  const result = { kind: "refused", reason: limitSentence(limit) } as const;
  let opening: Promise<RunContext> | undefined;
  const open = () => {
    opening ??= openRun(request, deps, isNew ? "work" : "again").catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const leftAsItWas: RunKind = {
    async phases(runner) {
      const saying = runner.step("refuse", async (run) => {
        const state = await deps.store.state(request.root);
        // The comment says that the run waits for its turn.
        if (state?.queued) await run.tracker.announce();
        await sayOnce(run.host, request.issue, markers.limit(request.id), limitNote(request.id, result.reason));
      });
      await saying.catch((error: unknown) =>
        deps.log.error({ run: request.id, error }, "could not report the refusal"),
      );
      return { silent: result };
    },
  };
  const kind = isNew ? { phases: async () => result } : leftAsItWas;
  try {
    return await runPhases(kind, { open, step, log: deps.log, patience, reportLater });
  } finally {
    (await opening)?.close();
  }
}
