import type { RunRequest } from "../../model/run-request.ts";
import {
  initialState,
  type PhaseName,
  type PhaseState,
  type PullRequestLink,
  type RunResult,
  type RunState,
  type TaskState,
  type Waiting,
} from "../../model/run-state.ts";
import type { Budget, Spend } from "../../model/spend.ts";
import type { Log } from "../../ports/log.ts";
import { followUpNote } from "../../report/follow-up.ts";
import { trackingComment } from "../../report/tracking-comment.ts";

/** What the host is told of a state, if anything. */
export function noteOf(request: RunRequest, state: RunState, budget: Budget): string | undefined {
  const follows = request.work.kind !== "resolve";
  return follows ? followUpNote(request, state) : trackingComment(request, state, budget);
}

/** A run that is taken up again after the process stopped goes on with its state; one that goes on with an ended run begins. */
export function stateAtStart({ id, root }: RunRequest, before: RunState | undefined, works: boolean): RunState {
  if (!before) return initialState();
  if (!before.result) return { ...before, resumed: before.resumed + (works ? 1 : 0) };
  const { pullRequest, followUps } = before;
  return id === root || !works
    ? before
    : { ...initialState(), ...(pullRequest && { pullRequest }), ...(followUps && { followUps }) };
}

/** Keeps the run's state, and the tracking comment true to it. */
export interface Tracker {
  /** Shows the run for the first time; throws what stands in the way of it, before anything is spent. */
  announce(): Promise<void>;
  begin(phase: PhaseName): Promise<void>;
  /** A short sentence about what came out of the phase that is running. */
  detail(text: string): Promise<void>;
  finish(phase: PhaseName): Promise<void>;
  tasks(tasks: readonly TaskState[]): Promise<void>;
  /** Tasks that were found to be missing while the others were worked on. */
  addTasks(tasks: readonly TaskState[]): Promise<void>;
  task(id: string, status: TaskState["status"]): Promise<void>;
  pullRequest(link: PullRequestLink): Promise<void>;
  /** What people should know of how the run began. */
  note(text: string): Promise<void>;
  /** The sources of the feedback that the run is about to answer. */
  batch(sources: readonly string[]): Promise<void>;
  /** What the run waits for, or that it goes on. The host is not told of its own absence. */
  wait(waiting: Waiting | undefined): Promise<void>;
  /** The end state; unlike the others it is not over before the comment says so. */
  end(result: RunResult): Promise<void>;
  state(): RunState;
}

/**
 * `show` keeps a state and writes it to the tracking comment, `keep` only keeps it; a failure of it is logged and does not end the run, except at the end.
 * States are written one after the other, and those that are overtaken while one is being written are left out.
 */
export function createTracker(deps: {
  initial: RunState;
  spend: () => Spend;
  show: (state: RunState) => Promise<void>;
  keep: (state: RunState) => Promise<void>;
  log: Log;
}): Tracker {
  let state = deps.initial;
  let showing: Promise<void> | undefined;
  let stale = false;

  async function showAll(): Promise<void> {
    while (stale) {
      stale = false;
      await deps
        .show(state)
        .catch((error: unknown) => deps.log.warn({ error }, "the tracking comment could not be updated"));
    }
    showing = undefined;
  }
  /** What was waited for is there again as soon as there is something new to tell. */
  function change(next: Partial<RunState>, { waiting: _over, ...rest } = state): Promise<void> {
    state = { ...rest, ...next, spend: deps.spend() };
    stale = true;
    showing ??= showAll();
    return showing;
  }
  const withPhase = (name: PhaseName, next: Partial<PhaseState>) =>
    state.phases.map((phase) => (phase.name === name ? { ...phase, ...next } : phase));
  const currentPhase = () => state.phases.find(({ status }) => status !== "done")?.name ?? "publish";

  return {
    async announce() {
      await showing;
      await deps.show(state);
    },
    begin: (phase) =>
      change({
        phases: withPhase(phase, { status: "working" }),
        ...(state.waiting && { waiting: state.waiting }),
      }),
    detail: (text) => change({ phases: withPhase(currentPhase(), { detail: text }) }),
    finish: (phase) => change({ phases: withPhase(phase, { status: "done" }) }),
    tasks: (tasks) => change({ tasks }),
    addTasks: (tasks) => change({ tasks: [...state.tasks, ...tasks] }),
    task: (id, status) => change({ tasks: state.tasks.map((task) => (task.id === id ? { ...task, status } : task)) }),
    pullRequest: (link) => change({ pullRequest: link }),
    note: (text) => change({ note: text }),
    batch: (sources) => change({ batch: sources }),
    async wait(waiting) {
      if (waiting === undefined) return change({});
      if (waiting.for === "model" || waiting.for === "writes") return change({ waiting });
      state = { ...state, waiting, spend: deps.spend() };
      await deps.keep(state);
    },
    async end(result) {
      await showing;
      // A phase that the budget cut short gives what it has, and so looks finished.
      const cutShort = result.kind === "budget-reached" ? result.phase : undefined;
      const phases = state.phases.map((phase) =>
        phase.status === "working" || phase.name === cutShort ? { ...phase, status: "stopped" as const } : phase,
      );
      const { waiting: _over, ...rest } = state;
      state = { ...rest, phases, result, spend: deps.spend() };
      await deps.show(state);
    },
    state: () => ({ ...state, spend: deps.spend() }),
  };
}
