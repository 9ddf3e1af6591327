import type { PromptRunner } from "../../llm/prompt-runner.ts";
import { abortable } from "../../model/cancellation.ts";
import { isHostRefusal, isMagisError, MagisError } from "../../model/error.ts";
import { lasting, outageOf } from "../../model/outage.ts";
import type { PhaseName, RunResult, StopReason, UnreportedEnd } from "../../model/run-state.ts";
import { type CodeHost, HOST_READS, RUN_CREATIONS } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { Repository } from "../../ports/repository.ts";
import type { Step } from "../../ports/runs.ts";
import { failureResult } from "./ends.ts";
import { createPatience, type Patience } from "./patience.ts";
import type { RunTools } from "./run-tools.ts";

/** What a phase is handed: the run's tools, its base commit in memory, and a way to ask the model. */
export interface PhaseTools extends RunTools {
  readonly repository: Repository;
  readonly prompts: PromptRunner;
}

/** What a phase works on; `reds`: red checks of ours that have led to it. */
interface PhaseBase {
  readonly commit: string;
  readonly reds?: number;
}

/** What the phases of a run are done with. The names of steps stay for ever: by them unfinished runs go on. */
export interface PhaseRunner {
  /** Waits until something outside may have changed, at most `ms`, and holds nobody up meanwhile; absent: it cannot. */
  readonly wait?: (ms: number) => Promise<void>;
  /** A checkpointed step with the run's tools alone. */
  step<T>(name: string, body: (tools: RunTools) => Promise<T>): Promise<T>;
  /**
   * A phase: a checkpointed step on the base commit, with a way to ask the model and the run's state kept true around
   * it. `step` is what the step is called where that is not the phase's name.
   */
  phase<T>(name: PhaseName, base: PhaseBase, body: (tools: PhaseTools) => Promise<T>, step?: string): Promise<T>;
}

/** One kind of work. */
export interface RunKind {
  /** how much it creates on the host at most, where that is more than other runs */
  readonly creations?: number;
  /** Why there is nothing more to be done, asked before each phase; absent where nobody can say. */
  readonly whyStopped?: (host: CodeHost) => Promise<StopReason | undefined>;
  /** Its phases in their order. Gives how the run ended; `silent`: nothing was there to be done, and nobody is told. */
  phases(run: PhaseRunner): Promise<RunResult | { readonly silent: RunResult }>;
  /** What is told at the end beside the run's own comment; `about` as the run that came to this end gave it. */
  report?(result: RunResult, tools: RunTools, about: unknown): Promise<void>;
  /** Brings what the run has on the host to a true end, and says so in its result; done again, it finds nothing. */
  cleanUp?(tools: RunTools, result: RunResult): Promise<RunResult>;
  /** What `report` needs to know: plain data, since another process may report it. */
  about?(): unknown;
}

const END = "end";

/** Where a run is done. */
export interface RunPlace {
  /** Gives the run's tools, the same ones each time. Asked inside steps only, so that a host that is away is waited for. */
  open(): Promise<RunTools>;
  readonly step: Step;
  readonly log: Log;
  /** how long a step waits for what is away; absent where nobody does steps again */
  readonly patience?: Patience;
  /** Has an end that could not be told on the host told later, however long that takes. */
  readonly reportLater?: (end: UnreportedEnd) => Promise<void>;
  readonly wait?: (ms: number) => Promise<void>;
  /** of a run that nobody takes up again: once it has aborted, the run ends as cancelled */
  readonly signal?: AbortSignal;
}

/**
 * The skeleton of every run: its phases as checkpointed steps, which are neither gone on with nor told of once they are
 * aborted, and its end, told once however it came about. Never throws: an unexpected end is a result of kind `failed`.
 */
export async function runPhases(kind: RunKind, place: RunPlace): Promise<RunResult> {
  const { open, step, log, signal, patience = { graceMs: 0, clock: () => performance.now() }, reportLater } = place;
  const patiently = createPatience(patience, open, log);
  let current: PhaseName = "locate";
  const run: PhaseRunner = {
    wait: place.wait,
    step: (name, body) => step(name, ({ signal }) => patiently(async (tools) => body(abortableTools(tools, signal)))),
    phase(name, base, body, called = name) {
      current = name;
      return step(called, ({ signal }) => patiently((tools) => doPhase(name, base, { tools, signal, kind }, body)));
    },
  };
  const result = await kind.phases(run).catch((error: unknown): RunResult => {
    if (signal?.aborted) return { kind: "cancelled", by: "you", undone: [] };
    return failureResult(error, current, log);
  });
  if ("silent" in result) return result.silent;
  const end = { kind: "ended", result, about: kind.about?.() } as const;
  const told = step(END, ({ signal }) => once(async () => reportEnd(kind, end, abortableTools(await open(), signal))));
  await told.catch(async (error: unknown) => {
    log.error({ error, result: result.kind }, "the end of the run could not be told on the host");
    await reportLater?.(end);
  });
  return result;
}

