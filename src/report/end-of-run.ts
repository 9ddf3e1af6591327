import type { ProposedPlan } from "../data/plan.ts";
import type { Left, RunResult, RunState, StopReason, TaskState } from "../data/run-state.ts";
import { formatMoney } from "../data/spend.ts";
import { MAX_THREADS } from "../data/work.ts";
import {
  codeBlock,
  codeSpan,
  cutText,
  fold,
  paragraphs,
  plain,
  prose,
  quoted,
  webLink,
} from "../text/compose-markdown.ts";
import { beginning, counted, ended, figure } from "../text/counted.ts";
import { orderSentence } from "./pull-request-body.ts";

/** Longer patches are not shown in the comment: GitHub's limit is 65,536 characters. */
const MAX_PATCH = 45_000;

const LIMIT_WORDS = { money: "Its money", tokens: "Its tokens", minutes: "Its time" } as const;

/** For open tasks without open comments: their review failed, or was left out. */
const UNREVIEWED = "not all of it was reviewed";

/** Whether a task is missing from the change: it failed, or was not finished. */
const isMissing = ({ status }: TaskState) => status === "failed" || status === "waiting" || status === "working";

/** What an ended run lacks, in a few words for a headline; "" when it lacks nothing. */
export function shortfall({ tasks, result }: Pick<RunState, "tasks" | "result">): string {
  if (result?.kind === "dry-run" && result.made === "plan") return "";
  const [missing, open] = [tasks.filter(isMissing).length, tasks.filter(({ status }) => status === "open").length];
  const threads = result?.kind === "published" ? result.openThreads : 0;
  const comments = result?.kind === "dry-run" ? result.openComments : threads;
  return [
    missing > 0 && `${missing} of ${figure(tasks.length, "task")} failed`,
    comments > 0 && openCommentsWords(comments),
    comments === 0 && open > 0 && UNREVIEWED,
    result?.kind === "published" && result.withheld !== undefined && "only the test of the change is in it",
    result?.kind === "published" && result.proof?.failed !== undefined && "its checks failed",
    result?.kind === "dry-run" && result.check === "red" && "the check fails",
  ]
    .filter((part) => part)
    .join(", ");
}

/** The tasks missing from the change, each with its file; "" for none. */
function missingTasks(tasks: readonly TaskState[]): string {
  const missing = tasks.filter(isMissing);
  if (missing.length === 0) return "";
  const files = missing.map(({ id, path }) => `${id} (${codeSpan(path)})`).join(", ");
  return ` **Missing:** ${files}, so it does not resolve the whole issue.`;
}

/** How a run ended, and what is kept of it: nothing when it ended with its `job` (the job's page). */
export function endOfRun(result: RunResult, tasks: readonly TaskState[] = [], job?: string): string {
  switch (result.kind) {
    case "published":
      return `${published(result, shortfall({ tasks, result }))}${missingTasks(tasks)}`;
    case "nothing-to-change":
      return `Nothing was changed.${takenBack(result.undone, "")} The agents' reason:\n\n${quoted(result.reason)}`;
    case "asked":
      return asked(result, job);
    case "gave-up":
      return `${takenBack(result.undone).trim()} What stood in the way:\n\n${quoted(result.reason)}`;
    case "budget-reached":
      return budgetReached(result, job);
    case "awaiting-approval":
      return awaitingApproval(result);
    case "dry-run":
      return `${dryRun(result, shortfall({ tasks, result }))}${job ? ` ${webLink("The job", job)} shows it in its summary.` : ""}${result.made === "patch" ? missingTasks(tasks) : ""}`;
    case "cancelled":
      return cancelled(result, job);
    case "refused":
      return `${ended(plain(result.reason))} ${result.paid ? "Nothing was changed." : "Nothing was spent or changed."}`;
    case "failed":
      return `${ended(plain(result.message))}${takenBack(result.undone, "")}${staying(result)}\n\nNothing more happens by itself. ${whereDetailsAre(result.code, job)}`;
  }
}

/** Lists what was taken back, in a sentence after others; `none` when nothing was published. */
const takenBack = (undone: readonly string[] = [], none = " Nothing was written to the repository.") =>
  undone.length === 0 ? none : ` Taken back: ${undone.join(", ")}.`;

const staying = ({ stays }: Extract<RunResult, { kind: "failed" }>) =>
  stays ? ` [Pull request #${stays.number}](${stays.url}) stays open with the change.` : "";

function awaitingApproval({ plan, renewed }: Extract<RunResult, { kind: "awaiting-approval" }>): string {
  return paragraphs(
    renewed && plain(renewed),
    "Nothing is written to the repository until somebody with write access comments `/magis approve`. To change the plan, say in a comment what should be different.",
    proposedPlanText(plan),
  );
}

