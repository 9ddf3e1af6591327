import { distance as editDistance } from "fastest-levenshtein";
import { ownWords } from "./own-words.ts";
import { type RequestOptions, takeOptions } from "./request-options.ts";
import type { RunResult, RunState } from "./run-state.ts";

/** Where a comment is: on an issue or on the bot's pull request. */
export type Place = "issue" | "pull request";

/** The state of the issue or pull request on which a command is given. */
interface Standing {
  /** the latest run: `none` so far, `open` while it works or is queued, or how it ended */
  run: "none" | "open" | RunResult["kind"];
  on: Place;
  /** the run has published its test only; the change itself was not pushed */
  isWithheld: boolean;
  /** in the Action, where a run ends with its job and nothing is kept */
  inJob: boolean;
}

/** Everything about a command except what carries it out: see `webhooks/admission/commands.ts`. */
interface CommandDefinition {
  /** the arguments after its name */
  takes: keyof Arguments;
  /** commands that end work or answer are carried out at once, even when the repository's settings have errors */
  effect: "starts work" | "ends work" | "answers";
  who: Who;
  /** `issues and pull requests`: only the bot's own */
  places: "issues" | "issues and pull requests";
  /** what it does on an issue, in a few words */
  help: string;
  /** what it does on the bot's pull request, if that differs */
  helpOnPullRequest?: string;
  /** true, or the Action's answer, which follows the command's name */
  inAction: true | string;
  /** whether it does anything now, given that it is allowed here; "first": this state waits for it */
  works: (now: Standing) => boolean | "first";
}

/** Who may give a command: people with write permission, or also the author. */
export type Who = "writers" | "author and writers";

/** What each kind of argument holds. */
interface Arguments {
  nothing: unknown;
  /** options, then the rest of the first line and all further lines, for the agents */
  hint: { hint: string; options?: RequestOptions };
  /** what to change first; lists leave it out, because people are asked to say that in a comment */
  change: { hint: string };
  /** the rest of the first line and all further lines, to be kept */
  text: { text: string };
  number: { number?: number };
  /** US dollars to add to the run's budget; absent: as much again as one run may cost */
  amount: { amount?: number };
}

export const NEEDS_APP = "needs the app, which keeps earlier runs; the Action keeps none.";

