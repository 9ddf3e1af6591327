import type { MadePlan, PlanNode, Task } from "../data/plan.ts";
import { formatMoney, type Spend } from "../data/spend.ts";
import { type TaskOutcome, type Writer, wasReviewed } from "../data/work.ts";
import { codeSpan, fold, paragraphs, plain, prose } from "../text/compose-markdown.ts";
import { disclosureLine, type Making, pageSentence } from "./disclosure.ts";

/** How a commit was made, which decides whether GitHub shows it as verified. */
export type CommitWay =
  | "signed by GitHub"
  | "signed by GitHub, through the API alone"
  | "pushed, unsigned"
  | "pushed in a person's name";

export interface PullRequestDescription {
  problem: string;
  solution: string;
  /** the repository's filled-in template, or "" */
  template: string;
}

/** How a change names its issue. */
export function referenceOf({
  plan,
  outcomes,
  staysOpen = false,
}: Pick<PullRequestContent, "plan" | "outcomes" | "staysOpen">): Reference {
  if (!isWhole(plan, outcomes)) return "Part of";
  return staysOpen ? "For" : "Fixes";
}

/** GitHub closes the issue for `Fixes` alone, and only when the merge is into the default branch. */
export type Reference = "Fixes" | "For" | "Part of";

export interface PullRequestContent {
  marker: string;
  issue: number;
  /** a merge closes no issue, since it is into another branch than the default one */
  staysOpen?: boolean;
  description: PullRequestDescription;
  plan: MadePlan;
  outcomes: readonly TaskOutcome[];
  cost: RunCost;
  making: Making;
  commitWay: CommitWay;
  /** how the change was tested, or why not, from `proofBlock` */
  proof: string;
  /** that the issue was edited meanwhile, in a sentence or two */
  edited?: string | undefined;
  /** generated files that may be out of date, a sentence each */
  stale?: readonly string[];
  /** variants of the issue's example that the review did not check */
  unfollowed?: readonly string[];
  /** address of the run's page on the dashboard */
  page?: string | undefined;
  /** the bot, by default, also reads replies; a person published from the command line */
  publishedBy?: "bot" | "person";
}

/** What a run cost, in all and by role. */
interface RunCost {
  spend: Spend;
  byRole: readonly RoleSpend[];
  /** US dollars that all runs on the issue have cost */
  inAll: number;
}

/** The cost of one role's calls. */
export interface RoleSpend {
  role: string;
  calls: number;
  tokens: number;
  money: number;
}

/**
 * The pull request's body: what was wrong, what changed, how it was tested, what was not considered; the making is
 * folded.
 */
export function pullRequestBody(content: PullRequestContent): string {
  const { marker, issue, description, plan, cost, making, edited = "", stale = [], publishedBy = "bot" } = content;
  return paragraphs(
    marker,
    description.template && prose(description.template, "kept"),
    `${referenceOf(content)} #${issue}`,
    description.problem && `## What was wrong\n\n${opening(description.problem)}`,
    `## What changed\n\n${changesOf(content)}`,
    plain(edited),
    fold("Generated files that may be out of date", stale.map((one) => `- ${plain(one)}`).join("\n")),
    content.proof,
    notConsidered(content),
    fold(
      `The plan, who did what, and what it cost: ${formatMoney(cost.spend.money)}`,
      [planOf(plan), workOf(content), costOf(cost)].join("\n\n"),
    ),
    fold(
      "The kick-off meeting",
      plan.meeting.map(({ speaker, text }) => `**${plain(speaker)}:**\n\n${prose(text)}`).join("\n\n"),
    ),
    making.policy?.marker,
    `<sub>${disclosureLine(making)}${publishedBy === "bot" ? " `/magis help` lists the commands." : ""}${content.page === undefined ? "" : ` ${pageSentence(content.page)}`}</sub>`,
  );
}

/** How many words of a model stay unfolded in one part of the body. */
const MAX_OPENING = 40;

