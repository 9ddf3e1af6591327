import { isHostRefusal, isMagisError, MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import type { Metrics } from "../data/metrics.ts";
import { lasting, longPauseOf, outageOf } from "../data/outage.ts";
import type { PhaseName, RunResult, StopReason, UnreportedEnd } from "../data/run-state.ts";
import { inSpan, type Traces } from "../data/traces.ts";
import { abortable } from "../github/abortable.ts";
import type { CodeHost } from "../github/code-host.ts";
import { failureResult } from "./ends.ts";
import { createPatience, type Patience } from "./patience.ts";
import type { PhaseContext, RunContext } from "./run-context.ts";
import type { Step } from "./runs.ts";

/** What a phase works on; `reds`: how many of our commits failed their checks before. */
interface PhaseBase {
  commit: string;
  reds?: number;
}

/** Carries out the phases of a run. Never rename a step: unfinished runs continue by its name. */
export interface PhaseRunner {
  /** Waits at most `ms` for a change outside, without holding up other runs; absent: it cannot wait. */
  wait?: (ms: number) => Promise<void>;
  /** A checkpointed step outside any phase. */
  step<T>(name: string, body: (run: RunContext) => Promise<T>): Promise<T>;
  /**
   * A phase: a checkpointed step on the base commit that may ask the model, with the run's state updated before and
   * after. `step`: the step's name, where that is not the phase's.
   */
  phase<T>(name: PhaseName, base: PhaseBase, body: (run: PhaseContext) => Promise<T>, step?: string): Promise<T>;
}

/** One kind of work. */
export interface RunKind {
  /** Why nothing is left to do. Asked before each phase; absent where nobody can say. */
  whyStopped?: (host: CodeHost) => Promise<StopReason | undefined>;
  /**
   * Runs its phases in order and gives how the run ended; `silent`: there was nothing to do, and nothing is reported.
   */
  phases(runner: PhaseRunner): Promise<RunResult | { silent: RunResult }>;
  /** Reports the end in places other than the run's comment; `about`: as the ended run gave it. */
  report?(result: RunResult, run: RunContext, about: unknown): Promise<void>;
  /** Cleans up what the run left on the host and says so in its result. Running it again changes nothing. */
  cleanUp?(run: RunContext, result: RunResult): Promise<RunResult>;
  /** What `report` needs to know: plain data, since another process may report it. */
  about?(): unknown;
}

const END = "end";

/** Where a run is done. */
export interface RunPlace {
  /** Gives the run, always the same. Called inside steps only, which wait out an outage of the host. */
  open(): Promise<RunContext>;
  step: Step;
  log: Log;
  metrics?: Metrics;
  traces?: Traces | undefined;
  /** how long a step waits out an outage; absent: steps are not repeated */
  patience?: Patience;
  /** Schedules the report of an end that the host did not take, however long that takes. */
  reportLater?: (end: UnreportedEnd) => Promise<void>;
  wait?: (ms: number) => Promise<void>;
  /** for a run that is not durable: once it has aborted, the run ends as cancelled */
  signal?: AbortSignal;
}

/**
 * The skeleton of every run: its phases as checkpointed steps, which neither continue nor report once aborted, and its
 * end, reported once however it came about. Never throws: an unexpected end is a result of kind `failed`.
 */
export async function runPhases(kind: RunKind, place: RunPlace): Promise<RunResult> {
  const { open, step, log, signal, patience = { graceMs: 0, clock: () => performance.now() }, reportLater } = place;
  const patiently = whileSeen(createPatience(patience, open, log));
  const again = afterPauses(place.wait);
  let current: PhaseName = "locate";
  const runner: PhaseRunner = {
    wait: place.wait,
    step: (name, body) =>
      again(() => step(name, ({ signal }) => patiently(async (run) => body(abortableRun(run, signal))))),
    phase(name, base, body, called = name) {
      current = name;
      return again(() =>
        step(called, ({ signal }) =>
          patiently(async (run) => {
            const began = performance.now();
            const output = await inSpan(place.traces, { kind: "phase", name }, () =>
              doPhase(name, base, { run, signal, kind }, body),
            );
            place.metrics?.phaseEnded(name, (performance.now() - began) / 1000);
            return output;
          }),
        ),
      );
    },
  };
  const result = await kind.phases(runner).catch((error: unknown): RunResult => {
    if (signal?.aborted) return { kind: "cancelled", by: "you", undone: [] };
    return failureResult(error, current, log);
  });
  if ("silent" in result) return result.silent;
  const end = { kind: "ended", result, about: kind.about?.() } as const;
  const reporting = step(END, ({ signal }) =>
    once(async () => reportEnd(kind, end, abortableRun(await open(), signal))),
  );
  await reporting.catch(async (error: unknown) => {
    log.error({ error, result: result.kind }, "could not report the end of the run on the host");
    await reportLater?.(end);
  });
  return result;
}

/** Repeats a step that a long pause of the host has ended, after a wait in which the run keeps no place in the queue. */
function afterPauses(wait: RunPlace["wait"]): <T>(step: () => Promise<T>) => Promise<T> {
  return async (step) => {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        const pause = longPauseOf(error);
        if (pause === undefined || wait === undefined) throw error;
        await wait(pause);
      }
    }
  };
}

