import type { Command, KnownCommand, Verb } from "../model/command.ts";
import { readRecord } from "../model/read-record.ts";
import {
  type AdmissionDecision,
  beginRun,
  continueFrom,
  type Delivery,
  type RunRequest,
} from "../model/run-request.ts";
import { type CodeHost, RUN_CREATIONS } from "../ports/code-host.ts";
import type { RunStore } from "../ports/runs.ts";
import { commandAnswer, NOTHING_TO_DO, statusText } from "../report/commands.ts";
import { explanationText } from "../report/explanation.ts";
import { admitDelivery } from "./admit-request.ts";
import type { CommandContext } from "./command-context.ts";
import { askGuards, equalNames, WHO } from "./guards.ts";

type CarriedOut = AdmissionDecision | undefined;

/** What carries out each command; `resolve` on an issue is a request like the label, for `admitDelivery`. */
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
  help,
};

/** Gives what comes of a command. Answers on GitHub where nothing does. */
export async function carryOut(command: Command, context: CommandContext): Promise<CarriedOut> {
  if (command.verb !== "unknown") return carryOutKnown(command, context);
  const { verbs, onPullRequest } = context;
  await context.answer(commandAnswer.unknown(command.text, command.nearest, verbs, onPullRequest));
  return undefined;
}

function carryOutKnown<V extends Verb>(command: KnownCommand<V>, context: CommandContext): Promise<CarriedOut> {
  return CARRIERS[command.verb](context, command);
}

async function help({ answer, verbs, onPullRequest }: CommandContext): Promise<undefined> {
  await answer(commandAnswer.help(verbs, onPullRequest));
}

/** Says why a command does nothing, and which do something. */
async function nothing({ answer, verbs, onPullRequest }: CommandContext, why: string): Promise<undefined> {
  await answer(commandAnswer.nothing(why, verbs, onPullRequest));
}

/** Work that stops when its plan is made. */
const GATED = { kind: "resolve", gate: "plan" } as const;

/** `/magis approve`: carries out the plan that waits; with words it is a change of the plan. */
async function approve(context: CommandContext, { hint }: KnownCommand<"approve">): Promise<CarriedOut> {
  const waiting = waitingPlan(context);
  if (!waiting || context.onPullRequest) return nothing(context, NOTHING_TO_DO.noPlan);
  if (hint !== "") return { start: continueFrom(waiting, context.delivery, { work: GATED, hint }) };
  return { start: continueFrom(waiting, context.delivery, { work: { kind: "resolve", gate: "none" } }) };
}

/**
 * `/magis cancel`, and the label taken off: ends what works or waits on the issue and on its pull request, and calls off
 * what was said before and is not yet admitted.
 */
export async function cancel(context: CommandContext): Promise<CarriedOut> {
  const { delivery, issue, pull, unadmitted, unfinished } = context;
  if (unfinished.length === 0 && unadmitted.length === 0) return nothing(context, NOTHING_TO_DO.nothingWorks);
  // A plan that waits stays the latest thing that was done.
  const asked = waitingPlan(context) ? [] : unadmitted;
  const requests = await Promise.all(asked.map((earlier) => askedAnew(earlier, context)));
  const calledOff = requests.filter((request) => request !== undefined);
  // Nothing else will tell of it.
  if (unfinished.length === 0 && calledOff.length === 0) await nothing(context, NOTHING_TO_DO.calledOff);
  const { repository, actor: by } = delivery;
  const also = pull && { also: [pull.number] };
  return { cancel: { repository, issue, by, ...also, ...(calledOff.length > 0 && { calledOff }) } };
}

