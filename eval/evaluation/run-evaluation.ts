import { setMaxListeners } from "node:events";
import { MagisError } from "../../src/data/error.ts";
import { figure } from "../../src/text/counted.ts";
import { evaluateInstance } from "./evaluate-instance.ts";
import { createMoneyPool, type EvaluationInput, type MoneyPool } from "./evaluating.ts";
import { digestOf, type Instance } from "./instances.ts";
import { createLunrBaseline } from "./measures/baselines.ts";
import type { InstanceMetrics } from "./measures/metrics.ts";
import { ESTIMATED_FROM, estimateFor } from "./measures/statistics.ts";
import { formatFigure } from "./report/tables.ts";

/** US dollars; an instance does not begin with less. */
const LEAST_MONEY = 0.1;

/** After so many outside failures in a row, no more instances begin. */
const FAILURES = 3;

/** The instances that are not finished, and why. */
export interface Evaluation {
  unfinished: ReadonlyMap<string, string>;
  /** the budget kept instances from beginning */
  budgetReached: boolean;
}

/** Progress, shared by the instances that are running. */
interface Course {
  total: number;
  began: number;
  /** US dollars of each instance that came to its end */
  costs: number[];
  done: number;
  failures: number;
  dearest: number;
  budgetReached: boolean;
}

/**
 * Runs every unfinished instance, `jobs` at a time, and keeps each one's results as it ends. An instance begins only
 * when one and a half times the dearest one's cost is left. The signal drops what is running. Throws
 * CONFIGURATION_INVALID when an instance differs from the one solved before.
 */
export async function runEvaluation(deps: EvaluationInput, signal: AbortSignal): Promise<Evaluation> {
  const finished = await deps.results.finished();
  const todo = await inOrder(
    deps.instances.filter(({ id }) => !finished.has(id)),
    deps,
  );
  refuseOthers(
    deps.instances.filter((one) => (finished.get(one.id)?.metrics.digest ?? digestOf(one)) !== digestOf(one)),
  );
  if (todo.length < deps.instances.length) {
    deps.progress(`${deps.instances.length - todo.length} of ${deps.instances.length} instances are finished already.`);
  }
  const { jobs, budget, instanceBudget } = deps.limits;
  const pool = createMoneyPool(budget, deps.results.ledger.spent());
  const baseline = createLunrBaseline();
  const course: Course = {
    total: todo.length,
    began: performance.now(),
    costs: [],
    done: 0,
    failures: 0,
    dearest: 0,
    budgetReached: false,
  };
  const unfinished = new Map<string, string>();
  const running = new Map<Promise<void>, string>();
  const stopped = () => signal.aborted || course.failures >= FAILURES;
  while (todo.length > 0) {
    const next = running.size < jobs ? nextOf(todo, deps.memory && new Set(running.values())) : undefined;
    if (next === undefined) {
      await Promise.race(running.keys());
      continue;
    }
    const [instance] = todo.splice(next, 1) as [Instance];
    const least = Math.max(LEAST_MONEY, course.dearest * 1.5);
    let held = stopped() ? undefined : pool.hold(instanceBudget, least);
    while (!held && !stopped() && running.size > 0) {
      await Promise.race(running.keys());
      held = pool.hold(instanceBudget, Math.max(least, course.dearest * 1.5));
    }
    if (!held || stopped()) {
      held?.settle(0);
      course.budgetReached ||= !stopped();
      unfinished.set(instance.id, stopped() ? "It was not begun." : "It was not begun: --budget has no room for it.");
      continue;
    }
    const work = runOne(instance, { deps, baseline, pool, held, course, unfinished }, signal);
    running.set(work, instance.repository);
    void work.then(() => running.delete(work));
  }
  await Promise.all(running.keys());
  return { unfinished, budgetReached: course.budgetReached };
}

