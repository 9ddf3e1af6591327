import { distance as editDistance } from "fastest-levenshtein";
import type { RunResult, RunState } from "./run-state.ts";

/** How things stand where a command is given. */
interface Standing {
  /** the latest run: there was none, it works or waits for its turn, or how it ended */
  readonly run: "none" | "open" | RunResult["kind"];
  readonly onPullRequest: boolean;
  /** the run has published, and its change itself was not pushed */
  readonly isWithheld: boolean;
  /** a run ends with its job, and nothing is kept of it */
  readonly inJob: boolean;
}

/** Everything about a command but what carries it out, which is in `admission/commands.ts`. */
interface CommandDefinition {
  /** what may stand behind its name */
  readonly takes: keyof Arguments;
  /** one that ends work or answers is carried out at once, even where the repository's settings have faults */
  readonly effect: "starts work" | "ends work" | "answers";
  readonly who: Who;
  readonly places: "issues" | "issues and pull requests";
  /** what it does in a few words, on an issue */
  readonly help: string;
  /** the same on the bot's pull request, where it does something else there */
  readonly helpOnPullRequest?: string;
  /** true, or what the Action answers to it, with the command in front */
  readonly inAction: true | string;
  /** whether it does something now where it has a place; "first": it is what this state waits for */
  readonly works: (now: Standing) => boolean | "first";
}

/** Who may say something: people with write permission, or besides them whoever wrote the issue. */
export type Who = "writers" | "author and writers";

/** What stands behind a command's name, by what it takes. */
interface Arguments {
  readonly nothing: unknown;
  /** the rest of the first line and all further lines, for the agents */
  readonly hint: { readonly hint: string };
  /** what is to be different first; lists leave it out, since people are asked to say that in a comment */
  readonly change: { readonly hint: string };
  /** US dollars to add to the run's budget; absent: as much again as one run may cost */
  readonly amount: { readonly amount?: number };
}

export const NEEDS_APP = "needs the app, which keeps earlier runs; the Action keeps none.";

/** Every command, in the order in which people read of them. */
export const COMMANDS = {
  resolve: {
    takes: "hint",
    effect: "starts work",
    who: "writers",
    places: "issues and pull requests",
    help: "work on the issue and open a pull request; words after it, on this line and the next ones, are a hint for the agents",
    helpOnPullRequest: "answer all open feedback, even after a person has committed to the branch",
    inAction: true,
    works: ({ run, onPullRequest, isWithheld }) =>
      run !== "open" && (run !== "published" || onPullRequest || isWithheld),
  },
  approve: {
    takes: "change",
    effect: "starts work",
    who: "writers",
    places: "issues",
    help: "carry out the waiting plan",
    inAction: NEEDS_APP,
    works: ({ run }) => run === "awaiting-approval" && "first",
  },
  plan: {
    takes: "hint",
    effect: "starts work",
    who: "writers",
    places: "issues",
    help: "make a plan and wait for your approval; with words while a plan waits, change it",
    inAction: NEEDS_APP,
    works: ({ run }) => (run === "awaiting-approval" ? "first" : run !== "open" && run !== "published"),
  },
  retry: {
    takes: "nothing",
    effect: "starts work",
    who: "writers",
    places: "issues and pull requests",
    help: "go on with a run that ended without a result, or whose change was not pushed; nothing is paid for twice",
    helpOnPullRequest: "the same as `resolve`",
    inAction: true,
    works({ run, onPullRequest, isWithheld, inJob }) {
      if (inJob) return false;
      if (onPullRequest) return run !== "open";
      return (run === "failed" || run === "gave-up" || run === "cancelled" || isWithheld) && "first";
    },
  },
  continue: {
    takes: "amount",
    effect: "starts work",
    who: "writers",
    places: "issues and pull requests",
    help: "go on after the budget was used up, with `amount` US dollars more, or with the same budget again",
    inAction: NEEDS_APP,
    works: ({ run }) => run === "budget-reached" && "first",
  },
  status: {
    takes: "nothing",
    effect: "answers",
    who: "writers",
    places: "issues and pull requests",
    help: "tell how things stand",
    inAction: NEEDS_APP,
    works: () => true,
  },
  explain: {
    takes: "nothing",
    effect: "answers",
    who: "writers",
    places: "issues and pull requests",
    help: "tell why the latest run chose these files and this change, what it gave up, and what the reviewers doubted",
    inAction: NEEDS_APP,
    works: ({ run, onPullRequest }) => run !== "none" || onPullRequest,
  },
  cancel: {
    takes: "nothing",
    effect: "ends work",
    who: "writers",
    places: "issues and pull requests",
    help: "stop what is at work or waiting; what was found out is kept",
    inAction: "does nothing in the Action: cancel the workflow's run instead.",
    works: ({ run }) => run === "open",
  },
  help: {
    takes: "nothing",
    effect: "answers",
    who: "writers",
    places: "issues and pull requests",
    help: "this list",
    inAction: true,
    works: () => true,
  },
} satisfies Readonly<Record<string, CommandDefinition>>;