const whereDetailsAre = (code: string, job: string | undefined) =>
  job
    ? `${webLink("The job", job)} has the details in its log (\`${code}\`).`
    : `The bot's log has the details (\`${code}\`).`;

function asked({ questions, reason }: Extract<RunResult, { kind: "asked" }>, job: string | undefined): string {
  const list = questions.map((question, at) => `${at + 1}. ${plain(question)}`).join("\n");
  const how = job
    ? "If you wrote this issue or maintain this repository, please answer in a comment. Somebody with write access can then start again with `/magis resolve`."
    : "If you wrote this issue or maintain this repository, please answer in a comment; the work then goes on.";
  return `The issue and the code leave this open:\n\n${list}\n\n${how} Nothing was written to the repository. What was found so far:\n\n${quoted(reason)}`;
}

function cancelled(
  { by, undone, because }: Extract<RunResult, { kind: "cancelled" }>,
  job: string | undefined,
): string {
  const taken = takenBack(undone).trim();
  const why = because ? stopSentence(because, by) : `${plain(by)} cancelled this run.`;
  const next = because ? AFTER[because] : "";
  if (next === undefined) return `${why} ${taken}`;
  if (because === "transferred") return `${why} ${taken} ${next}`;
  if (job) return `${why} ${taken} \`/magis resolve\` starts again${next}.`;
  return `${why} ${taken} What was found out so far is kept; \`/magis retry\` goes on from there${next}.`;
}

/** What has to happen before a stopped run can go on; undefined where nothing ever goes on. */
const AFTER: Readonly<Record<StopReason, string | undefined>> = {
  closed: ", once the issue is open again",
  locked: ", once the issue is no longer locked",
  transferred: "I cannot go on from here: where I am installed, `/magis resolve` on the transferred issue begins anew.",
  "shut-out": ", once it has access again",
  merged: undefined,
  deleted: undefined,
};

/** Why a run was stopped by an event on its issue or pull request; `by` is "" when nobody knows who did it. */
export function stopSentence(because: StopReason, by: string, what = "issue"): string {
  if (because === "shut-out") return "The app lost its access to the repository.";
  return by === "" ? `The ${what} was ${because} in the meantime.` : `${plain(by)} ${because} the ${what}.`;
}

function published(
  { pullRequest, openThreads, checked = "", proof, withheld, left }: Extract<RunResult, { kind: "published" }>,
  lacking: string,
): string {
  if (withheld !== undefined) {
    const said = plain(proof?.said ?? "");
    return `Only the test of the change is in [the pull request](${pullRequest.url}); the change itself was not pushed. ${said} ${WITHHELD}\n\n${patchOf(withheld, "The change")}`;
  }
  const place = openThreads > MAX_THREADS ? "review" : "review threads";
  const qa = openThreads > 0 ? `${openCommentsWords(openThreads)} (see the ${place}).` : verdict(lacking);
  const tested = plain(proof?.said ?? checked) || "Not tested: MAGIS itself runs no code.";
  // This comment is not written again when the pull request is merged or its checks end later.
  const stands = isOver(left) ? `has the change and was ${left}` : "has the change and shows how it stands now";
  return `${webLink("The pull request", pullRequest.url)} ${stands}. When this run ended: ${qa} ${tested}`;
}

/** How to get a change that is not in its pull request. */
export const WITHHELD = "`/magis retry` publishes the change in a new pull request.";

export const isOver = (left: Left | undefined): left is Exclude<Left, "pushed"> =>
  left !== undefined && left !== "pushed";

function dryRun({ made, openComments: open, check }: Extract<RunResult, { kind: "dry-run" }>, lacking: string): string {
  if (made === "plan") return "The plan is ready. Nothing was written to the repository.";
  const qa = open > 0 ? `${openCommentsWords(open)}.` : verdict(lacking);
  return `The change is ready as a patch and was not published. ${beginning(qa)} ${check === undefined ? "No test was run." : CHECKED[check]}`;
}

const CHECKED = {
  green: "The check passes with it.",
  red: "**The check fails with it.**",
  unknown: "The check gave no result for it.",
} as const;

const verdict = (lacking: string) =>
  lacking.includes(UNREVIEWED)
    ? "not all of it was reviewed."
    : "the QA Engineers reviewed it and have no open comment.";

/** `one review comment is open` */
export const openCommentsWords = (open: number) =>
  `${counted(open, "review comment")} ${open === 1 ? "is" : "are"} open`;

