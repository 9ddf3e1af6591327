import { type Command, isWithheld, type KnownCommand, type Verb } from "../../data/command.ts";
import { ownWords } from "../../data/own-words.ts";
import {
  type AdmissionDecision,
  beginOnPull,
  beginRun,
  continueFrom,
  type Delivery,
  grantedTo,
  type RunRequest,
} from "../../data/run-request.ts";
import type { RunResult } from "../../data/run-state.ts";
import { statusOf } from "../../data/run-status.ts";
import { commandAnswer, NOTHING_TO_DO, statusText } from "../../report/commands.ts";
import { explanationText } from "../../report/run/explanation.ts";
import type { KeptRun, RunStore } from "../../run/runs.ts";
import { admitDelivery, type WithheldRun } from "./admit-request.ts";
import type { CommandContext, KnownRuns } from "./command-context.ts";
import type { AdmissionDependencies } from "./dependencies.ts";
import { askGuards, equalNames, WHO } from "./guards.ts";
import { forgetNote, remember, showNotes } from "./notes.ts";
import { recordRefusal } from "./record-decision.ts";

type CarriedOut = AdmissionDecision | undefined;

/** What carries out each command. `resolve` on an issue is handled like the label, by `admitRequest`. */
const CARRIERS: {
  readonly [V in Verb]: (context: CommandContext, command: KnownCommand<V>) => Promise<CarriedOut>;
} = {
  resolve: revise,
  approve,
  plan,
  retry,
  continue: continueRun,
  status,
  explain,
  cancel,
  remember,
  memory: showNotes,
  forget: forgetNote,
  help,
};

/** Carries out a command and returns the decision. Answers on GitHub when there is nothing to do. */
export async function carryOut(command: Command, context: CommandContext): Promise<CarriedOut> {
  if (command.verb === "unknown") {
    const { verbs, on } = context;
    await context.answer(commandAnswer.unknown(command.text, command.nearest, verbs, on));
    return undefined;
  }
  // An earlier version may have kept a command that this one lacks.
  return Object.hasOwn(CARRIERS, command.verb) ? carryOutKnown(command, context) : undefined;
}

function carryOutKnown<V extends Verb>(command: KnownCommand<V>, context: CommandContext): Promise<CarriedOut> {
  return CARRIERS[command.verb](context, command);
}

async function help({ answer, verbs, on }: CommandContext): Promise<undefined> {
  await answer(commandAnswer.help(verbs, on));
}

/** Explains why a command does nothing, and which commands work. */
async function nothing({ answer, verbs, on }: CommandContext, why: string): Promise<undefined> {
  await answer(commandAnswer.nothing(why, verbs, on));
}

/** Stops once the plan is made. */
const GATED = { kind: "resolve", gate: "plan" } as const;

/** `/magis approve`: carries out the waiting plan; with a hint, changes the plan instead. */
async function approve(context: CommandContext, { hint }: KnownCommand<"approve">): Promise<CarriedOut> {
  const waiting = waitingPlan(context);
  if (!waiting || context.on === "pull request") return nothing(context, NOTHING_TO_DO.noPlan);
  if (hint !== "") return { start: continueFrom(waiting, context.delivery, { work: GATED, hint }) };
  return { start: continueFrom(waiting, context.delivery, { work: { kind: "resolve", gate: "none" } }) };
}

/**
 * `/magis cancel`, and taking the label off: ends working and queued runs of the issue and its pull request, and drops
 * earlier requests that are not admitted yet.
 */
export async function cancel(context: CommandContext): Promise<CarriedOut> {
  const { delivery, issue, pull, unadmitted, unfinished } = context;
  if (unfinished.length === 0 && unadmitted.length === 0) return nothing(context, NOTHING_TO_DO.nothingWorks);
  // A waiting plan stays the latest run.
  const asked = waitingPlan(context) ? [] : unadmitted;
  const requests = await Promise.all(asked.map((earlier) => askedAnew(earlier, context)));
  const calledOff = requests.filter((request) => request !== undefined);
  // No run is left to say so.
  if (unfinished.length === 0 && calledOff.length === 0) await nothing(context, NOTHING_TO_DO.calledOff);
  const { repository, actor: by } = delivery;
  return {
    cancel: {
      repository,
      issue,
      by,
      also: pull && [pull.number],
      calledOff: calledOff.length > 0 ? calledOff : undefined,
    },
  };
}