/** Folds a text after its first sentences, never within code; a text of several paragraphs only between them. */
function opening(text: string): string {
  const parts = text.trim().includes("\n") ? text.trim().split(/\n{2,}/) : text.trim().split(/(?<=[.!?]) (?=[A-Z`])/);
  const joint = text.trim().includes("\n") ? "\n\n" : " ";
  const wordsOf = (some: readonly string[]) => some.join(" ").split(/\s+/).length;
  let shown = parts.length;
  while (shown > 1 && wordsOf(parts.slice(0, shown)) > MAX_OPENING) shown--;
  while (shown < parts.length && isOpen(parts.slice(0, shown).join(joint))) shown++;
  const rest = parts.slice(shown).join(joint);
  return paragraphs(prose(parts.slice(0, shown).join(joint)), fold("More on this", prose(rest)));
}

/** Whether a text ends inside code. */
const isOpen = (text: string) => text.split("`").length % 2 === 0 || /^ {0,3}~~~/m.test(text);

/**
 * The change as a whole, if its description says more than its files', and each file; a single one just by its path.
 */
function changesOf({ description: { solution }, outcomes, plan }: PullRequestContent): string {
  const rest = outcomes.reduce((text, { summary }) => text.replace(summary, ""), solution);
  if (rest.trim() === "") return outcomes.map((outcome) => changeOf(outcome, plan)).join("\n");
  const files = outcomes.map((outcome) =>
    outcomes.length === 1 && outcome.status !== "failed"
      ? changeOf({ ...outcome, summary: "" }, plan)
      : changeOf(outcome, plan),
  );
  return `${opening(solution)}\n\n${files.join("\n")}`;
}

/** Whether a change may close the issue: no task is missing, and none was refused. */
const isWhole = ({ refused = 0 }: PullRequestContent["plan"], outcomes: readonly TaskOutcome[]) =>
  refused === 0 && outcomes.length > 0 && outcomes.every(({ status }) => status !== "failed");

function changeOf({ taskId, path, summary, status }: TaskOutcome, { tasks }: MadePlan): string {
  const action = tasks.find(({ id }) => id === taskId)?.action;
  const done = { modify: "", create: " (new)", delete: " (deleted)" }[action ?? "modify"];
  const outcome = {
    approved: done,
    mended: done,
    open: done,
    unchanged: " (not changed)",
    failed: " (**missing**: no usable change was made)",
  };
  return `- ${codeSpan(path)}${outcome[status]}${summary === "" ? "" : `: ${plain(summary)}`}`;
}

function notConsidered({ plan, unfollowed = [] }: PullRequestContent): string {
  const items = [...(plan.notes ?? []), ...unfollowed.map((variant) => `Not followed in the review: ${variant}`)];
  return items.length === 0 ? "" : `## Not considered\n\n${items.map((item) => `- ${plain(item)}`).join("\n")}`;
}

function planOf(plan: MadePlan): string {
  return paragraphs(
    "**The plan**",
    ...plan.tasks.map(taskText),
    plan.tasks.length > 1 && `Order: ${orderSentence(plan.order, pathsOf(plan.tasks))}.`,
    plan.fallback &&
      `The Manager's own order could not be used, so the tasks were done one after the other: ${plain(plan.fallback)}`,
  );
}

const DONE = { modify: "Change", create: "Add", delete: "Delete" } as const;

function taskText({ path, action, title, description }: Task): string {
  const what = `${DONE[action]} ${codeSpan(path)}: ${plain(title)}`;
  return description === title ? what : `${what}\n\n${prose(description)}`;
}

const pathsOf = (tasks: readonly Task[]) => (id: string) => codeSpan(tasks.find((task) => task.id === id)?.path ?? id);

/** ``t1, then t2 and t3 side by side``, with `nameOf` naming the tasks. */
export function orderSentence(node: PlanNode, nameOf: (id: string) => string): string {
  if ("run" in node) return nameOf(node.run);
  if ("sequence" in node) return node.sequence.map((part) => orderSentence(part, nameOf)).join(", then ");
  const parts = node.concurrently.map((part) =>
    "sequence" in part && part.sequence.length > 1 ? `(${orderSentence(part, nameOf)})` : orderSentence(part, nameOf),
  );
  return parts.length < 2 ? parts.join("") : `${joined(parts)} side by side`;
}

/** `a, b and c` */
const joined = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

/** Who wrote each file's change, and who reviewed it. */
function workOf({ plan, outcomes, commitWay }: PullRequestContent): string {
  const rows = outcomes.map((outcome) => {
    const { path, taskId, attempts, qaEngineer } = outcome;
    const developer = plan.tasks.find(({ id }) => id === taskId)?.developer.title ?? "Developer";
    const rounds = attempts.filter(({ rejected }) => rejected === undefined).length;
    const reviewed = wasReviewed(outcome) ? `${qaEngineer.title}${rounds > 1 ? `, ${rounds} rounds` : ""}` : "nobody";
    return `| ${codeSpan(path)} | ${plain(writersOf(outcome, developer))} | ${plain(reviewed)} |`;
  });
  return paragraphs(
    "**Who did what**",
    ["| file | written by | reviewed by |", "| --- | --- | --- |", ...rows].join("\n"),
    commitWay === "pushed, unsigned" &&
      "The commit is not signed, since this host did not accept one made through its API.",
  );
}

function writersOf({ writers = [], qaEngineer }: TaskOutcome, developer: string): string {
  const names: Readonly<Record<Writer, string>> = { manager: "Manager", developer, qa: qaEngineer.title };
  return writers.length === 0 ? "nobody" : joined(writers.map((writer) => names[writer]));
}

function costOf({ byRole, spend, inAll }: RunCost): string {
  const rows = byRole.map(
    (one) => `| ${one.role} | ${one.calls} | ${one.tokens.toLocaleString("en-US")} | ${formatMoney(one.money)} |`,
  );
  const total = `| **all** | ${spend.calls} | ${spend.tokens.toLocaleString("en-US")} | ${formatMoney(spend.money)} |`;
  return paragraphs(
    "**What it cost**",
    ["| role | calls | tokens | money |", "| --- | ---: | ---: | ---: |", ...rows, total].join("\n"),
    inAll > spend.money && `All runs on the issue together cost ${formatMoney(inAll)}.`,
  );
}
