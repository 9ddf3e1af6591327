import { figure } from "../text/counted.ts";
import type { HeldBack } from "./limits.ts";
import type { PhaseName, PhaseState, Queued, RunState, Waiting } from "./run-state.ts";

/** What a run does or waits for, and since when: the same everywhere that people look at runs. */
export interface RunStatus {
  is: "queued" | "working" | "waiting" | "ended";
  /** queued: so many runs of its repository come first */
  ahead?: number | undefined;
  /** working: in this phase; absent before the first and between two */
  phase?: string | undefined;
  /** waiting: for this */
  for?: string | undefined;
  /** ISO 8601; absent when nobody knows */
  since?: string | undefined;
  /** waiting for room in a budget: when a new one begins; ISO 8601 */
  until?: string | undefined;
}

/** What a run can wait for. `writes`: GitHub's rate limit is reached; the last two: a limit holds it back. */
export type Awaited = Waiting["for"] | "checks" | "person" | HeldBack["by"];

const AWAITED: Readonly<Record<Awaited, string>> = {
  checks: "checks",
  person: "a person",
  host: "GitHub",
  writes: "GitHub's rate limit to lift",
  model: "the model",
  database: "the database",
  budget: "room in a budget",
  pulls: "room under the limit of open pull requests",
};

const PHASE_WORDS: Readonly<Record<PhaseName, string>> = {
  locate: "finding the files",
  plan: "planning",
  code: "writing and reviewing the change",
  publish: "publishing",
};

/** The place of a run among the bot's work. */
export type Place =
  | ({ is: "queued" } & Queued)
  | { is: "begun" }
  /** it has left the queue for good */
  | { is: "over" };

/** The part of a state that says where a run stands; lenient, since it may come from another version. */
interface StatusState {
  phases: readonly { name: string; status: string }[];
  waiting?: { for: string; since?: string | undefined } | undefined;
  checks?: { since: string } | undefined;
  queued?: Queued | undefined;
  result?: { kind: string } | undefined;
  since?: string | undefined;
}

/**
 * Where a run stands.
 * @param state absent: it has not begun
 * @param requestedAt ISO 8601; empty when nobody knows
 * @param place what the bot's queue says; absent: only the state is known
 */
export function statusOf(
  state: StatusState | undefined,
  requestedAt: string | undefined,
  place?: Place,
): RunStatus | undefined {
  const asked = requestedAt || undefined;
  // The state of a run that continues another is that one's until it begins.
  if (place?.is === "queued") return queuedStatus(place, asked);
  if (place?.is === "over" && !state?.result) return { is: "ended", since: state?.since };
  if (state === undefined) return place && { is: "working", since: asked };
  if (state.result && WAITS_FOR_PERSON.has(state.result.kind))
    return { is: "waiting", for: "person", since: state.since };
  if (state.result) return { is: "ended", since: state.since };
  if (state.queued) return queuedStatus(state.queued, asked);
  if (state.waiting) return { is: "waiting", for: state.waiting.for, since: state.waiting.since };
  if (state.checks) return { is: "waiting", for: "checks", since: state.checks.since };
  const phase = state.phases.find(({ status }) => status === "working")?.name;
  return { is: "working", phase, since: state.since ?? asked };
}

function queuedStatus({ ahead, held }: Queued, asked: string | undefined): RunStatus {
  if (held === undefined) return { is: "queued", ahead, since: asked };
  return { is: "waiting", for: held.by, since: held.since, until: held.until };
}

const WAITS_FOR_PERSON: ReadonlySet<string> = new Set(["asked", "awaiting-approval"]);

/** `queued behind 2 runs`, `planning`, `waiting for checks`, … */
export function statusWords({ is, ahead = 0, phase, for: what = "" }: RunStatus): string {
  if (is === "queued" && ahead === 0) return "queued, next of its repository";
  if (is === "queued") return `queued behind ${figure(ahead, "run")}`;
  if (is === "waiting") return `waiting for ${wordOf(AWAITED, what) ?? "an answer"}`;
  if (is === "working" && phase !== undefined) return wordOf(PHASE_WORDS, phase) ?? phase;
  return is;
}

/** The same with the times, to the minute. */
export function statusSince(status: RunStatus): string {
  const since = minuteOf(status.since);
  const until = minuteOf(status.until);
  const words = `${statusWords(status)}${since && ` since ${since}`}`;
  return until === "" ? words : `${words}; a new budget begins on ${until}`;
}

function minuteOf(iso: string | undefined): string {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(iso ?? "") ?? [];
  return day === undefined ? "" : `${day} ${minute} UTC`;
}

/** Whether a run goes on by itself: it is queued, works, or waits for anything but a person. */
export const isUnfinished = (status: RunStatus | undefined): boolean =>
  status !== undefined && status.is !== "ended" && status.for !== "person";

const wordOf = (words: Readonly<Record<string, string>>, key: string) =>
  Object.hasOwn(words, key) ? words[key] : undefined;

/**
 * The phases as people see them. A run that pushes a test first publishes before it codes, and waits for checks after
 * everything: a phase is done only when those before it are, and publishing only when the checks have ended.
 */
export function shownPhases({ phases, checks, result }: RunState): readonly PhaseState[] {
  if (result) return phases;
  const first = phases.findIndex(({ status }) => status !== "done");
  return phases.map((phase, at) => {
    if (phase.status !== "done") return phase;
    if (first !== -1 && at > first) return { ...phase, status: "waiting" };
    return checks && phase.name === "publish" ? { ...phase, status: "waiting", detail: "waiting for checks" } : phase;
  });
}
