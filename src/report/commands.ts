import { formOf, helpOf, type Place, type Verb } from "../data/command.ts";
import type { HeldBack } from "../data/limits.ts";
import { markers } from "../data/marks.ts";
import { optionList } from "../data/request-options.ts";
import type { Queued, RunState, Waiting } from "../data/run-state.ts";
import { type RunStatus, shownPhases, statusSince } from "../data/run-status.ts";
import { formatMoney, formatSpend } from "../data/spend.ts";
import { codeSpan, plain } from "../text/compose-markdown.ts";
import { beginning, counted, ended } from "../text/counted.ts";
import { isOver, shortfall, stopSentence, WITHHELD } from "./end-of-run.ts";

/** Answers to commands that only get an answer; `verbs` are the commands that work now. */
export const commandAnswer = {
  help: (verbs: readonly Verb[], on: Place = "issue") =>
    `${now(verbs, on)}\n\nOnly the first line of a comment is read as a command.`,
  unknown: (text: string, nearest: Verb, verbs: readonly Verb[], on: Place = "issue") =>
    `I do not know ${codeSpan(`/magis ${text}`)}. Did you mean \`/magis ${nearest}\`?\n\n${now(verbs, on)}`,
  granted: ({ wanted, granted, most, before }: GrantOutcome, verbs: readonly Verb[], on: Place = "issue") => {
    const why = `\`/magis continue\` may add at most ${formatMoney(most)} to a run, and ${formatMoney(before)} had been added before. That is twice what a run may cost, which whoever runs this bot sets (\`MAGIS_BUDGET_MONEY\`).`;
    if (granted > 0) return `Of the ${formatMoney(wanted)} you asked for, ${formatMoney(granted)} were added: ${why}`;
    return `Nothing was added, so the run does not go on: ${why}\n\n${now(verbs, on)}`;
  },
  nothing: (why: string, verbs: readonly Verb[], on: Place = "issue") => `${why}\n\n${now(verbs, on)}`,
} as const;

/** Why a command does nothing. */
export const NOTHING_TO_DO = {
  noPlan: "No plan is waiting for approval here.",
  nothingWorks: "Nothing is at work or waiting here.",
  calledOff: "Cancelled: what was asked for here had not started yet.",
  noBudgetEnd: "No run has ended at its budget here.",
  planOnIssue: "Plans are made on the issue, not on the pull request.",
  planWaits: "A plan already waits for approval in my comment. To change it, say what should be different.",
  atWork: "I am already at work on this issue, or will be when its turn comes.",
  noRetry: "There is no run here that ended without a result.",
} as const;

/** Says that the issue's open pull request comes first. */
export function openPullNote(pullRequest: number): string {
  return `My pull request #${pullRequest} for this issue is still open. Please merge or close it first, then ask again.\n\n${markers.openPullRequest(pullRequest)}`;
}

/** Says why options cannot be followed, and which there are. */
export function optionNote(faults: readonly string[], marker: string): string {
  const list = faults.map((fault) => `- ${fault}`).join("\n");
  return `I did not start:\n\n${list}\n\nOptions that work:\n\n${optionList()}\n\n${marker}`;
}

/** Says what the bot found before it began, and how to have it go on. */
export function issueNote(why: string, marker: string): string {
  return `${why} I have not started. To have me work on it all the same, comment \`/magis resolve anyway\`.\n\n${marker}`;
}

const now = (verbs: readonly Verb[], on: Place) => `Commands that work now:\n\n${commandList(verbs, on)}`;

/** The outcome of a `continue`, in US dollars. */
export interface GrantOutcome {
  wanted: number;
  granted: number;
  /** the most that all grants together may add (`most`), and the sum of the earlier ones */
  most: number;
  before: number;
}

/** What a status shows. */
export interface Status {
  /** what the issue's latest run does or waits for; undefined when there was none */
  standing: RunStatus | undefined;
  /** the state of the issue's latest run; undefined when there was none, or it has not begun */
  state: RunState | undefined;
  /** the place of the run that has not begun; undefined when it has */
  waiting: Queued | undefined;
  /** how many runs for the pull request's feedback or checks work or wait */
  followUps: number;
  pullRequest?: number;
  verbs: readonly Verb[];
}