/** In the chosen order; with a kept memory, each repository's in the order of their commits. */
async function inOrder(instances: readonly Instance[], { memory, mirrors }: EvaluationInput): Promise<Instance[]> {
  if (!memory) return [...instances];
  const timed = await Promise.all(
    instances.map(async (instance) => ({
      instance,
      time: (await mirrors.get(instance.repository)?.committedAt(instance.baseCommit)) ?? 0,
    })),
  );
  return timed.sort((a, b) => a.time - b.time).map(({ instance }) => instance);
}

/** The place of the first instance whose repository is not busy. */
function nextOf(todo: readonly Instance[], busy: ReadonlySet<string> = new Set()): number | undefined {
  const place = todo.findIndex(({ repository }) => !busy.has(repository));
  return place < 0 ? undefined : place;
}

interface Running {
  deps: EvaluationInput;
  baseline: ReturnType<typeof createLunrBaseline>;
  pool: MoneyPool;
  held: NonNullable<ReturnType<MoneyPool["hold"]>>;
  course: Course;
  unfinished: Map<string, string>;
}

/** Never rejects: one instance's failure must not end the others. */
async function runOne(instance: Instance, running: Running, signal: AbortSignal): Promise<void> {
  const { deps, baseline, pool, held, course, unfinished } = running;
  const note = deps.results.ledger.begin(instance.id);
  let spent = 0;
  const onSpend = (money: number): void => {
    spent = money;
    note(money);
  };
  try {
    const mirror = deps.mirrors.get(instance.repository);
    if (!mirror) throw new MagisError("GIT_NOT_FOUND", `There is no mirror of ${instance.repository}.`);
    const given = { ...deps, mirror, baseline, money: held.money, pool, onSpend };
    const evaluated = await evaluateInstance(instance, given, ownSignal(signal));
    if ("unfinished" in evaluated) {
      course.budgetReached ||= evaluated.byBudget;
      throw new MagisError("MODEL_UNAVAILABLE", evaluated.unfinished);
    }
    await deps.results.keep(evaluated.finished);
    course.done += 1;
    course.failures = 0;
    course.costs.push(spent);
    deps.progress(`[${course.done}/${course.total}] ${progressLine(evaluated.finished.metrics)}`);
    const left = leftText(course);
    if (left !== undefined) deps.progress(left);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    unfinished.set(instance.id, signal.aborted ? "It was interrupted." : reason);
    if (signal.aborted) return;
    course.failures += 1;
    deps.progress(`${instance.id}: not finished. ${reason}`);
  } finally {
    held.settle(spent);
    course.dearest = Math.max(course.dearest, spent);
  }
}

/** Calls leave listeners on their signal; with one of its own, an instance frees them at its end. */
function ownSignal(signal: AbortSignal): AbortSignal {
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}

/** After every tenth instance: what is left, and what that will cost and take at this pace. */
function leftText({ total, done, began, costs }: Course): string | undefined {
  const left = total - done;
  if (left === 0 || done % ESTIMATED_FROM > 0) return undefined;
  const cost = estimateFor(left, costs);
  if (!cost) return undefined;
  const { money } = formatFigure;
  const hours = (((performance.now() - began) / done) * left) / 3_600_000;
  const time = hours < 1 ? `${Math.ceil(hours * 60)} min` : `${hours.toFixed(1)} h`;
  return `${left} left: by the first ${cost.from} about ${money(cost.total)} (${money(cost.least)} to ${money(cost.most)}), ${time} at this pace.`;
}

function refuseOthers(changed: readonly Instance[]): void {
  if (changed.length === 0) return;
  const ids = changed.map(({ id }) => id).join(", ");
  const sentence = `The results are of other instances with the same ids: ${ids}. Take another --output, or --fresh.`;
  throw new MagisError("CONFIGURATION_INVALID", sentence);
}

/** One finished instance in one line. */
function progressLine({ id, end, patch, spend }: InstanceMetrics): string {
  const kind = end.kind === "change" ? "" : `${end.kind}, `;
  const applied = patch.applied ? "applies" : "does not apply";
  const calls = figure(spend.calls, "call");
  const { money, seconds } = formatFigure;
  return `${id}: ${kind}${patch.empty ? "no change" : applied}, ${calls}, ${money(spend.money)}, ${seconds(spend.wallMs)}`;
}
