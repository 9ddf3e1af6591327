import type { PlanNode, ProposedPlan, Task } from "../model/plan.ts";
import type { RunResult, RunState, StopReason, TaskState } from "../model/run-state.ts";
import { formatMoney } from "../model/spend.ts";
import { MAX_THREADS } from "../model/work.ts";
import { codeBlock, codeSpan, cutText, fold, plain, prose } from "../text/compose-markdown.ts";
import { neutraliseMentions } from "../text/neutralise.ts";

/** A patch longer than this is not shown in the comment: GitHub's limit is 65,536 characters. */
const MAX_PATCH = 45_000;

const LIMIT_WORDS = { money: "money", tokens: "tokens", minutes: "time" } as const;

/** Tasks that are missing from a change: no usable change came out, or they were not finished. */
const isMissing = ({ status }: TaskState) => status === "failed" || status === "waiting" || status === "working";

/** What keeps an ended run from being all that was wanted, in a few words for a headline; "" for nothing. */
export function shortfall({ tasks, result }: Pick<RunState, "tasks" | "result">): string {
  if (result?.kind === "dry-run" && result.made === "plan") return "";
  const [missing, open] = [tasks.filter(isMissing).length, tasks.filter(({ status }) => status === "open").length];
  const threads = result?.kind === "published" ? result.openThreads : 0;
  const comments = result?.kind === "dry-run" ? result.openComments : threads;
  return [
    missing > 0 && `${missing} of ${tasks.length === 1 ? "1 task" : `${tasks.length} tasks`} failed`,
    comments > 0 && `QA left ${comments === 1 ? "one comment" : `${comments} comments`} open`,
    comments === 0 && open > 0 && "QA is not satisfied",
    result?.kind === "published" && result.proof?.failed !== undefined && "its checks fail",
    result?.kind === "dry-run" && result.check === "red" && "the check fails",
  ]
    .filter((part) => part)
    .join(", ");
}

/** The tasks that are missing from what was published or made, each with its file; "" for none. */
function missingTasks(tasks: readonly TaskState[]): string {
  const missing = tasks.filter(isMissing);
  if (missing.length === 0) return "";
  const files = missing.map(({ id, path }) => `${id} (${codeSpan(path)})`).join(", ");
  return ` **Missing from it:** ${files}. The issue is not resolved by it as a whole.`;
}

/** The end state in plain words, with what was kept: of a run that ended with its `job` (its page), nothing is. */
export function endOfRun(result: RunResult, tasks: readonly TaskState[] = [], job?: string): string {
  switch (result.kind) {
    case "published":
      return `${published(result, shortfall({ tasks, result }))}${missingTasks(tasks)}`;
    case "nothing-to-change":
      return `No file was changed and nothing was written to the repository. Why, in the agents' words:\n\n${quoted(result.reason)}`;
    case "asked":
      return asked(result, job);
    case "gave-up":
      return `Nothing was written to the repository. What stood in the way:\n\n${quoted(result.reason)}`;
    case "budget-reached":
      return budgetReached(result, job);
    case "awaiting-approval":
      return awaitingApproval(result);
    case "dry-run":
      return `${dryRun(result, shortfall({ tasks, result }))}${job ? ` [The job](${job}) shows it in its summary.` : ""}${result.made === "patch" ? missingTasks(tasks) : ""}`;
    case "cancelled":
      return cancelled(result, job);
    case "refused":
      return `${plain(result.reason)} Nothing was spent and nothing was changed.`;
    case "failed":
      return `${plain(result.message)}\n\nNothing more will happen by itself. The cost is below. ${whereDetailsAre(result.code, job)}`;
  }
}

function awaitingApproval({ plan, renewed }: Extract<RunResult, { kind: "awaiting-approval" }>): string {
  return [
    renewed && plain(renewed),
    "Nothing is written to the repository before somebody with write access comments `/magis approve`. To change the plan, say in a comment what should be different; it is then made again.",
    proposedPlanText(plan),
  ]
    .filter((part) => part)
    .join("\n\n");
}

const whereDetailsAre = (code: string, job: string | undefined) =>
  job ? `[The job](${job}) has the log (\`${code}\`).` : `For the details, search the log for \`${code}\`.`;