/** Ends a run that has lost its repository, whatever the loss made fail. */
function whileSeen(patiently: ReturnType<typeof createPatience>): ReturnType<typeof createPatience> {
  return (work) =>
    patiently(async (run) => {
      try {
        return await work(run);
      } catch (error) {
        if (!run.lost.aborted) throw error;
        throw new MagisError("SUBJECT_GONE", "The app can no longer see the repository.", { why: "shut-out" }, error);
      }
    });
}

/** Cleans up what a run left on the host, then reports its end. Running it again reports nothing twice. */
export async function reportEnd(
  kind: RunKind,
  { result, about }: Extract<UnreportedEnd, { kind: "ended" }>,
  run: RunContext,
): Promise<void> {
  const because = result.kind === "cancelled" ? result.because : undefined;
  await reportIfThere(because, run, async () => {
    const clean = (because !== "shut-out" && (await kind.cleanUp?.(run, result))) || result;
    await run.tracker.end(clean);
    await kind.report?.(clean, run, about);
  });
}

const UNREADABLE: readonly (StopReason | undefined)[] = ["deleted", "transferred", "shut-out"];

/** Reports an end unless its place is gone: a deleted or transferred issue has nobody to read it. */
export async function reportIfThere(
  because: StopReason | undefined,
  { log }: RunContext,
  report: () => Promise<void>,
): Promise<void> {
  try {
    await report();
  } catch (error) {
    if (!UNREADABLE.includes(because) || !isHostRefusal(error)) throw error;
    log.info({ because }, "the issue or pull request is gone; not reporting the run's end");
  }
}

/** Only `reportLater` repeats this, so an outage here must not make the step repeat. */
async function once(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw outageOf(error) && isMagisError(error) ? lasting(error) : error;
  }
}

/** Steps without checkpoints, for a run that is not durable. Its end is recorded even after `signal` has aborted. */
export function passingSteps(signal: AbortSignal): Step {
  return (name, body) => body({ signal: name === END ? new AbortController().signal : signal });
}

/** Clones inside the step, since the clone must be made again after a crash. */
async function doPhase<T>(
  name: PhaseName,
  base: PhaseBase,
  { run: own, signal: given, kind }: { run: RunContext; signal: AbortSignal; kind: RunKind },
  body: (run: PhaseContext) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.any([given, own.lost]);
  const run = abortableRun(own, signal);
  // A run that is suspended or lost never comes back to close its clone.
  const close = () => run.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    return await workOnPhase(name, base, { run, signal, kind }, body);
  } catch (error) {
    // In an outage the step repeats under the same signal.
    signal.removeEventListener("abort", close);
    throw error;
  }
}

async function workOnPhase<T>(
  name: PhaseName,
  base: PhaseBase,
  { run, signal, kind }: { run: RunContext; signal: AbortSignal; kind: RunKind },
  body: (run: PhaseContext) => Promise<T>,
): Promise<T> {
  const why = await kind.whyStopped?.(run.host);
  if (why) throw new MagisError("SUBJECT_GONE", "There is nothing more to be done on it.", { why });
  await run.tracker.begin(name);
  const repository = await run.openRepository(base.commit, signal);
  const output = await body({ ...run, repository, prompts: run.openPrompts(signal, base.reds), signal });
  await run.tracker.finish(name);
  return output;
}

/** The run for one step: once it is aborted, nothing writes to the host or the tracking comment. */
function abortableRun(run: RunContext, signal: AbortSignal): RunContext {
  run.tracker.until(signal);
  return {
    ...run,
    host: abortable(run.host, signal),
    tracker: abortable(run.tracker, signal, ["state", "until"]),
  };
}
