import { isHostRefusal } from "../../data/error.ts";
import { markers } from "../../data/marks.ts";
import { budgetAsked, liftsProof, onlyOnIssues } from "../../data/request-options.ts";
import { type Delivery, optionsOf } from "../../data/run-request.ts";
import { issueNote, optionNote } from "../../report/commands.ts";
import type { Guard, GuardContext, GuardRules, Refusal } from "./dependencies.ts";
import { equalNames } from "./guards.ts";

/** The options can be read, and none asks for more than the repository allows. */
export async function requireReadableOptions({ delivery, rules }: GuardContext): Promise<Refusal | undefined> {
  const { trigger } = delivery;
  const faults = optionFaults(delivery, rules);
  if (faults.length === 0) return undefined;
  const marker = "commentId" in trigger ? markers.command(trigger.commentId) : markers.lookedFirst(delivery.id);
  return {
    reason: "The request's options cannot be followed.",
    confused: true,
    comment: { marker, body: optionNote(faults, marker) },
  };
}

/** What is wrong with a request's options here, in Markdown sentences. */
function optionFaults({ trigger }: Delivery, { budget, proof }: GuardRules): readonly string[] {
  const options = optionsOf(trigger);
  if (!options) return [];
  const faults = [...(options.faults ?? [])];
  const money = budgetAsked(options);
  if (money !== undefined && budget !== undefined && money > budget.money)
    faults.push(`\`budget:${money}\` is above what one run may cost here, $${budget.money}.`);
  if (proof === "required" && liftsProof(options)) faults.push("This repository requires a proof of each fix.");
  const isOnPull = trigger.kind === "other-command" && trigger.on === "pull request";
  const misplaced = isOnPull ? onlyOnIssues(options) : [];
  faults.push(...misplaced.map((one) => `\`${one}\` works on the issue, not on a pull request that is open already.`));
  return faults;
}

/** A guard that `anyway` overrides, with its answer on the issue. */
function unlessAnyway(find: (context: GuardContext) => Promise<Finding | undefined>): Guard {
  return async (context) => {
    if (optionsOf(context.delivery.trigger)?.anyway) return undefined;
    const found = await find(context);
    if (found === undefined) return undefined;
    const marker = markers.lookedFirst(context.delivery.id);
    return { reason: found.reason, comment: { marker, body: issueNote(found.why, marker) } };
  };
}

interface Finding {
  /** for the log */
  reason: string;
  /** Markdown, a sentence for people */
  why: string;
}

/** Questions, security reports and blocked issues, by their labels or type. */
const skippedKind = unlessAnyway(async ({ readIssue, rules }) => {
  const { skipLabels = [] } = rules;
  const issue = await readIssue();
  const kinds = [...(issue?.labels ?? []), ...(issue?.type === undefined ? [] : [issue.type])];
  const found = kinds.find((one) => namesOf(one).some((name) => skipLabels.some((label) => equalNames(name, label))));
  if (found === undefined) return undefined;
  return {
    reason: `The issue is labelled "${found}".`,
    why: `This issue is marked ${shown(found)}, which I leave to people.`,
  };
});

/** `type: question`, `status/blocked` and a label with an emoji in front also count as the kind they name. */
function namesOf(label: string): readonly string[] {
  const plain = label.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, "");
  return [label.trim(), plain, plain.split(/[:/]/).at(-1)?.trim() ?? ""];
}

/** Somebody else is at it already: ask before doing their work. */
const assignedToOthers = unlessAnyway(async ({ readIssue, delivery, host }) => {
  const assignees = (await readIssue())?.assignees ?? [];
  const mine = assignees.some((login) => equalNames(login, delivery.actor) || equalNames(login, host.login));
  if (mine || assignees.length === 0) return undefined;
  const names = assignees.slice(0, MAX_NAMED).map(shown).join(", ");
  return { reason: "Somebody else is assigned.", why: `This issue is assigned to ${names}.` };
});

/** An open pull request of a person or another bot that closes or mentions the issue. */
const othersWork = unlessAnyway(async ({ delivery, host }) => {
  const found = await host.pullsAbout(delivery.issue).catch((error: unknown) => {
    if (isHostRefusal(error)) return undefined;
    throw error;
  });
  if (found === undefined) {
    const why = "I could not see whether somebody's pull request is about this issue: GitHub did not say.";
    return { reason: "Whether there is a pull request for the issue is not known.", why };
  }
  const pulls = found.filter(({ author }) => !equalNames(author, host.login));
  if (pulls.length === 0) return undefined;
  const names = pulls.slice(0, MAX_NAMED).map(({ number, author }) => `#${number} by ${shown(author)}`);
  const [verb, them] = pulls.length === 1 ? ["is", "it is"] : ["are", "they are"];
  return {
    reason: "There is an open pull request for the issue.",
    why: `There ${verb} already ${names.join(", ")} for this issue, and ${them} still open.`,
  };
});

const MAX_NAMED = 5;

/** As code, so that nobody is notified. */
const shown = (text: string) => `\`${text.replaceAll("`", "'")}\``;

/** Asked before a new run starts, once it is known that the person may ask: none costs more than a request. */
export const COURTESY_GUARDS: readonly Guard[] = [skippedKind, assignedToOthers, othersWork];
