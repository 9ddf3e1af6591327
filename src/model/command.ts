import { distance as editDistance } from "fastest-levenshtein";
import type { RunState } from "./run-state.ts";

/** The verbs, in the order in which help lists them. */
export const VERBS = ["resolve", "plan", "approve", "retry", "cancel", "status", "continue", "help"] as const;

export type Verb = (typeof VERBS)[number];

/** A command as it was written. `hint` is the rest of the first line and all further lines, for the agents. */
export type Command =
  | { readonly verb: "resolve" | "plan" | "approve"; readonly hint: string }
  | { readonly verb: "retry" | "cancel" | "status" | "help" }
  /** `amount` in US dollars to add to the run's budget; absent: as much again as one run may cost */
  | { readonly verb: "continue"; readonly amount?: number }
  /** not understood: the text that stood where a verb should, and the verb that comes nearest to it */
  | { readonly verb: "unknown"; readonly text: string; readonly nearest: Verb };

const FIRST_LINE = /^\s*\/magis(?:\s+(\S+))?(?:\s+(.*?))?\s*$/i;

const AMOUNT = /^\+?\s*\$?\s*(\d{1,6}(?:\.\d{1,4})?)\s*\$?$/;

const MAX_TEXT_LENGTH = 30;

/** The command of a comment: only its first line counts. Undefined when it does not begin with `/magis`. */
export function readCommand(body: string): Command | undefined {
  const [first = "", ...rest] = body.split(/\r\n|\r|\n/);
  const found = FIRST_LINE.exec(first);
  if (!found) return undefined;
  const [, word = "help", argument = ""] = found;
  const verb = VERBS.find((one) => one === word.toLowerCase());
  if (!verb) return { verb: "unknown", text: word.slice(0, MAX_TEXT_LENGTH), nearest: nearestVerb(word.toLowerCase()) };
  if (verb === "resolve" || verb === "plan" || verb === "approve")
    return { verb, hint: [argument, ...rest].join("\n").trim() };
  if (verb !== "continue") return { verb };
  if (argument === "") return { verb };
  const amount = Number(AMOUNT.exec(argument)?.[1] ?? "0");
  return amount > 0
    ? { verb, amount }
    : { verb: "unknown", text: `continue ${argument}`.slice(0, MAX_TEXT_LENGTH), nearest: "continue" };
}

function nearestVerb(word: string): Verb {
  const distances = VERBS.map((verb) => ({ verb, distance: editDistance(word, verb) }));
  return distances.reduce((best, one) => (one.distance < best.distance ? one : best)).verb;
}

/**
 * The commands that do something now, in the order in which they are shown. `state` is that of the latest run:
 * undefined when there was none, without a result while it works or waits for its turn. `inJob`: a run ends with its job,
 * and nothing is kept of it.
 */
export function workingCommands(
  state: RunState | undefined,
  { onPullRequest = false, inJob = false }: { readonly onPullRequest?: boolean; readonly inJob?: boolean } = {},
): readonly Verb[] {
  if (inJob) {
    const mayBegin = onPullRequest || !state || (state.result !== undefined && state.result.kind !== "published");
    return mayBegin ? ["resolve", "help"] : ["help"];
  }
  if (state && !state.result) return ["status", "cancel", "help"];
  if (onPullRequest)
    return state?.result?.kind === "budget-reached" ? ["continue", ...ON_PULL_REQUEST] : ON_PULL_REQUEST;
  switch (state?.result?.kind) {
    case "awaiting-approval":
      return ["approve", "plan", "resolve", "status", "help"];
    case "budget-reached":
      return ["continue", "resolve", "plan", "status", "help"];
    case "failed":
    case "gave-up":
    case "cancelled":
      return ["retry", "resolve", "plan", "status", "help"];
    case "published":
      return ["status", "help"];
    default:
      return ["resolve", "plan", "status", "help"];
  }
}

const ON_PULL_REQUEST: readonly Verb[] = ["resolve", "retry", "status", "help"];