/** The run that a delivery which is not yet admitted would begin on the issue, if its sender may. */
async function askedAnew(
  earlier: Delivery,
  { issue, delivery, host, deps }: CommandContext,
): Promise<RunRequest | undefined> {
  const { trigger } = earlier;
  const isLabel = trigger.kind === "label" && equalNames(trigger.label, deps.label);
  const isPlan = trigger.kind === "other-command" && trigger.command.verb === "plan" && !trigger.onPullRequest;
  if (earlier.issue !== issue || !(isLabel || isPlan || trigger.kind === "command")) return undefined;
  // Who asked is not told by who calls it off.
  if (!equalNames(earlier.actor, delivery.actor) && (await askGuards(WHO, earlier, host, deps))) return undefined;
  const request = beginRun(earlier, { kind: "resolve", gate: isPlan ? "plan" : "none" });
  return isPlan && "hint" in trigger.command ? { ...request, hint: trigger.command.hint } : request;
}

/** A comment while a plan waits for approval: the plan is made again with these words as a further hint. */
export function changePlan(context: CommandContext, hint: string): CarriedOut {
  const waiting = waitingPlan(context);
  if (!waiting) return undefined;
  return { start: continueFrom(waiting, context.delivery, { work: GATED, hint }) };
}

/**
 * `/magis continue [+amount]`: goes on with the run that ended at its budget, with `amount` US dollars more; by default
 * as much again as a run may cost, and never above what the operator lets all of them add. On the pull request its own
 * latest run comes first.
 */
async function continueRun(context: CommandContext, { amount }: KnownCommand<"continue">): Promise<CarriedOut> {
  const { delivery, deps, onPullRequest, latest, followUp, unfinished, verbs } = context;
  const candidates = onPullRequest ? [followUp, latest] : [latest, followUp];
  const ended = candidates.find((run) => run?.state?.result?.kind === "budget-reached");
  if (!ended || unfinished.length > 0) return nothing(context, NOTHING_TO_DO.noBudgetEnd);
  const { allowance, grants = [] } = ended.request;
  const wanted = amount ?? deps.budget.money;
  const most = deps.continueTotal ?? 2 * deps.budget.money;
  const money = Math.min(wanted, Math.floor((most - allowance) * 10_000) / 10_000);
  const outcome = { wanted, granted: Math.max(0, money), most, before: allowance };
  if (money < wanted) await context.answer(commandAnswer.granted(outcome, verbs, onPullRequest));
  if (money <= 0) return undefined;
  const added = { allowance: allowance + money, grants: [...grants, { by: delivery.actor, money }] };
  return { start: continueFrom(ended.request, delivery, added) };
}

/** `/magis plan`: a run that stops when its plan is made; with words while a plan waits, that plan is changed. */
async function plan(context: CommandContext, { hint }: KnownCommand<"plan">): Promise<CarriedOut> {
  if (context.onPullRequest) return nothing(context, NOTHING_TO_DO.planOnIssue);
  const waiting = waitingPlan(context);
  if (waiting && hint === "") return nothing(context, NOTHING_TO_DO.planWaits);
  if (waiting) return { start: continueFrom(waiting, context.delivery, { work: GATED, hint }) };
  if (context.unfinished.length > 0) return nothing(context, NOTHING_TO_DO.atWork);
  return beginAnew(context, { work: GATED, hint });
}

/**
 * `/magis retry` on the issue: goes on with its latest run, when that failed, gave up or was cancelled, or when its end
 * could not be told; where nothing is kept because what was asked for came to nothing, begins anew. On the pull request
 * it is `resolve`.
 */
async function retry(context: CommandContext): Promise<CarriedOut> {
  const { delivery, latest, unfinished, onPullRequest } = context;
  if (onPullRequest) return revise(context);
  if (!latest && unfinished.length === 0) return beginAnew(context, {});
  const result = latest?.state?.result;
  const isLeft = !result || result.kind === "failed" || result.kind === "gave-up" || result.kind === "cancelled";
  if (!latest || !isLeft || unfinished.length > 0) return nothing(context, NOTHING_TO_DO.noRetry);
  // The same questions have the same answers, so that giving up would be repeated word for word.
  const why = result?.kind === "gave-up" ? { gaveUp: result.reason } : {};
  return { start: continueFrom(latest.request, delivery, why) };
}

