import { isMagisError } from "../../model/error.ts";
import { markers } from "../../model/marks.ts";
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
import type { CodeHost, OpenCodeHost } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { RunStore } from "../../ports/runs.ts";
import { followUpNote } from "../../report/follow-up.ts";
import { trackingComment } from "../../report/tracking-comment.ts";
import { budgetOf } from "./budget.ts";

/** What the host is told of a state, if anything. */
export function noteOf(request: RunRequest, state: RunState, budget: Budget): string | undefined {
  const follows = request.work.kind !== "resolve";
  return follows ? followUpNote(request, state) : trackingComment(request, state, budget);
}

/**
 * A run that is taken up again after the process stopped goes on with its state; one that goes on with an ended run, or
 * comes out of the queue, begins.
 */
export function stateAtStart({ id, root }: RunRequest, before: RunState | undefined, works: boolean): RunState {
  if (!before) return initialState();
  const { queued, ...begun } = before;
  if (!begun.result) return { ...begun, resumed: begun.resumed + (works && !queued ? 1 : 0) };
  const { pullRequest, followUps } = begun;
  return id === root || !works ? begun : { ...initialState(), pullRequest, followUps };
}

/** Keeps the run's state, and the tracking comment true to it. */
export interface Tracker {
  /** Shows the run for the first time; throws what stands in the way of it, before anything is spent. */
  announce(): Promise<void>;
  begin(phase: PhaseName): Promise<void>;
  /** A short sentence about what came out of the phase that is running. */
  detail(text: string): Promise<void>;
  /** The same of all of the phase: shown with its end, or with whatever comes before that. */
  conclude(text: string): Promise<void>;
  finish(phase: PhaseName): Promise<void>;
  /** The plan's tasks; shown with what comes next. */
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
  /** Shown with what comes next. */
  async function told(next: Partial<RunState>): Promise<void> {
    state = { ...state, ...next };
  }
  const withPhase = (name: PhaseName, next: Partial<PhaseState>) =>
    state.phases.map((phase) => (phase.name === name ? { ...phase, ...next } : phase));
  const currentPhase = () => state.phases.find(({ status }) => status !== "done")?.name ?? "publish";

  return {
    async announce() {
      await showing;
      await deps.show(state);
    },
    begin: (phase) => change({ phases: withPhase(phase, { status: "working" }), waiting: state.waiting }),
    detail: (text) => change({ phases: withPhase(currentPhase(), { detail: text }) }),
    conclude: (text) => told({ phases: withPhase(currentPhase(), { detail: text }) }),
    finish: (phase) => change({ phases: withPhase(phase, { status: "done" }) }),
    tasks: (tasks) => told({ tasks }),
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

type ShownComment = NonNullable<RunState["comment"]>;

/**
 * Puts a text into the run's one comment. One that a person has deleted is made once more, and not a second time: then
 * there is none. `known` is what is remembered of it; a comment that was made and not remembered is found by its mark.
 */
export async function showComment(
  host: Pick<CodeHost, "findOwnComment" | "createComment" | "updateComment">,
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

/** A run's comment that is made before it begins is among what it creates; so many an hour leave room for those that work. */
const MAX_ANNOUNCED = 100;

/** What is told of runs before they begin. */
interface TurnDependencies {
  readonly openCodeHost: OpenCodeHost;
  readonly store: Pick<RunStore, "state" | "saveState">;
  readonly budget: Budget;
  readonly log: Log;
}

/**
 * Makes what says in the tracking comment of a run that it waits for its turn, behind `ahead` runs of its repository. For
 * `isNew` the comment is made; else it is corrected where it is there. Throws what the host throws.
 */
export function createTurnNotes(deps: TurnDependencies) {
  const mayAnnounce = createHourlyLimit(MAX_ANNOUNCED);
  return async (request: RunRequest, ahead: number, isNew: boolean): Promise<void> => {
    if (request.work.kind !== "resolve") return;
    await (isNew ? announceTurn(request, ahead, deps, mayAnnounce) : correctTurn(request, ahead, deps));
  };
}

/** Makes what says whether an installation may have one more now, of `most` an hour. */
function createHourlyLimit(most: number): (installation: number) => boolean {
  const made = new Map<number, readonly number[]>();
  return (installation) => {
    const now = performance.now();
    const recent = (made.get(installation) ?? []).filter((at) => now - at < 3_600_000);
    made.set(installation, recent.length < most ? [...recent, now] : recent);
    return recent.length < most;
  };
}

/** Makes the comment of a run that waits for its turn, and begins not before this is over; done again, it makes no second one. */
async function announceTurn(
  request: RunRequest,
  ahead: number,
  { store, openCodeHost, budget, log }: TurnDependencies,
  mayAnnounce: (installation: number) => boolean,
): Promise<void> {
  const before = await store.state(request.root);
  const host = await openCodeHost(request.repository);
  const wait = await host.reserveWrites(1);
  await host.reserveWrites(0);
  if (!before?.comment && (wait > 0 || !mayAnnounce(request.repository.installationId)))
    return log.info({ run: request.id }, "it waits for its turn; its comment is made when it begins, to save writes");
  const state = { ...(before ?? initialState()), queued: { ahead } };
  await store.saveState(request.root, state);
  const known = before?.result ? before.comment && { ...before.comment, again: false } : before?.comment;
  const comment = await showComment(host, request, trackingComment(request, state, budgetOf(request, budget)), known);
  if (comment) await store.saveState(request.root, { ...state, comment });
}

/**
 * Corrects behind how many runs one waits. It may begin or end while this is written: then its comment is what its state
 * says, which it keeps before it writes.
 */
async function correctTurn(
  request: RunRequest,
  ahead: number,
  { store, openCodeHost, budget }: TurnDependencies,
): Promise<void> {
  const { root, issue, repository } = request;
  const before = await store.state(root);
  if (!before?.queued) return;
  const host = await openCodeHost(repository);
  const comment = await host.findOwnComment(issue, markers.run(root));
  let body = trackingComment(request, { ...before, queued: { ahead } }, budgetOf(request, budget));
  if (!comment || comment.body === body) return;
  for (let written = ""; written !== body; ) {
    await host.updateComment(comment.id, body);
    written = body;
    const now = await store.state(root);
    if (now && !now.queued) body = trackingComment(request, now, budgetOf(request, budget));
  }
}