/** The run that a delivery would begin on the issue once admitted, if its sender may. */
async function askedAnew(
  earlier: Delivery,
  { issue, delivery, host, deps }: CommandContext,
): Promise<RunRequest | undefined> {
  const { trigger } = earlier;
  const isLabel = trigger.kind === "label" && equalNames(trigger.label, deps.label);
  const isPlan = trigger.kind === "other-command" && trigger.command.verb === "plan" && trigger.on === "issue";
  if (earlier.issue !== issue || !(isLabel || isPlan || trigger.kind === "command")) return undefined;
  // Whoever cancels is not the person who asked.
  if (!equalNames(earlier.actor, delivery.actor) && (await askGuards(WHO, earlier, host, deps))) return undefined;
  const request = beginRun(earlier, { kind: "resolve", gate: isPlan ? "plan" : "none" });
  return isPlan && "hint" in trigger.command ? { ...request, hint: trigger.command.hint } : request;
}

/** A comment while a plan waits for approval: plan again, with its author's own words as a further hint. */
export function changePlan(context: CommandContext, body: string): CarriedOut {
  const waiting = waitingPlan(context);
  const hint = ownWords(body).trim();
  if (!waiting || hint === "") return undefined;
  return { start: continueFrom(waiting, context.delivery, { work: GATED, hint }) };
}

/** `continue` may add so many times what a run may cost, all its calls together. */
const MOST_BUDGETS = 2;

/**
 * `/magis continue [+amount]`: resumes the run that ended at its budget with `amount` more US dollars: by default the
 * budget of a run again, and never more in total than the operator allows. On the pull request, its own latest run
 * comes first.
 */
async function continueRun(context: CommandContext, { amount }: KnownCommand<"continue">): Promise<CarriedOut> {
  const { delivery, deps, on, latest, followUp, unfinished, verbs } = context;
  const candidates = on === "pull request" ? [followUp, latest] : [latest, followUp];
  const ended = candidates.find((run) => run?.state?.result?.kind === "budget-reached");
  if (!ended || unfinished.length > 0) return nothing(context, NOTHING_TO_DO.noBudgetEnd);
  const { grants } = ended.request;
  const before = grantedTo(ended.request);
  const wanted = amount ?? deps.budget.money;
  const most = MOST_BUDGETS * deps.budget.money;
  const money = Math.min(wanted, Math.floor((most - before) * 10_000) / 10_000);
  const outcome = { wanted, granted: Math.max(0, money), most, before };
  if (money < wanted) await context.answer(commandAnswer.granted(outcome, verbs, on));
  if (money <= 0) return undefined;
  const added = [...grants, { by: delivery.actor, money }];
  return { start: continueFrom(ended.request, delivery, { grants: added }) };
}

/** `/magis plan`: a run that stops at its plan; with a hint while a plan waits, changes that plan. */
async function plan(context: CommandContext, { hint }: KnownCommand<"plan">): Promise<CarriedOut> {
  if (context.on === "pull request") return nothing(context, NOTHING_TO_DO.planOnIssue);
  const waiting = waitingPlan(context);
  if (waiting && hint === "") return nothing(context, NOTHING_TO_DO.planWaits);
  if (waiting) return { start: continueFrom(waiting, context.delivery, { work: GATED, hint }) };
  if (context.unfinished.length > 0) return nothing(context, NOTHING_TO_DO.atWork);
  return beginAnew(context, { work: GATED, hint });
}

/**
 * `/magis retry` on the issue: resumes its latest run if that failed, gave up, was cancelled, could not push its
 * change, or could not report its end; starts a new run when nothing of the latest was kept. On the pull request it is
 * `resolve`.
 */
async function retry(context: CommandContext): Promise<CarriedOut> {
  const { delivery, latest, unfinished, on } = context;
  if (on === "pull request") return revise(context);
  if (!latest && unfinished.length === 0) return beginAnew(context, {});
  const result = latest?.state?.result;
  const isLeft = !result || WITHOUT_RESULT.has(result.kind) || isWithheld(result);
  if (!latest || !isLeft || unfinished.length > 0) return nothing(context, NOTHING_TO_DO.noRetry);
  if (isWithheld(result)) return beginAnew(context, {}, withheldIn(latest));
  // The same requests are answered from the record, so an unchanged retry would give up again.
  const gaveUp = result?.kind === "gave-up" ? result.reason : undefined;
  return { start: continueFrom(latest.request, delivery, { gaveUp }) };
}