/** The answer to `/magis status`. */
export function statusText({ standing, state, waiting, followUps, pullRequest, verbs }: Status): string {
  const lines = [
    nowText(standing),
    waiting ? turnText(waiting) : outcomeText(state),
    state && phaseLine(state),
    state && state.tasks.length > 0 && taskLine(state),
    pullRequest !== undefined && `Pull request: #${pullRequest}, open.`,
    followUps > 0 &&
      `On the pull request, ${counted(followUps, "run")} ${followUps === 1 ? "is" : "are"} at work or waiting.`,
    state && `Cost: ${formatSpend(state.spend)}.`,
  ];
  const list = lines.filter((line) => line).map((line) => `- ${line}`);
  return [...list, "", `<sub>${commandFoot(verbs)}</sub>`].join("\n");
}

/** What a run does or waits for now; undefined once it has ended. */
export function nowText(standing: RunStatus | undefined): string | undefined {
  return standing && standing.is !== "ended" ? `**Now:** ${statusSince(standing)}.` : undefined;
}

/** Why a queued run waits. */
export function turnText({ ahead, held }: Queued): string {
  const turns = ahead > 0 ? "Runs of one repository go one after the other." : "";
  return [turns, held ? HELD_TEXTS[held.by] : turns === "" && CROWDED].filter((part) => part).join(" ");
}

const CROWDED = "I work on a limited number of issues at once. This run begins when there is a place for it.";

const HELD_TEXTS: Readonly<Record<HeldBack["by"], string>> = {
  budget: "Runs at work may still need what is left of a budget. This run begins as soon as they leave enough of it.",
  pulls: "Runs at work may still open the last pull requests that I may have here. This run begins if they leave one.",
};

/** How an issue's latest run ended, or why it waits; undefined while it works. */
function outcomeText(state: RunState | undefined): string | undefined {
  if (!state) return "There has been no run on this issue yet.";
  switch (state.result?.kind) {
    case undefined:
      return state.waiting ? waitingText(state.waiting) : undefined;
    case "published":
      if (state.result.withheld !== undefined)
        return `Only the test of the change is in #${state.result.pullRequest.number}; the change itself was not pushed. ${WITHHELD}`;
      if (isOver(state.result.left))
        return `The change is in #${state.result.pullRequest.number}, which was ${state.result.left}${lackingIn(state)}.`;
      return `The change is in #${state.result.pullRequest.number}${lackingIn(state)}.`;
    case "awaiting-approval":
      return "A plan is ready and waits for your approval.";
    case "dry-run":
      return "The run was a dry run: nothing was published.";
    case "asked":
      return "The run has asked a question and waits for the answer.";
    case "budget-reached":
      return "The run stopped when its budget was used up. `/magis continue` lets it go on.";
    case "cancelled":
      return state.result.because
        ? `The run ended. ${stopSentence(state.result.because, state.result.by)}`
        : `${plain(state.result.by)} cancelled the run.`;
    case "failed":
      return `The run failed: ${ended(plain(state.result.message))}`;
    case "gave-up":
      return "The run could not resolve the issue. Nothing more happens by itself.";
    case "nothing-to-change":
      return "The run found nothing to change.";
    case "refused":
      return "The run did not start.";
  }
}

const lackingIn = (state: RunState) => {
  const lacking = shortfall(state);
  return lacking && `: ${lacking}`;
};

const WAITS_FOR: Readonly<Record<Waiting["for"], string>> = {
  host: "GitHub does not answer",
  writes: "GitHub's rate limit is reached",
  model: "the model's API cannot be reached",
  database: "the database does not answer",
};

/** Why a run waits for a service, and that this costs nothing. */
export function waitingText({ for: what }: Waiting): string {
  return `${beginning(WAITS_FOR[what])}. The run goes on by itself. Waiting costs nothing and does not count as its time.`;
}

function phaseLine(state: RunState): string {
  return `Phases: ${shownPhases(state)
    .map(
      ({ name, status, detail }) => `${name} (${[status, detail && plain(detail)].filter((word) => word).join(": ")})`,
    )
    .join(", ")}.`;
}

function taskLine({ tasks }: RunState): string {
  const done = tasks.filter(({ status }) => status !== "waiting" && status !== "working").length;
  return `Tasks: ${done} of ${tasks.length} done.`;
}

/** Commands as a Markdown list, with their help. */
export function commandList(verbs: readonly Verb[], on: Place = "issue"): string {
  return verbs.map((verb) => `- \`/magis ${formOf(verb)}\`: ${helpOf(verb, on)}`).join("\n");
}

/** A sentence that names commands, for the end of a comment. */
export function commandFoot(verbs: readonly Verb[]): string {
  return `Commands that work now: ${verbs.map((verb) => `\`/magis ${verb}\``).join(", ")}.`;
}
