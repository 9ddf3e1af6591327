import { markers } from "../data/marks.ts";
import type { RunRequest } from "../data/run-request.ts";
import type { FollowUp, RunResult, RunState } from "../data/run-state.ts";
import { formatMoney } from "../data/spend.ts";
import { codeSpan, plain, webLink } from "../text/compose-markdown.ts";
import { beginning, counted, ended } from "../text/counted.ts";
import { stopSentence } from "./end-of-run.ts";

/** The most lines shown; earlier ones are summed up. */
const MAX_LINES = 20;

/**
 * Later work on the pull request and what is still open: a table and a sentence, between marks for replacing them.
 * `inAll`: US dollars that all runs on the issue and the pull request have cost.
 */
export function followUpBlock(followUps: readonly FollowUp[], inAll: number): string {
  const open = followUps.at(-1)?.open ?? 0;
  const shown = followUps.slice(-MAX_LINES);
  const hidden = followUps.slice(0, -MAX_LINES);
  const rows = shown.map(
    ({ what, outcome, money }) => `| ${plain(what)} | ${plain(outcome)} | ${formatMoney(money)} |`,
  );
  const total = formatMoney(sumOf(followUps));
  const earlier = hidden.length > 0 && `| ${hidden.length} earlier | | ${formatMoney(sumOf(hidden))} |`;
  const lines = ["| what | what came of it | cost |", "| --- | --- | ---: |", earlier, ...rows].filter((line) => line);
  const verb = open === 1 ? "is" : "are";
  const threads =
    open === 0
      ? "All review threads are resolved."
      : `${beginning(counted(open, "review thread"))} ${verb} unresolved.`;
  const cost = `This cost ${total}, and all runs on the issue and this pull request ${formatMoney(inAll)}.`;
  const { begin, end } = markers.followUps;
  return `${begin}\n## After it was opened\n\n${lines.join("\n")}\n\n${threads} ${cost}\n${end}`;
}

const sumOf = (followUps: readonly FollowUp[]) => followUps.reduce((sum, { money }) => sum + money, 0);

const MAX_GRANTS = 10;

/** Who added money to the budget, without mentioning anybody. */
export function added({ grants }: RunRequest): string {
  if (grants.length === 0) return "";
  const shown = grants.slice(-MAX_GRANTS).map(({ by, money }) => `${formatMoney(money)} by ${plain(by)}`);
  const earlier = grants.length > MAX_GRANTS ? ["earlier ones"] : [];
  return ` Added with \`/magis continue\`: ${[...earlier, ...shown].join(", ")}.`;
}

const WHAT: Readonly<Record<string, string>> = {
  revise: "The work on your review",
  repair: "The repair of the checks",
  update: "The merge of the base",
};

function again({ work, job }: RunRequest, result: RunResult): string {
  if ((result.kind === "cancelled" && result.because) || !Object.hasOwn(WHAT, work.kind)) return "";
  if (work.kind === "repair") return "A review comment that says what to do is welcome.";
  if (work.kind === "update") return "I try again when the base moves on, three times at most.";
  return `For what is still unanswered, comment \`/magis ${job ? "resolve" : "retry"}\` or add a comment here.`;
}

/**
 * The only comment on the pull request about a follow-up run that did not end well, in a sentence. Undefined while the
 * run works, and when it ended well: then its commit and answers speak for it.
 */