export type Verb = keyof typeof COMMANDS;

/** In the order of `COMMANDS`, whose names they are. */
export const VERBS = Object.keys(COMMANDS) as readonly Verb[];

/** A command that is one, as it was written. */
export type KnownCommand<V extends Verb = Verb> = {
  readonly [One in V]: { readonly verb: One } & Arguments[(typeof COMMANDS)[One]["takes"]];
}[V];

/** A command as it was written. */
export type Command =
  | KnownCommand
  /** not understood: the text that stood where a verb should, and the verb that comes nearest to it */
  | { readonly verb: "unknown"; readonly text: string; readonly nearest: Verb };

/** What a command is, as data; undefined for one that is not understood. */
export function definitionOf({ verb }: Pick<Command, "verb">): CommandDefinition | undefined {
  return verb === "unknown" ? undefined : COMMANDS[verb];
}

/** A command as lists show it: its name, and what may stand behind it. */
export function formOf(verb: Verb): string {
  return [verb, ARGUMENT_FORMS[COMMANDS[verb].takes]].filter((part) => part).join(" ");
}

const ARGUMENT_FORMS: Readonly<Record<keyof Arguments, string>> = {
  nothing: "",
  hint: "[hint]",
  change: "",
  amount: "[+amount]",
};

/** What a command does, in a few words. */
export function helpOf(verb: Verb, onPullRequest: boolean): string {
  const { help, helpOnPullRequest }: CommandDefinition = COMMANDS[verb];
  return (onPullRequest && helpOnPullRequest) || help;
}

const FIRST_LINE = /^\s*\/magis(?:\s+(\S+))?(?:\s+(.*?))?\s*$/i;

const MAX_TEXT_LENGTH = 30;

/** The command of a comment: only its first line counts. Undefined when it does not begin with `/magis`. */
export function readCommand(body: string): Command | undefined {
  const [first = "", ...rest] = body.split(/\r\n|\r|\n/);
  const found = FIRST_LINE.exec(first);
  if (!found) return undefined;
  const [, word = "help", argument = ""] = found;
  const verb = VERBS.find((one) => one === word.toLowerCase());
  if (!verb) return unknown(word, nearestVerb(word.toLowerCase()));
  const taken = READ_ARGUMENTS[COMMANDS[verb].takes](argument, rest);
  // It was read as what this verb takes.
  return taken ? ({ verb, ...taken } as KnownCommand) : unknown(`${verb} ${argument}`, verb);
}

/** What stands behind a verb on its line and on those below; undefined when it cannot be read. */
const READ_ARGUMENTS: {
  readonly [Takes in keyof Arguments]: (argument: string, below: readonly string[]) => object | undefined;
} = {
  nothing: () => ({}),
  hint: readHint,
  change: readHint,
  amount(argument) {
    if (argument === "") return {};
    const amount = Number(AMOUNT.exec(argument)?.[1] ?? "0");
    return amount > 0 ? { amount } : undefined;
  },
};

function readHint(argument: string, below: readonly string[]): Arguments["hint"] {
  return { hint: [argument, ...below].join("\n").trim() };
}

const AMOUNT = /^\+?\s*\$?\s*(\d{1,6}(?:\.\d{1,4})?)\s*\$?$/;

const unknown = (text: string, nearest: Verb): Command => ({
  verb: "unknown",
  text: text.slice(0, MAX_TEXT_LENGTH),
  nearest,
});

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
  const run: Standing["run"] = state ? (state.result?.kind ?? "open") : "none";
  const now = { run, onPullRequest, isWithheld: isWithheld(state?.result), inJob };
  const working = VERBS.map((verb) => ({ verb, works: isPlace(COMMANDS[verb], now) && COMMANDS[verb].works(now) }));
  const first = working.filter(({ works }) => works === "first");
  const others = working.filter(({ works }) => works === true);
  return [...first, ...others].map(({ verb }) => verb);
}

/** Whether only the test of a run's change was published. */
export const isWithheld = (result: RunResult | undefined): boolean =>
  result?.kind === "published" && result.withheld !== undefined;

function isPlace({ places, inAction }: CommandDefinition, { onPullRequest, inJob }: Standing): boolean {
  return (places === "issues and pull requests" || !onPullRequest) && (inAction === true || !inJob);
}
