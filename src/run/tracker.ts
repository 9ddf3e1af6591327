import { isMagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import { markers } from "../data/marks.ts";
import type { RunRequest } from "../data/run-request.ts";
import {
  initialState,
  type PhaseName,
  type PhaseState,
  type PullRequestLink,
  type RunResult,
  type RunState,
  type TaskState,
  type Waiting,
} from "../data/run-state.ts";
import type { Budget, Spend } from "../data/spend.ts";
import type { CodeHost } from "../github/code-host.ts";
import { followUpNote } from "../report/follow-up.ts";
import { trackingComment } from "../report/tracking-comment.ts";

/** The comment that shows a state, if there is one. */
export function noteOf(request: RunRequest, state: RunState, budget: Budget): string | undefined {
  const follows = request.work.kind !== "resolve";
  return follows ? followUpNote(request, state) : trackingComment(request, state, budget);
}

/**
 * A run that is taken up after its process stopped keeps its state. One that continues an ended run, or leaves the
 * queue, begins.
 */
export function stateAtStart({ id, root }: RunRequest, before: RunState | undefined): RunState {
  const begun = stateBefore(before);
  if (!before) return begun;
  if (!begun.result) return { ...begun, resumed: begun.resumed + (before.queued ? 0 : 1) };
  const { pullRequest, followUps } = begun;
  return id === root ? begun : { ...initialState(), pullRequest, followUps };
}

/** The state of a run whose work is opened once more: it does not count as taken up again. */
export function stateBefore(before: RunState = initialState()): RunState {
  const { queued: _left, ...begun } = before;
  return begun;
}

/** Keeps the run's state and updates the tracking comment. */
export interface Tracker {
  /** Shows the run for the first time. Throws when that fails, before anything is spent. */
  announce(): Promise<void>;
  begin(phase: PhaseName): Promise<void>;
  /** Keeps the end of a phase. The next phase, or the end of the run, follows at once and shows it. */
  finish(phase: PhaseName): Promise<void>;
  /** A short sentence on the running phase. */
  detail(text: string): Promise<void>;
  /** The same on the whole phase: shown with the next update. */
  conclude(text: string): Promise<void>;
  /** The plan's tasks; shown with the next update. */
  tasks(tasks: readonly TaskState[]): Promise<void>;
  /** Tasks found missing during the work. */
  addTasks(tasks: readonly TaskState[]): Promise<void>;
  task(id: string, status: TaskState["status"]): Promise<void>;
  pullRequest(link: PullRequestLink): Promise<void>;
  /** What people should know of how the run began. */
  note(text: string): Promise<void>;
  /** The sources of the feedback that the run will answer. */
  batch(sources: readonly string[]): Promise<void>;
  /** What the run waits for; undefined: it goes on. An outage of the host itself is only kept. */
  wait(waiting: Waiting | undefined): Promise<void>;
  /** Whether the run waits for checks. Shown once, however often they are read. */
  awaitChecks(isWaiting: boolean): Promise<void>;
  /** Once `signal` aborts, the run no longer goes on here, and what is still to be shown never is. */
  until(signal: AbortSignal): void;
  /** The end. Unlike the others, it waits until the comment shows it. */
  end(result: RunResult): Promise<void>;
  state(): RunState;
}

/** Tells what happens to a run by its state, which it keeps and shows. */
export function createTracker(
  deps: Omit<StateWriting, "current"> & { initial: RunState; spend: () => Spend },
): Tracker {
  let state = deps.initial;
  const writer = createStateWriter({ ...deps, current: () => state });

  /** Anything new means that the wait is over. */
  function change(next: Partial<RunState>, { waiting: _over, ...rest } = state): Promise<void> {
    state = rest;
    writer.showSoon();
    return keepAtOnce(next);
  }
  /** Shown with the next update. */
  async function keepForNextUpdate(next: Partial<RunState>): Promise<void> {
    state = { ...state, ...next };
  }
  function keepAtOnce(next: Partial<RunState>): Promise<void> {
    state = { ...state, ...next, spend: deps.spend() };
    return writer.keep();
  }
  const withPhase = (name: PhaseName, next: Partial<PhaseState>) =>
    state.phases.map((phase) => (phase.name === name ? { ...phase, ...next } : phase));
  const withDetail = (detail: string) => withPhase(currentPhase(state), { detail });

  return {
    announce: writer.showOrThrow,
    until: writer.until,
    begin(phase) {
      const phases = withPhase(phase, { status: "working" });
      return change({ phases, since: sinceOf(state, phase), waiting: state.waiting, checks: undefined });
    },
    detail: (text) => change({ phases: withDetail(text) }),
    conclude: (text) => keepForNextUpdate({ phases: withDetail(text) }),
    finish: (phase) => keepAtOnce({ phases: withPhase(phase, { status: "done" }) }),
    tasks: (tasks) => keepForNextUpdate({ tasks }),
    addTasks: (tasks) => change({ tasks: [...state.tasks, ...tasks] }),
    async task(id, status) {
      if (state.tasks.some((task) => task.id === id && task.status === status)) return;
      await change({ tasks: state.tasks.map((task) => (task.id === id ? { ...task, status } : task)) });
    },
    pullRequest: (link) => change({ pullRequest: link }),
    note: (text) => change({ note: text }),
    batch: (sources) => change({ batch: sources }),
    async wait(waiting) {
      if (waiting === undefined) return change({});
      await keepAtOnce({ waiting });
      if (waiting.for === "model" || waiting.for === "writes") await writer.showNow();
    },
    async awaitChecks(isWaiting) {
      if (isWaiting === (state.checks !== undefined)) return;
      await change({ checks: isWaiting ? { since: moment() } : undefined });
      if (isWaiting) await writer.showNow();
    },
    async end(result) {
      const phases = phasesAtEnd(state, result);
      const { waiting: _over, checks: _ended, ...rest } = state;
      state = { ...rest, phases, result, since: sinceOf(state), spend: deps.spend() };
      await writer.showOrThrow();
    },
    state: () => ({ ...state, spend: deps.spend() }),
  };
}

function phasesAtEnd({ phases }: RunState, result: RunResult): readonly PhaseState[] {
  // A phase that the budget cut short returns what it has, and so looks finished.
  const cutShort = result.kind === "budget-reached" ? result.phase : undefined;
  return phases.map((phase) =>
    phase.status === "working" || phase.name === cutShort ? { ...phase, status: "stopped" as const } : phase,
  );
}

const currentPhase = ({ phases }: RunState) => phases.find(({ status }) => status !== "done")?.name ?? "publish";

const moment = () => new Date().toISOString();

/** When the phase, or the end, began: now, unless it is only repeated. */
function sinceOf({ phases, result, since = moment() }: RunState, phase?: PhaseName): string {
  const isRepeated = phase ? phases.some(({ name, status }) => name === phase && status === "working") : result;
  return isRepeated ? since : moment();
}

type ShownComment = NonNullable<RunState["comment"]>;

/**
 * Writes a text into the run's one comment. If a person deletes it, it is made once more, and never a third time.
 * `known`: what is remembered of it. A comment that was made but not remembered is found by its mark.
 */
export async function showComment(
  host: CodeHost,
  { issue, root }: RunRequest,
  body: string,
  known: ShownComment | undefined,
): Promise<ShownComment | undefined> {
  if (known) {
    try {
      await host.updateComment(known.id, body);
      return known;
    } catch (error) {
      if (!isMagisError(error, "HOST_NOT_FOUND")) throw error;
    }
  }
  const again = known !== undefined;
  const found = await host.findOwnComment(issue, markers.run(root));
  if (found) await host.updateComment(found.id, body);
  else if (known?.again) return undefined;
  return { id: found?.id ?? (await host.createComment(issue, body)).id, again };
}

/** How long a state waits to be shown, so that those that follow it are shown with it. */
const SHOW_AFTER_MS = 1_000;

interface StateWriting {
  /** Keeps a state. */
  keep: (state: RunState) => Promise<void>;
  /** Writes a state into the tracking comment. `isNew`: the comment was made for it, and its id must be kept. */
  show: (state: RunState) => Promise<{ isNew: boolean }>;
  log: Log;
  /** The run's state now. */
  current: () => RunState;
}

interface StateWriter {
  /** Resolves once the state, or a later one, is kept. A failure is logged. */
  keep(): Promise<void>;
  /** Shows, a second later, the state of that moment. The run does not wait for it, and states between are not shown. */
  showSoon(): void;
  /** Resolves once the state, or a later one, is shown. A failure is logged. */
  showNow(): Promise<void>;
  /** Keeps the state, then shows it. Throws when one of them fails. */
  showOrThrow(): Promise<void>;
  /** Once `signal` aborts, nothing is shown that was to be shown soon. */
  until(signal: AbortSignal): void;
}

/**
 * Makes what keeps and shows a run's state. Each of the two is done once at a time, and with the state of that moment.
 */
function createStateWriter({ keep, show, log, current }: StateWriting): StateWriter {
  let keeping: Promise<void> | undefined;
  let isKept = true;
  let toCome: NodeJS.Timeout | undefined;
  let showing = Promise.resolve();
  let over: AbortSignal | undefined;

  async function keepAll(): Promise<void> {
    while (!isKept) {
      isKept = true;
      await keep(current()).catch((error: unknown) => log.warn({ error }, "the run's state could not be kept"));
    }
    keeping = undefined;
  }
  function keepNow(): Promise<void> {
    isKept = false;
    keeping ??= keepAll();
    return keeping;
  }
  async function showCurrent(): Promise<void> {
    const { isNew } = await show(current());
    if (isNew) await keepNow();
  }
  function showNow(): Promise<void> {
    forget();
    showing = showing
      .then(showCurrent)
      .catch((error: unknown) => log.warn({ error }, "the tracking comment could not be updated"));
    return showing;
  }
  function forget(): void {
    clearTimeout(toCome);
    toCome = undefined;
  }
  return {
    keep: keepNow,
    showNow,
    showSoon() {
      toCome ??= setTimeout(() => (over?.aborted ? forget() : showNow()), SHOW_AFTER_MS).unref();
    },
    until(signal) {
      over = signal;
    },
    async showOrThrow() {
      forget();
      await showing;
      await keeping;
      await keep(current());
      await showCurrent();
    },
  };
}