export function followUpNote(request: RunRequest, { result, batch, spend }: RunState): string | undefined {
  const { id, work } = request;
  if (
    work.kind === "revise" &&
    work.because === "command" &&
    result?.kind === "nothing-to-change" &&
    result.reason === "answered"
  ) {
    return `${markers.run(id)}\nNothing on this pull request is waiting for me.`;
  }
  // A comment of their own says why.
  const isAnswered = work.kind === "update" && result?.kind === "gave-up";
  // Nobody asked, and the next push would have it said again.
  if (work.kind === "update" && result?.kind === "refused") return undefined;
  const why = result && !isAnswered && sentence(result, request.job);
  if (!why) return undefined;
  const marks = [markers.run(id), ...(batch && batch.length > 0 ? [markers.unanswered(batch)] : [])];
  // A commit's checks are handled only once, whatever the outcome.
  if (work.kind === "repair") marks.push(markers.checks, markers.checked(work.head));
  if (work.kind === "update") marks.push(markers.updateFailed);
  const said = [WHAT[work.kind] ?? "This run", why, again(request, result)];
  return `${marks.join("\n")}\n${said.join(" ").trim()}\n\n<sub>Cost: ${formatMoney(spend.money)}.${added(request)}</sub>`;
}

function sentence(result: RunResult, job: string | undefined): string | undefined {
  switch (result.kind) {
    case "failed":
      return `had to stop: ${ended(plain(result.message))} ${job ? webLink("The job", job) : "The bot's log"} has the details (\`${result.code}\`).`;
    case "budget-reached":
      return "reached its budget before everything was done.";
    case "cancelled":
      return result.because
        ? `has stopped. ${stopSentence(result.because, result.by, "pull request")}`
        : `was cancelled by ${plain(result.by)}.`;
    case "refused":
      return `could not begin. ${ended(plain(result.reason))}`;
    case "gave-up":
      return `could not be done: ${ended(plain(result.reason))}`;
    default:
      return undefined;
  }
}

/**
 * Replaces the block about follow-ups in a text of the bot, or appends it. Everything else stays, including people's
 * edits. When somebody removed the mark at its end, the block ends at the next blank line.
 */
export function replaceBlock(text: string, block: string): string {
  const { begin, end } = markers.followUps;
  const start = text.indexOf(begin);
  if (start < 0) return `${text.trimEnd()}\n\n${block}\n`;
  const last = text.indexOf(end, start);
  const blank = text.indexOf("\n\n", start);
  const cut = blank >= 0 ? blank : text.length;
  const after = last >= 0 ? last + end.length : cut;
  return text.slice(0, start) + block + text.slice(after);
}

/** Posted once on the pull request when a person has committed to its branch. */
export function stepBackNote(pullRequest: number, author: string): string {
  return `${markers.steppedBack(pullRequest)}\n${plain(author)} has committed to this branch, so I leave it to you and change nothing here by myself. Comment \`/magis resolve\` if you want me to work on what is open.`;
}

/** Says that a bot's reviews are no longer answered. */
export function roundsNote(bot: string, marker: string): string {
  return `${marker}\nI have answered ${codeSpan(bot)} on three commits, and leave what it says from now on to people. Comment \`/magis resolve\` if you want me to work on it.`;
}

/** Posted once on the issue when its pull request was merged into another branch: GitHub then closes nothing. */
export function landedNote({ number, base }: { number: number; base: string }): string {
  return `${markers.landed(number)}\n\n#${number} was merged into ${codeSpan(base)}, which is not the default branch, so this issue stays open. Close it when that is enough.`;
}

/** Days between the question about a draft and its end. */
export const DAYS_TO_ANSWER = 7;

/** Posted once on a draft of the bot on which nobody has said anything for that many days. */
export function staleQuestion(pullRequest: number, days: number): string {
  const quiet = counted(days, "day");
  return `${markers.stale(pullRequest)}\nNobody has said anything here for ${quiet}. Is this draft still wanted? Any comment keeps it open; without one, I will close it in ${counted(DAYS_TO_ANSWER, "day")} and delete its branch.`;
}

/** Posted once on the issue when the bot closes its draft. */
export function staleClosedNote(pullRequest: number): string {
  return `${markers.staleClosed(pullRequest)}\nI am closing my draft #${pullRequest} and deleting its branch: nobody has answered there. Comment \`/magis resolve\` here if you want me to start again.`;
}