/** Tells the end of a run, once what it has left on the host is cleaned up; done again, it is told once. */
export async function reportEnd(
  kind: RunKind,
  { result, about }: Extract<UnreportedEnd, { kind: "ended" }>,
  tools: RunTools,
): Promise<void> {
  const because = result.kind === "cancelled" ? result.because : undefined;
  await reportIfThere(because, tools, async () => {
    const clean = (await kind.cleanUp?.(tools, result)) ?? result;
    await tools.tracker.end(clean);
    await kind.report?.(clean, tools, about);
  });
}

/** Tells people of an end where that can be: what was deleted or is elsewhere has nobody who could be told. */
export async function reportIfThere(
  because: StopReason | undefined,
  { log }: Pick<RunTools, "log">,
  report: () => Promise<void>,
): Promise<void> {
  try {
    await report();
  } catch (error) {
    if ((because !== "deleted" && because !== "transferred") || !isHostRefusal(error)) throw error;
    log.info({ because }, "there is no place any more where the end of the run could be told");
  }
}

/** What is done again elsewhere, if at all, must not be done again here. */
async function once(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw outageOf(error) && isMagisError(error) ? lasting(error) : error;
  }
}

/** The steps of a run that nobody takes up again: they leave no checkpoint. Its end is kept although `signal` has aborted. */
export function passingSteps(signal: AbortSignal): Step {
  return (name, body) => body({ signal: name === END ? new AbortController().signal : signal });
}

/** The clone is made inside the step that needs it: after a crash it has to be made again. */
async function doPhase<T>(
  name: PhaseName,
  base: PhaseBase,
  { tools: own, signal, kind }: { readonly tools: RunTools; readonly signal: AbortSignal; readonly kind: RunKind },
  body: (tools: PhaseTools) => Promise<T>,
): Promise<T> {
  const tools = abortableTools(own, signal);
  // A run that is suspended or lost never comes back to close its clone.
  const close = () => tools.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    return await workOnPhase(name, base, { tools, signal, kind }, body);
  } catch (error) {
    // In an outage the step is done again and again under the same signal.
    signal.removeEventListener("abort", close);
    throw error;
  }
}

async function workOnPhase<T>(
  name: PhaseName,
  base: PhaseBase,
  { tools, signal, kind }: { readonly tools: RunTools; readonly signal: AbortSignal; readonly kind: RunKind },
  body: (tools: PhaseTools) => Promise<T>,
): Promise<T> {
  const why = await kind.whyStopped?.(tools.host);
  if (why) throw new MagisError("SUBJECT_GONE", "There is nothing more to be done on it.", { why });
  await reserveWrites(tools.host, kind.creations);
  await tools.tracker.begin(name);
  const repository = await tools.openRepository(base.commit, signal);
  const output = await body({ ...tools, repository, prompts: tools.openPrompts(signal, base.reds) });
  await tools.tracker.finish(name);
  return output;
}

/** No call is paid for before the host would take what comes of it. */
async function reserveWrites(host: CodeHost, creations = RUN_CREATIONS): Promise<void> {
  const retryAfterMs = await host.reserveWrites(creations);
  if (retryAfterMs === 0) return;
  const message = "GitHub takes no more comments and the like from this app for now: its limit for an hour is near.";
  throw new MagisError("HOST_UNREACHABLE", message, { writes: true, retryAfterMs });
}

/** The tools of a run for one of its steps: neither host nor tracking comment is written once the step is aborted. */
function abortableTools(tools: RunTools, signal: AbortSignal): RunTools {
  return {
    ...tools,
    host: abortable(tools.host, signal, { reads: [...HOST_READS, "reserveWrites"] }),
    tracker: abortable(tools.tracker, signal, { immediate: ["state"] }),
  };
}