const patchOf = (patch: string, what: string, job?: string) =>
  patch.length > MAX_PATCH
    ? `${what} is too long to show here${job ? "" : "; the run's record keeps it"}.`
    : fold(`${what}, as a patch for <code>git apply</code>`, codeBlock(patch, "diff"));

function budgetReached(
  { limit, phase, patch, finished, unfinished, undone }: Extract<RunResult, { kind: "budget-reached" }>,
  job: string | undefined,
): string {
  const list = (items: readonly string[]) => items.map((item) => `- ${plain(item)}`).join("\n");
  const kept = patch === "" ? "No change was finished." : patchOf(patch, "What was finished", job);
  return paragraphs(
    `${LIMIT_WORDS[limit]} ran out in the phase **${phase}**.${takenBack(undone)}`,
    finished.length > 0 && `Finished:\n\n${list(finished)}`,
    unfinished.length > 0 && `Not finished:\n\n${list(unfinished)}`,
    kept,
    job ? MORE_IN_JOB[limit] : MORE,
  );
}

const MORE =
  "What was found out is kept and not paid for again. `/magis continue` goes on from there with the same budget again, `/magis continue +2` with 2 US dollars more.";

const forIssue = (name: string) =>
  `This limit is for all jobs on this issue together. Raise ${name} in the workflow, then comment \`/magis resolve\` to start again.`;

const MORE_IN_JOB = {
  money: forIssue("`budget`"),
  tokens: forIssue("`MAGIS_BUDGET_TOKENS`"),
  minutes: "Raise `MAGIS_BUDGET_MINUTES` in the workflow, then comment `/magis resolve` to start again.",
} as const;

/** Characters for each part, so that the whole comment stays below GitHub's 65,536. */
const MAX_TABLE = 12_000;

const MAX_TASKS = 18_000;

const MAX_MEETING = 24_000;

/** A plan that waits for approval: tasks with files, their order, the meeting, the cost. */
export function proposedPlanText({ tasks, order, meeting, estimate, base }: ProposedPlan): string {
  const rows = tasks.map(
    ({ id, path, action, title }) => `| ${id} | ${codeSpan(path)} | ${action} | ${plain(title)} |`,
  );
  const table = ["| task | file | action | what |", "| --- | --- | --- | --- |", ...rows].join("\n");
  const full = tasks.map(({ id, title, description }) => `**${id}: ${plain(title)}**\n\n${description}`).join("\n\n");
  const speeches = meeting.map(({ speaker, text }) => `**${plain(speaker)}:**\n\n${text}`).join("\n\n");
  return paragraphs(
    cutText(table, MAX_TABLE),
    tasks.length > 1 && `**Order:** ${orderSentence(order, (id) => id)}.`,
    estimateText(estimate),
    `The plan is made for commit ${codeSpan(base.commit.slice(0, 10))} of ${codeSpan(base.branch)}.`,
    fold("The tasks in full", prose(cutText(full, MAX_TASKS))),
    fold("The kick-off meeting", prose(cutText(speeches, MAX_MEETING))),
  );
}

function estimateText({ least, most, perCall, calls, tasks }: ProposedPlan["estimate"]): string {
  const [from, to] = calls;
  const work = `${counted(tasks, "task")} of ${from} to ${figure(to, "call")}${tasks === 1 ? "" : " each"}`;
  return `**Estimate:** ${formatMoney(least)} to ${formatMoney(most)} more. That is ${work}, depending on the rounds of review, at what a call of the Manager has cost so far on average (${formatMoney(perCall)}). Large files cost more.`;
}

const TESTS: Readonly<Record<string, string>> = {
  "right-red": "the new tests fail without the rest of the change, as they should",
  "not-red": "the new tests pass without the rest of the change too, so they show nothing",
  "other-red": "without the rest of the change, the new tests fail for another reason than their assertions",
};

function endWord(end: string): string {
  if (end === "green") return "passes";
  return end === "red" ? "fails" : "came to no verdict";
}

/** A check as the record keeps it. */
interface ShownCheck extends Readonly<Record<"command" | "base" | "end", string>> {
  tests?: string;
  rounds: number;
}

/** How a check ended, in a sentence. */
export function checkSentence({ command, base, tests, end, rounds }: ShownCheck): string {
  const name = `check \`${command}\``;
  if (base !== "green") {
    const why = base === "red" ? "fails without the change too" : "came to no verdict without the change";
    return `${name} ${why}, so it says nothing about it`;
  }
  const after = rounds === 0 ? "" : ` after ${counted(rounds, "round")} of repair`;
  return [`${name} ${endWord(end)}${after}`, tests && TESTS[tests]].filter((part) => part).join("; ");
}