function asked({ questions, reason }: Extract<RunResult, { kind: "asked" }>, job: string | undefined): string {
  const list = questions.map((question, at) => `${at + 1}. ${plain(question)}`).join("\n");
  const how = job
    ? "Answer in a comment, if you wrote this issue or maintain this repository. Whoever has write access then comments `/magis resolve`, which begins anew with the answer."
    : "Answer in a comment, if you wrote this issue or maintain this repository: the work then goes on.";
  return `What should come of this cannot be told from the issue and the code:\n\n${list}\n\n${how} Nothing was written to the repository. What was found so far:\n\n${quoted(reason)}`;
}

function cancelled(
  { by, undone, because }: Extract<RunResult, { kind: "cancelled" }>,
  job: string | undefined,
): string {
  const taken = undone.length === 0 ? "Nothing was written to the repository." : `Taken back: ${undone.join(", ")}.`;
  const why = because ? stopSentence(because, by) : `${plain(by)} cancelled this run.`;
  const again = because === "closed" || because === "locked" ? ", once the issue is open again" : "";
  if (job) return `${why} ${taken} \`/magis resolve\` begins anew${again}.`;
  return `${why} ${taken} What the agents have found out so far is kept: \`/magis retry\` goes on from there${again}.`;
}

/** What was done to the issue or pull request while a run was about it; `by` is "" where nobody has told. */
export function stopSentence(because: StopReason, by: string, what = "issue"): string {
  return by === "" ? `The ${what} was ${because} meanwhile.` : `${plain(by)} ${because} the ${what} meanwhile.`;
}

function published(
  { pullRequest, openThreads, checked = "No test was run.", proof }: Extract<RunResult, { kind: "published" }>,
  lacking: string,
): string {
  const place = openThreads > MAX_THREADS ? "review" : "review threads";
  const qa = openThreads > 0 ? `${openComments(openThreads)}: see the ${place}.` : verdict(lacking);
  const run = plain(proof === undefined ? checked : proof.said);
  return `The change is in #${pullRequest.number} and waits for your review. ${qa} ${run}`;
}

function dryRun({ made, openComments: open, check }: Extract<RunResult, { kind: "dry-run" }>, lacking: string): string {
  if (made === "plan") return "The plan is made. Nothing was written.";
  const qa = open > 0 ? `${openComments(open)}.` : verdict(lacking);
  return `The change is made as a patch and was published nowhere. ${qa} ${check === undefined ? "No test was run." : CHECKED[check]}`;
}

const CHECKED = {
  green: "The check passes with it.",
  red: "**The check fails with it.**",
  unknown: "The check says nothing of it.",
} as const;

const verdict = (lacking: string) => (lacking.includes("QA") ? "QA is not satisfied with all of it." : NO_COMMENT);

const NO_COMMENT = "The QA Engineers have no open comment.";

const openComments = (open: number) => `The QA Engineers left ${open === 1 ? "one comment" : `${open} comments`} open`;

function budgetReached(
  { limit, phase, patch, finished, unfinished }: Extract<RunResult, { kind: "budget-reached" }>,
  job: string | undefined,
): string {
  const list = (items: readonly string[]) => items.map((item) => `- ${plain(item)}`).join("\n");
  const kept =
    patch === ""
      ? "No change was finished before that."
      : patch.length > MAX_PATCH
        ? `The finished part of the change is too long to be shown here${job ? "" : "; it is kept in the run's record"}.`
        : fold("The finished part of the change, as a patch for <code>git apply</code>", codeBlock(patch, "diff"));
  return [
    `The run used up its ${LIMIT_WORDS[limit]} in the phase **${phase}**. Nothing was written to the repository.`,
    finished.length > 0 && `Finished:\n\n${list(finished)}`,
    unfinished.length > 0 && `Not finished:\n\n${list(unfinished)}`,
    kept,
    job ? MORE_IN_JOB[limit] : MORE,
  ]
    .filter((part) => part)
    .join("\n\n");
}