const WITHOUT_RESULT: ReadonlySet<RunResult["kind"]> = new Set(["failed", "gave-up", "cancelled"]);

/**
 * The run whose paid change was not pushed, which `/magis resolve` without a hint resumes; undefined for a new request.
 */
export async function withheldRun(
  { repository, issue, trigger }: Delivery,
  { store, queue }: AdmissionDependencies,
): Promise<WithheldRun | undefined> {
  if (trigger.kind !== "command" || trigger.hint !== "") return undefined;
  const withheld = withheldIn(await store.latestRun(repository, issue));
  return withheld && (await queue.unfinished(repository, issue)).length === 0 ? withheld : undefined;
}

function withheldIn(latest: KeptRun | undefined): WithheldRun | undefined {
  const result = latest?.state?.result;
  if (!latest || result?.kind !== "published" || result.withheld === undefined) return undefined;
  return { request: latest.request, pull: result.pullRequest.number };
}

/** A new run, or one that publishes what an `earlier` one withheld, if the guards of a request allow it. */
async function beginAnew(
  { delivery, host, deps }: CommandContext,
  changes: Partial<RunRequest>,
  earlier?: WithheldRun,
): Promise<CarriedOut> {
  const admission = await admitDelivery(delivery, host, deps, earlier);
  if ("request" in admission) return { start: { ...admission.request, ...changes } };
  recordRefusal(deps, delivery, admission.refused);
  return undefined;
}

/** `/magis resolve` and `/magis retry` on the pull request: answer its open feedback, even after a person's commits. */
async function revise({ delivery, pull }: CommandContext): Promise<CarriedOut> {
  return pull && { start: beginOnPull(delivery, { kind: "revise", because: "command" }, pull) };
}

/** `/magis status`, from what is kept. */
async function status(context: CommandContext): Promise<undefined> {
  const { deps, latest, pull, unfinished, verbs } = context;
  const open = unfinished.find(({ id }) => id === latest?.request.id);
  const { state } = latest ?? {};
  const isWaiting = open !== undefined && (state === undefined || !!state.result || !!state.queued);
  const waiting = isWaiting ? await deps.queue.place(open.id) : undefined;
  const followUps = unfinished.filter(({ work }) => work.kind !== "resolve").length;
  const place = waiting && ({ is: "queued", ...waiting } as const);
  const text = statusText({
    standing: latest && statusOf(state, latest.request.requestedAt, place),
    state: waiting ? undefined : latest?.state,
    waiting,
    followUps,
    verbs,
    pullRequest: pull?.number,
  });
  await context.answer(text);
}

/** `/magis explain`: the documents of the latest runs of the issue and its pull request. */
async function explain({ deps, latest, followUp, unfinished, verbs, answer }: CommandContext): Promise<undefined> {
  const runs = [latest, followUp].filter((run) => run !== undefined);
  const explained = runs.map(async ({ request, state }) => ({
    request,
    state,
    isOpen: unfinished.some(({ id }) => id === request.id),
    record: await deps.store.record(request.root),
  }));
  await answer(explanationText(await Promise.all(explained), verbs));
}

/** The issue's latest run, if its plan waits for approval and nothing was started since. */
function waitingPlan({ latest, unfinished }: KnownRuns): RunRequest | undefined {
  return unfinished.length === 0 && latest?.state?.result?.kind === "awaiting-approval" ? latest.request : undefined;
}

/**
 * A comment while a question waits for its answer: the run goes on, and reads the issue and its comments again. It stays
 * the run, and the cost, of whoever asked for it.
 */
export function takeAnswer({ delivery, latest, unfinished }: CommandContext): CarriedOut {
  if (!latest || unfinished.length > 0 || latest.state?.result?.kind !== "asked") return undefined;
  return { start: { ...continueFrom(latest.request, delivery), actor: latest.request.actor } };
}

/**
 * What a comment on the issue may be: feedback on a plan that waits for approval, or the answer to a question that
 * ended the latest run. Decided from what is kept, without asking the host.
 */
export async function whatCommentIs(
  { repository, issue }: Delivery,
  store: RunStore,
): Promise<"on-plan" | "answer" | undefined> {
  const kind = (await store.latestRun(repository, issue))?.state?.result?.kind;
  if (kind === "awaiting-approval") return "on-plan";
  return kind === "asked" ? "answer" : undefined;
}