/** Every command, in the order in which lists show them. */
export const COMMANDS = {
  resolve: {
    takes: "hint",
    effect: "starts work",
    who: "writers",
    places: "issues and pull requests",
    help: "work on the issue and open a pull request; words after it, on this line and the next ones, are a hint for the agents",
    helpOnPullRequest: "answer all open feedback, even after a person has committed to the branch",
    inAction: true,
    works: ({ run, on, isWithheld }) => run !== "open" && (run !== "published" || on === "pull request" || isWithheld),
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
    works({ run, on, isWithheld, inJob }) {
      if (inJob) return false;
      if (on === "pull request") return run !== "open";
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
    works: ({ run, on }) => run !== "none" || on === "pull request",
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
  remember: {
    takes: "text",
    effect: "answers",
    who: "writers",
    places: "issues and pull requests",
    help: "keep a note for all further work on this repository",
    inAction: NEEDS_APP,
    works: ({ on }) => on === "pull request",
  },
  memory: {
    takes: "nothing",
    effect: "answers",
    who: "writers",
    places: "issues and pull requests",
    help: "list the notes",
    inAction: NEEDS_APP,
    // Lists would grow with every command that always works: its own answers name these two.
    works: () => false,
  },
  forget: {
    takes: "number",
    effect: "answers",
    who: "writers",
    places: "issues and pull requests",
    help: "delete a note",
    inAction: NEEDS_APP,
    works: () => false,
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

/** The names of all commands, in the order of `COMMANDS`. */
export const VERBS = Object.keys(COMMANDS) as readonly Verb[];

/** A command that was understood, with its arguments. */
export type KnownCommand<V extends Verb = Verb> = {
  readonly [One in V]: { verb: One } & Arguments[(typeof COMMANDS)[One]["takes"]];
}[V];

export type Command =
  | KnownCommand
  /** not understood: the text in place of a verb, and the verb nearest to it */
  | { verb: "unknown"; text: string; nearest: Verb };

/** Undefined for a command that was not understood. */
export function definitionOf({ verb }: Pick<Command, "verb">): CommandDefinition | undefined {
  return verb === "unknown" ? undefined : COMMANDS[verb];
}

/** A command as lists show it: its name and arguments. */
export function formOf(verb: Verb): string {
  return [verb, ARGUMENT_FORMS[COMMANDS[verb].takes]].filter((part) => part).join(" ");
}

const ARGUMENT_FORMS: Readonly<Record<keyof Arguments, string>> = {
  nothing: "",
  hint: "[options] [hint]",
  change: "",
  text: "TEXT",
  number: "NUMBER",
  amount: "[+amount]",
};

export function helpOf(verb: Verb, on: Place): string {
  const { help, helpOnPullRequest }: CommandDefinition = COMMANDS[verb];
  return on === "pull request" ? (helpOnPullRequest ?? help) : help;
}

const BEGINNING = /^[^\S\r\n]*\/magis(?!\S)/i;

/** Whether a comment is a command: its first line begins with `/magis`. Reads no further. */
export const isCommand = (body: string): boolean => BEGINNING.test(body);

const MAX_TEXT_LENGTH = 30;

/** The command of a comment, read from its first line and its author's own words below. Undefined when that does not begin with `/magis`. */
export function readCommand(body: string): Command | undefined {
  if (!isCommand(body)) return undefined;
  const [first = "", ...rest] = ownWords(body).split("\n");
  const words = first.trim().slice("/magis".length).trimStart();
  const word = /^\S+/.exec(words)?.[0] ?? "help";
  const argument = words.slice(word.length).trimStart();
  const verb = VERBS.find((one) => one === word.toLowerCase());
  if (!verb) return unknown(word, nearestVerb(word.toLowerCase().slice(0, MAX_TEXT_LENGTH)));
  const taken = READ_ARGUMENTS[COMMANDS[verb].takes](argument, rest);
  // TypeScript cannot see that the arguments are this verb's.
  return taken ? ({ verb, ...taken } as KnownCommand) : unknown(`${verb} ${argument}`, verb);
}

/** Reads the arguments on a verb's line and on those below; undefined when they cannot be read. */
const READ_ARGUMENTS: {
  readonly [Takes in keyof Arguments]: (argument: string, below: readonly string[]) => object | undefined;
} = {
  nothing: () => ({}),
  hint: takeOptions,
  change: (argument, below) => ({ hint: [argument, ...below].join("\n").trim() }),
  text: (argument, below) => ({ text: [argument, ...below].join("\n").trim() }),
  number(argument) {
    if (argument === "") return {};
    return /^\d{1,6}$/.test(argument) ? { number: Number(argument) } : undefined;
  },
  amount(argument) {
    if (argument === "") return {};
    const amount = Number(AMOUNT.exec(argument.replace(/\s+/g, " "))?.[1] ?? "0");
    return amount > 0 ? { amount } : undefined;
  },
};

const AMOUNT = /^\+? ?\$? ?(\d{1,6}(?:\.\d{1,4})?) ?\$?$/;

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
 * The commands that do something now, in the order in which lists show them. `state` is that of the latest run:
 * undefined when there was none, without a result while it works or is queued. `inJob`: in the Action, where nothing is
 * kept.
 */
export function workingCommands(
  state: RunState | undefined,
  { on = "issue", inJob = false }: { on?: Place; inJob?: boolean } = {},
): readonly Verb[] {
  const run: Standing["run"] = state ? (state.result?.kind ?? "open") : "none";
  const now = { run, on, isWithheld: isWithheld(state?.result), inJob };
  const working = VERBS.map((verb) => ({ verb, works: isPlace(COMMANDS[verb], now) && COMMANDS[verb].works(now) }));
  const first = working.filter(({ works }) => works === "first");
  const others = working.filter(({ works }) => works === true);
  return [...first, ...others].map(({ verb }) => verb);
}

/** Whether only the test of a run's change was published. */
export const isWithheld = (result: RunResult | undefined): boolean =>
  result?.kind === "published" && result.withheld !== undefined;

function isPlace({ places, inAction }: CommandDefinition, { on, inJob }: Standing): boolean {
  return (places === "issues and pull requests" || on === "issue") && (inAction === true || !inJob);
}