const MORE =
  "What the agents have found out is kept and is not paid for again: `/magis continue` goes on from there with as much again as a run may cost, `/magis continue +2` with 2 US dollars more.";

const forIssue = (name: string) =>
  `The limit is for this issue, all its jobs together: with a higher ${name} in the workflow, \`/magis resolve\` begins anew.`;

const MORE_IN_JOB = {
  money: forIssue("`budget`"),
  tokens: forIssue("`MAGIS_BUDGET_TOKENS`"),
  minutes: "With a higher `MAGIS_BUDGET_MINUTES` in the workflow, `/magis resolve` begins anew.",
} as const;

const quoted = (text: string) =>
  neutraliseMentions(text)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

/** Characters for each part, so that the whole comment stays below GitHub's 65,536. */
const MAX_TABLE = 12_000;

const MAX_TASKS = 18_000;

const MAX_MEETING = 24_000;

/** A plan that waits for approval: tasks with files, their order, what was said in the meeting, what it may cost. */
export function proposedPlanText({ tasks, order, meeting, estimate, base }: ProposedPlan): string {
  const rows = tasks.map(
    ({ id, path, action, title }) => `| ${id} | ${codeSpan(path)} | ${action} | ${plain(title)} |`,
  );
  const table = ["| task | file | action | what |", "| --- | --- | --- | --- |", ...rows].join("\n");
  const full = tasks.map(({ id, title, description }) => `**${id}: ${plain(title)}**\n\n${description}`).join("\n\n");
  const speeches = meeting.map(({ speaker, text }) => `**${plain(speaker)}:**\n\n${text}`).join("\n\n");
  return [
    cutText(table, MAX_TABLE),
    tasks.length > 1 && `**Order:** ${orderText(order)}.`,
    estimateText(estimate),
    `The plan is made for the commit ${codeSpan(base.commit.slice(0, 10))} of ${codeSpan(base.branch)}.`,
    fold("The tasks in full", prose(cutText(full, MAX_TASKS))),
    fold("The kick-off meeting", prose(cutText(speeches, MAX_MEETING))),
  ]
    .filter((part) => part)
    .join("\n\n");
}

/** `t1, then (t2 beside t3), then t4` */
function orderText(node: PlanNode, within = false): string {
  if ("run" in node) return node.run satisfies Task["id"];
  const [parts, link] = "sequence" in node ? [node.sequence, ", then "] : [node.concurrently, " beside "];
  const text = parts.map((part) => orderText(part, parts.length > 1)).join(link);
  return within && parts.length > 1 ? `(${text})` : text;
}

function estimateText({ least, most, perCall, calls, tasks }: ProposedPlan["estimate"]): string {
  const [from, to] = calls;
  const work = `${tasks === 1 ? "one task" : `${tasks} tasks`} of ${from} to ${to} calls${tasks === 1 ? "" : " each"}`;
  return `**Estimate:** ${formatMoney(least)} to ${formatMoney(most)} more. It is ${work}, depending on the rounds of review, and the words of the pull request, at the mean cost of the Manager's calls so far (${formatMoney(perCall)}); large files cost more.`;
}

const TESTS: Readonly<Record<string, string>> = {
  "right-red": "the new tests fail without the rest of the change, as they should",
  "not-red": "the new tests pass without the rest of the change: they show nothing",
  "other-red": "the new tests alone fail for another reason than their assertions",
};

/** As a record keeps it. */
interface ShownCheck extends Readonly<Record<"command" | "base" | "end", string>> {
  readonly tests?: string;
  readonly rounds: number;
}

/** How a check ended, in words for people. */
export function checkSentence({ command, base, tests, end, rounds }: ShownCheck): string {
  const name = `check \`${command}\``;
  if (base !== "green") {
    const why = base === "red" ? "it fails without the change too" : "it came to no verdict without the change";
    return `${name}: ${why}, so it says nothing`;
  }
  const after = rounds === 0 ? "" : ` after ${rounds === 1 ? "one round" : `${rounds} rounds`} of repair`;
  const word = end === "green" ? "passes" : end === "red" ? "fails" : "came to no verdict";
  return [`${name} ${word}${after}`, tests && TESTS[tests]].filter((part) => part).join("; ");
}