/** A run from the first step on, if the guards of a request let it pass. */
async function beginAnew(
  { delivery, host, deps }: CommandContext,
  changes: Partial<Pick<RunRequest, "work" | "hint">>,
): Promise<CarriedOut> {
  const admission = await admitDelivery(delivery, host, deps);
  if ("request" in admission) return { start: { ...admission.request, ...changes } };
  deps.log.info({ delivery: delivery.id, reason: admission.refused }, "delivery refused");
  return undefined;
}

/** `/magis resolve` and `/magis retry` on the pull request: answers its open feedback, a person's commits or not. */
async function revise({ delivery }: CommandContext): Promise<CarriedOut> {
  return { start: beginRun(delivery, { kind: "revise", asked: true }) };
}

/** `/magis status`: how things stand, from what is kept. */
async function status(context: CommandContext): Promise<undefined> {
  const { deps, latest, pull, unfinished, verbs, onPullRequest } = context;
  const open = unfinished.find(({ id }) => id === latest?.request.id);
  const { state } = latest ?? {};
  const isWaiting = open !== undefined && (state === undefined || !!state.result || !!state.queued);
  const waiting = isWaiting ? { ahead: await deps.ahead(open.id) } : undefined;
  const followUps = unfinished.filter(({ work }) => work.kind !== "resolve").length;
  const text = statusText({
    state: waiting ? undefined : latest?.state,
    waiting,
    followUps,
    verbs,
    onPullRequest,
    isLimited: waiting !== undefined && (await isLimited(context.host)),
    ...(pull && { pullRequest: pull.number }),
  });
  await context.answer(text);
}

/** `/magis explain`: how the latest run of the issue, and the latest on its pull request, came to what they did. */
async function explain({ deps, latest, followUp, unfinished, verbs, answer }: CommandContext): Promise<undefined> {
  const runs = [latest, followUp].filter((run) => run !== undefined);
  const explained = runs.map(async ({ request, state }) => ({
    request,
    state,
    isOpen: unfinished.some(({ id }) => id === request.id),
    record: readRecord(await deps.store.record(request.root)),
  }));
  await answer(explanationText(await Promise.all(explained), verbs));
}

/** Whether the host's limit of writes keeps runs in the queue. */
async function isLimited(host: Pick<CodeHost, "reserveWrites">): Promise<boolean> {
  const wait = await host.reserveWrites(RUN_CREATIONS);
  await host.reserveWrites(0);
  return wait > 0;
}

/** The issue's latest run, when its plan waits for approval and nothing has been started since. */
function waitingPlan({ latest, unfinished }: Pick<CommandContext, "latest" | "unfinished">): RunRequest | undefined {
  return unfinished.length === 0 && latest?.state?.result?.kind === "awaiting-approval" ? latest.request : undefined;
}

/** A comment while a question waits for its answer: the run goes on, and reads the issue and what was said on it anew. */
export function takeAnswer({ delivery, latest, unfinished }: CommandContext): CarriedOut {
  if (!latest || unfinished.length > 0 || latest.state?.result?.kind !== "asked") return undefined;
  return { start: continueFrom(latest.request, delivery) };
}

/**
 * What a comment on the issue may be: words on a plan that waits for approval, or the answer to a question with which its
 * latest run has ended. Told from what is kept, without the host.
 */
export async function whatCommentIs(
  { repository, issue }: Pick<Delivery, "repository" | "issue">,
  store: Pick<RunStore, "latestRun">,
): Promise<"on-plan" | "answer" | undefined> {
  const kind = (await store.latestRun(repository, issue))?.state?.result?.kind;
  return kind === "awaiting-approval" ? "on-plan" : kind === "asked" ? "answer" : undefined;
}
