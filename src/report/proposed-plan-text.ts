import { formatMoney } from "../model/format-spend.ts";
import type { ProposedPlan } from "../model/proposed-plan.ts";
import type { PlanNode, Task } from "../model/task.ts";
import { codeSpan } from "../text/code-span.ts";
import { cutText } from "../text/cut-text.ts";
import { fold } from "../text/fold.ts";
import { plain } from "../text/plain.ts";
import { prose } from "../text/prose.ts";

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
    tasks.length > 1 && `**Order:** ${inWords(order)}.`,
    estimateInWords(estimate),
    `The plan is made for the commit ${codeSpan(base.commit.slice(0, 10))} of ${codeSpan(base.branch)}.`,
    fold("The tasks in full", prose(cutText(full, MAX_TASKS))),
    fold("The kick-off meeting", prose(cutText(speeches, MAX_MEETING))),
  ]
    .filter((part) => part)
    .join("\n\n");
}

/** `t1, then (t2 beside t3), then t4` */
function inWords(node: PlanNode, within = false): string {
  if ("run" in node) return node.run satisfies Task["id"];
  const [parts, link] = "sequence" in node ? [node.sequence, ", then "] : [node.concurrently, " beside "];
  const words = parts.map((part) => inWords(part, parts.length > 1)).join(link);
  return within && parts.length > 1 ? `(${words})` : words;
}

function estimateInWords({ least, most, perCall, calls, tasks }: ProposedPlan["estimate"]): string {
  const [from, to] = calls;
  const work = `${tasks === 1 ? "one task" : `${tasks} tasks`} of ${from} to ${to} calls${tasks === 1 ? "" : " each"}`;
  return `**Estimate:** ${formatMoney(least)} to ${formatMoney(most)} more. It is ${work}, depending on the rounds of review, and the words of the pull request, at the mean cost of this run's calls so far (${formatMoney(perCall)}); large files cost more.`;
}
