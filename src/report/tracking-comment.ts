import { workingCommands } from "../data/command.ts";
import { markers } from "../data/marks.ts";
import type { RunRequest } from "../data/run-request.ts";
import { initialState, type RunResult, type RunState, type TaskState } from "../data/run-state.ts";
import { shownPhases, statusOf } from "../data/run-status.ts";
import { type Budget, formatMoney, formatSpend } from "../data/spend.ts";
import type { CodeHost } from "../github/code-host.ts";
import { codeSpan, fold, paragraphs, plain, prose, webLink } from "../text/compose-markdown.ts";
import { figure } from "../text/counted.ts";
import { commandFoot, nowText, turnText, waitingText } from "./commands.ts";
import { pageSentence } from "./disclosure.ts";
import { endOfRun, shortfall } from "./end-of-run.ts";
import { added } from "./follow-up.ts";

const BOX = { waiting: "[ ]", working: "[ ]", done: "[x]", stopped: "[ ]" } as const;

const TASK_WORDS = {
  waiting: "waiting",
  working: "in progress",
  approved: "approved by QA",
  mended: "mended by QA",
  open: "not approved by QA",
  unchanged: "no change needed",
  failed: "failed",
} as const;

/** For a run that has ended. */
const LEFT_WORDS = { ...TASK_WORDS, waiting: "not begun", working: "not finished" } as const;

/** The one comment that MAGIS keeps on the issue: the run's state, and once it has ended little more than its end. */
export function trackingComment(request: RunRequest, kept: RunState, budget: Budget): string {
  const state = kept.queued ? beforeItBegins(kept) : kept;
  const parts = state.result ? ended(request, state, state.result) : atWork(request, state);
  return paragraphs(
    markers.run(request.root),
    `### ${title(state)}`,
    ...parts,
    `<sub>${foot(request, state, budget)}</sub>`,
  );
}

const OPENED = /^### MAGIS opened pull request #(\d{1,12})/m;

/** The pull request that a tracking comment says was opened. */
export function openedPull(body: string): number | undefined {
  const number = body.startsWith("<!-- magis:run ") ? OPENED.exec(body)?.[1] : undefined;
  return number === undefined ? undefined : Number(number);
}

type Parts = readonly (string | false | undefined)[];

function atWork({ requestedAt }: RunRequest, state: RunState): Parts {
  const { note, queued, waiting } = state;
  return [
    note && prose(note),
    nowText(statusOf(state, requestedAt)),
    queued && turnText(queued),
    waiting && waitingText(waiting),
    phases(state),
    fold("The plan", tasks(state)),
  ];
}

function ended({ job }: RunRequest, state: RunState, result: RunResult): Parts {
  const { note } = state;
  return [
    note && prose(note),
    endOfRun(result, state.tasks, job),
    IS_CUT_SHORT.has(result.kind) && fold("How far it got", [phases(state), tasks(state, LEFT_WORDS)].join("\n\n")),
  ];
}

/** For these ends people want to know how far the work had come. */
const IS_CUT_SHORT: ReadonlySet<RunResult["kind"]> = new Set(["gave-up", "budget-reached", "failed"]);

/** While a run is queued, it shows only what it keeps of the run that it continues. */
function beforeItBegins({ queued, spend, pullRequest, followUps }: RunState): RunState {
  return {
    ...initialState(),
    spend,
    queued,
    pullRequest,
    followUps,
  };
}

/** The headline never overstates: it says what is missing or open. */
function title(state: RunState): string {
  const { result } = state;
  const lacking = result && ENDS_WITH_TASKS.has(result.kind) ? shortfall(state) : "";
  return `${heading(state)}${lacking && `: ${lacking}`}`;
}

/** For these ends the state of the tasks says how good they are. */
const ENDS_WITH_TASKS: ReadonlySet<RunResult["kind"]> = new Set(["published", "dry-run", "nothing-to-change"]);

function heading({ result, pullRequest, queued }: RunState): string {
  if (queued) return "MAGIS will work on this issue when its turn comes";
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
      return "MAGIS stopped: its budget is used up";
    case "awaiting-approval":
      return "MAGIS has a plan and waits for your approval";
    case "dry-run":
      return `MAGIS made a ${result.made === "plan" ? "plan" : "change"} and published nothing`;
    case "cancelled":
      if (result.because === "shut-out") return "MAGIS stopped: it lost its access to the repository";
      return result.because ? `MAGIS stopped: the issue was ${result.because}` : "MAGIS was told to stop";
    case "refused":
      return "MAGIS did not start";
    case "failed":
      return "MAGIS had to stop";
  }
}

function phases(state: RunState): string {
  return shownPhases(state)
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

function tasks({ tasks }: RunState, words: Readonly<Record<TaskState["status"], string>> = TASK_WORDS): string {
  if (tasks.length === 0) return "";
  const rows = tasks.map(
    ({ id, path, title, status }) => `| ${id} | ${codeSpan(path)} | ${plain(title)} | ${words[status]} |`,
  );
  return ["| task | file | what | state |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

/** What started the run, with the options that it took. */
function asked({ trigger, options, settings }: RunRequest): string {
  const given = [...(options?.anyway ? ["anyway"] : []), ...(options?.given ?? [])].map((one) => ` ${one}`).join("");
  const within = settings?.alsoOnly && settings.only.length > 0 ? ", within the files that its settings allow" : "";
  switch (trigger.kind) {
    case "label":
      return ` with the label ${codeSpan(trigger.label)}`;
    case "command":
      return ` with ${codeSpan(`/magis resolve${given}`)}${within}`;
    case "other-command":
      return ` with ${codeSpan(`/magis ${trigger.command.verb}${given}`)}${within}`;
    case "comment":
      return "; it went on after a comment";
    default:
      // No other trigger begins work on an issue.
      return "";
  }
}

/** The cost, who asked for the run, and the commands that work now. */
function foot(request: RunRequest, state: RunState, budget: Budget): string {
  const { result, spend, resumed } = state;
  const { job } = request;
  const isLimited = !result || result.kind === "budget-reached";
  const limits = `Limits of ${job ? "this job" : "a run"}: ${formatMoney(budget.money)}, ${figure(budget.tokens, "token")}, ${figure(budget.minutes, "minute")}.`;
  const said = [
    `Cost${result ? "" : " so far"}: ${formatSpend(spend)}.`,
    isLimited && limits,
    added(request).trim(),
    pageSentence(request.page),
    `Asked for by ${plain(request.actor)}${asked(request)}.`,
    resumed > 0 &&
      `It was interrupted ${resumed === 1 ? "once" : `${resumed} times`} and went on where it had stopped.`,
    commandsNow(state, job),
  ];
  return said.filter((part) => part).join(" ");
}

function commandsNow(state: RunState, job: string | undefined): string {
  if (job && !state.result) return `To stop it, cancel ${webLink("its job", job)} in the Actions tab.`;
  // Nobody is heard on an issue that is closed, locked or gone.
  if (state.result?.kind === "cancelled" && state.result.because) return "";
  const verbs = workingCommands(state, { inJob: job !== undefined });
  const hint = verbs.includes("resolve") ? " Words after `resolve` are a hint for the agents." : "";
  return `${commandFoot(verbs)}${hint}`;
}

/** Comments on an issue or pull request, unless the app already did with that `marker`, which is part of `body`. */
export async function sayOnce(
  host: Pick<CodeHost, "findOwnComment" | "createComment">,
  issue: number,
  marker: string,
  body: string,
): Promise<void> {
  if (!(await host.findOwnComment(issue, marker))) await host.createComment(issue, body);
}
