import { workingCommands } from "../model/command.ts";
import { markers } from "../model/marks.ts";
import type { RunRequest } from "../model/run-request.ts";
import { initialState, type RunResult, type RunState } from "../model/run-state.ts";
import { type Budget, formatMoney, formatSpend } from "../model/spend.ts";
import type { IssueApi } from "../ports/code-host.ts";
import { codeSpan, fold, plain, prose } from "../text/compose-markdown.ts";
import { commandFoot, turnText, waitingText } from "./commands.ts";
import { endOfRun, shortfall } from "./end-of-run.ts";
import { added, followUpBlock } from "./follow-up.ts";

const BOX = { waiting: "[ ]", working: "[ ]", done: "[x]", stopped: "[ ]" } as const;

const TASK_WORDS = {
  waiting: "waiting",
  working: "being worked on",
  approved: "approved by QA",
  open: "open QA comments",
  unchanged: "no change needed",
  failed: "failed",
} as const;

/** The one comment that MAGIS keeps on the issue, as the run stands now. */
export function trackingComment(request: RunRequest, kept: RunState, budget: Budget): string {
  const state = kept.queued ? beforeItBegins(kept) : kept;
  const { result, resumed, queued } = state;
  return [
    markers.run(request.root),
    `### ${title(state)}`,
    state.note && prose(state.note),
    result && endOfRun(result, state.tasks, request.job),
    queued && turnText(queued.ahead),
    !result && state.waiting && waitingText(state.waiting),
    phases(state),
    result?.kind !== "awaiting-approval" && fold("The plan", tasks(state)),
    `**Cost${result ? "" : " so far"}:** ${formatSpend(state.spend)}. Limits of ${request.job ? "this job" : "a run"}: ${formatMoney(budget.money)}, ${budget.tokens.toLocaleString("en-US")} tokens, ${budget.minutes} minutes.${added(request)}`,
    state.followUps && state.followUps.length > 0 && followUpBlock(state.followUps),
    resumed > 0 &&
      `The process was stopped ${resumed === 1 ? "once" : `${resumed} times`} and took the run up again where it was.`,
    `<sub>Asked for by ${plain(request.actor)} with ${asked(request)}. ${foot(state, request.job)}</sub>`,
  ]
    .filter((part) => part)
    .join("\n\n");
}

/** Of the run that it goes on with, a run that waits for its turn tells what it keeps of that. */
function beforeItBegins({ queued, spend, pullRequest, followUps }: RunState): RunState {
  return {
    ...{ ...initialState(), spend },
    ...(queued && { queued }),
    ...(pullRequest && { pullRequest }),
    ...(followUps && { followUps }),
  };
}

/** The headline never says more than is true: what is missing or open stands in it. */
function title(state: RunState): string {
  const { result } = state;
  const lacking = result && ENDS_WITH_TASKS.has(result.kind) ? shortfall(state) : "";
  return `${heading(state)}${lacking && `: ${lacking}`}`;
}

/** The ends after which the state of the tasks says how good they are. */
const ENDS_WITH_TASKS: ReadonlySet<RunResult["kind"]> = new Set(["published", "dry-run", "nothing-to-change"]);

function heading({ result, pullRequest, queued }: RunState): string {
  if (queued) return "MAGIS will work on this issue when it is its turn";
  if (!result) return "MAGIS is working on this issue";
  switch (result.kind) {
    case "published":
      return `MAGIS opened pull request #${pullRequest?.number ?? result.pullRequest.number}`;
    case "nothing-to-change":
      return "MAGIS found nothing to change";
    case "asked":
      return "MAGIS has a question about this issue";
    case "gave-up":
      return "MAGIS could not resolve this issue";
    case "budget-reached":
      return "MAGIS stopped: the budget of this run is used up";
    case "awaiting-approval":
      return "MAGIS has made a plan and waits for your approval";
    case "dry-run":
      return `MAGIS has made a ${result.made === "plan" ? "plan" : "change"} and published nothing`;
    case "cancelled":
      return result.because ? `MAGIS stopped: the issue was ${result.because}` : "MAGIS was told to stop";
    case "refused":
      return "MAGIS did not start";
    case "failed":
      return "MAGIS had to stop";
  }
}

function phases({ phases }: RunState): string {
  return phases
    .map(({ name, status, detail }) => {
      const parts = [
        status === "working" && "working",
        status === "stopped" && "stopped here",
        detail && plain(detail),
      ];
      const said = parts.filter((word) => word).join("; ");
      return `- ${BOX[status]} **${name}**${said && `: ${said}`}`;
    })
    .join("\n");
}

function tasks({ tasks }: RunState): string {
  if (tasks.length === 0) return "";
  const rows = tasks.map(
    ({ id, path, title, status }) => `| ${id} | ${codeSpan(path)} | ${plain(title)} | ${TASK_WORDS[status]} |`,
  );
  return ["| task | file | what | state |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function asked({ trigger }: RunRequest): string {
  switch (trigger.kind) {
    case "label":
    case "unlabel":
      return `the label ${codeSpan(trigger.label)}`;
    case "command":
      return "`/magis resolve`";
    case "other-command":
      return `\`/magis ${trigger.command.verb}\``;
    case "comment":
      return "a comment";
    case "review":
      return "a review";
    case "checks":
      return "checks that failed";
    case "gone":
      return "what was done to it";
  }
}

function foot(state: RunState, job: string | undefined): string {
  if (job && !state.result) return `To end it, cancel [its job](${job}) in the Actions tab.`;
  const verbs = workingCommands(state, { inJob: job !== undefined });
  const hint = verbs.includes("resolve") ? " What follows `resolve` is a hint for the agents." : "";
  return `${commandFoot(verbs)}${hint}`;
}

/** Comments on an issue or pull request, unless the app's comment with that `marker`, which is part of `body`, is there. */
export async function sayOnce(
  host: Pick<IssueApi, "findOwnComment" | "createComment">,
  issue: number,
  marker: string,
  body: string,
): Promise<void> {
  if (!(await host.findOwnComment(issue, marker))) await host.createComment(issue, body);
}
