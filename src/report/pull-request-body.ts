import { markers } from "../data/marks.ts";
import type { MadePlan, PlanNode, Task } from "../data/plan.ts";
import { formatMoney, formatTime, type Spend } from "../data/spend.ts";
import type { FailedTest, VerifiedCheck } from "../data/verdict.ts";
import { type TaskOutcome, type Writer, wasReviewed } from "../data/work.ts";
import { codeSpan, fold, plain, prose, webLink } from "../text/compose-markdown.ts";
import { beginning } from "../text/counted.ts";
import { disclosureLine, type Making } from "./disclosure.ts";
import { pageSentence } from "./run-page.ts";

/** How a commit was made, which decides whether GitHub shows it as verified. */
export type CommitWay =
  | "signed by GitHub"
  | "signed by GitHub, through the API alone"
  | "pushed, unsigned"
  | "pushed in a person's name";

export interface PullRequestDescription {
  readonly problem: string;
  readonly solution: string;
  /** the repository's filled-in template, or "" */
  readonly template: string;
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
  readonly marker: string;
  readonly issue: number;
  /** a merge closes no issue, since it is into another branch than the default one */
  readonly staysOpen?: boolean;
  readonly description: PullRequestDescription;
  readonly plan: MadePlan;
  readonly outcomes: readonly TaskOutcome[];
  readonly cost: RunCost;
  readonly making: Making;
  readonly commitWay: CommitWay;
  /** how the change was tested, or why not, from `proofBlock` */
  readonly proof: string;
  /** that the issue was edited meanwhile, in a sentence or two */
  readonly edited?: string | undefined;
  /** files that may have to be made anew, a sentence each */
  readonly stale?: readonly string[];
  /** variants of the issue's example that the review did not check */
  readonly unfollowed?: readonly string[];
  /** address of the run's page on the dashboard */
  readonly page?: string | undefined;
  /** the bot, by default, also reads replies; a person published from the command line */
  readonly publishedBy?: "bot" | "person";
}

/** What a run cost, in all and by role. */
interface RunCost {
  readonly spend: Spend;
  readonly byRole: readonly RoleSpend[];
  /** US dollars that all runs on the issue have cost */
  readonly inAll: number;
}

/** The cost of one role's calls. */
export interface RoleSpend {
  readonly role: string;
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
}

/**
 * The pull request's body: what was wrong, what changed, how it was tested, what was not considered; the making is
 * folded.
 */
export function pullRequestBody(content: PullRequestContent): string {
  const { marker, issue, description, plan, cost, making, edited = "", stale = [], publishedBy = "bot" } = content;
  return [
    marker,
    description.template && prose(description.template, "kept"),
    `${referenceOf(content)} #${issue}`,
    description.problem && `## What was wrong\n\n${opening(description.problem)}`,
    `## What changed\n\n${changesOf(content)}`,
    plain(edited),
    fold("Files that a tool makes, and that may be out of date", stale.map((one) => `- ${plain(one)}`).join("\n")),
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
    `<sub>${disclosureLine(making)} Review it like any other pull request, and close it if you do not want it.${publishedBy === "bot" ? " `/magis help` lists the commands." : ""}${linked(content.page)}</sub>`,
  ]
    .filter((part) => part)
    .join("\n\n");
}

const linked = (page: string | undefined) => (page === undefined ? "" : ` ${pageSentence(page)}`);

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
  return [prose(parts.slice(0, shown).join(joint)), fold("More on this", prose(rest))]
    .filter((part) => part)
    .join("\n\n");
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

/** How a change was tested: why it was not, what we wait for, or what the checks or a command showed. */
export type ProofState =
  /**
   * `keep`: it stays a draft; `failing`: the checks ran with the fix and are red; `ran`: the checks ran but prove
   * nothing
   */
  | { readonly unproved: string; readonly keep: boolean; readonly failing?: boolean; readonly ran?: boolean }
  | { readonly waiting: "red" | "green" }
  | {
      readonly red: ProofCommit;
      readonly green: ProofCommit;
      readonly tests: readonly ProvedTest[];
      readonly note: string;
    };

type ProvedTest = Pick<FailedTest, "name" | "check" | "words">;

/** A commit of a proof with its checks. */
interface ProofCommit {
  readonly commit: string;
  readonly checks: readonly (Pick<VerifiedCheck, "name" | "url" | "seconds"> & { readonly excused?: boolean })[];
}

/** The result of a check command that MAGIS ran itself. */
export interface CheckedChange {
  /** in a sentence */
  readonly said: string;
  readonly passed: boolean;
  /** another job says so, and whoever publishes the change cannot vouch for it */
  readonly elsewhere?: boolean;
}

/**
 * The section on how a change was tested, or why it was not, between marks for replacing it. `checked`: the result of a
 * command that ran here.
 */
export function proofBlock(state: ProofState, checked?: CheckedChange): string {
  const { begin, end } = markers.proof;
  return `${begin}${markOf(state)}\n${testedSection(state, checked)}\n${end}`;
}

const RUNS_NOTHING = "MAGIS itself runs no code.";

function markOf(state: ProofState): string {
  if ("waiting" in state) return markers.proving;
  return "unproved" in state && state.keep ? markers.unproved : "";
}

function testedSection(state: ProofState, checked: CheckedChange | undefined): string {
  if (checked && !("red" in state)) {
    const heading = checked.passed && !checked.elsewhere ? "Tested" : "Not tested";
    const yours = checked.elsewhere ? "Your" : "MAGIS ran this command itself; your";
    return `## ${heading}\n\n${plain(checked.said)} ${yours} checks run on the pull request as usual.`;
  }
  if ("unproved" in state) {
    return `## ${headingOf(state)}\n\n${sentence(state.unproved)} ${RUNS_NOTHING}`;
  }
  if ("waiting" in state) return `## Being tested\n\n${WAITING[state.waiting]}`;
  return `## Tested\n\n${provedText(state)}`;
}

const WAITING = {
  red: "This commit holds the new test alone, which must fail first. The fix follows once its checks have ended.",
  green: "The test failed without the fix, as it should. The checks are now running with the fix.",
} as const;

/** The outcome in a sentence, for the comment on the issue. */
export function testedSentence(state: ProofState): string {
  if ("waiting" in state) return WAITING[state.waiting];
  if ("red" in state) return "Tested: its test failed without the fix and passes with it, in the repository's checks.";
  return `${headingOf(state)}: ${state.unproved}`;
}

/** Never says that nothing ran when checks did. */
function headingOf({ failing, ran }: Extract<ProofState, { unproved: string }>): string {
  if (failing) return "Tested, and failing";
  return ran ? "Not proved" : "Not tested";
}

/** Turns the end of a sentence into a sentence. */
const sentence = (words: string) => beginning(plain(words));

/** Replaces a body's block about the proof. A body whose marks a person has removed stays as it is. */
export function replaceProof(body: string, block: string): string {
  const { begin, end } = markers.proof;
  const [from, to] = [body.indexOf(begin), body.indexOf(end)];
  return from < 0 || to < from ? body : body.slice(0, from) + block + body.slice(to + end.length);
}

/** Whether green checks of its head change something about a pull request: it is a draft, or says that nothing ran. */
export const awaitsGreen = ({ draft, body }: { readonly draft: boolean; readonly body: string }): boolean =>
  draft || saysNothingRan(body);

function saysNothingRan(body: string): boolean {
  const { begin, end } = markers.proof;
  const block = body.slice(body.indexOf(begin), Math.max(0, body.indexOf(end)));
  return block.includes("\n## Not tested\n") && block.includes(RUNS_NOTHING);
}

/** Corrects a body that says that nothing was tested, once all checks of `head` are green. */
export function checkedSince(body: string, head: string): string {
  if (!saysNothingRan(body)) return body;
  const unproved = `the checks passed on ${head.slice(0, 10)}, but no test was seen to fail without this change.`;
  return replaceProof(body, proofBlock({ unproved, keep: false, ran: true }));
}

/** One row per test: where it was red, and where green. */
function provedText({ red, green, tests, note }: Extract<ProofState, { red: unknown }>): string {
  const excused = red.checks.filter(({ excused: is }) => is).map(({ name }) => plain(name));
  const seconds = [...red.checks, ...green.checks].reduce((sum, check) => sum + (check.seconds ?? 0), 0);
  return [
    [
      `| test | without the fix, ${red.commit.slice(0, 10)} | with the fix, ${green.commit.slice(0, 10)} |`,
      "| --- | --- | --- |",
      ...tests.slice(0, MAX_PROVED).map((test) => provedRow(test, red, green)),
    ].join("\n"),
    tests.length > MAX_PROVED && `And ${tests.length - MAX_PROVED} more.`,
    excused.length > 0 && `Also red without the fix, which says nothing against it: ${excused.join(", ")}.`,
    note && plain(note),
    [
      "Your own checks ran these.",
      seconds > 0 && `They took ${formatTime(seconds * 1000)} in all.`,
      "Squash when you merge: the commit with the test alone is red on purpose.",
    ]
      .filter((part) => part)
      .join(" "),
  ]
    .filter((part) => part)
    .join("\n\n");
}

const MAX_PROVED = 10;

const MAX_WORDS = 160;

function provedRow({ name, check, words }: ProvedTest, red: ProofCommit, green: ProofCommit): string {
  const linked = ({ checks }: ProofCommit) => webLink(check, checks.find((one) => one.name === check)?.url ?? "");
  // Node prints the fields of an assertion's error below its message.
  const lines = words.split("\n");
  const fields = lines.findIndex((line) => line.includes("generatedMessage:"));
  const said = cell(lines.slice(0, fields < 0 ? 3 : Math.min(fields, 3)).join(" "));
  return `| ${cell(name)} | **red** in ${linked(red)}${said === "" ? "" : `: ${said}`} | green in ${linked(green)} |`;
}

/** Log text as code for a table cell; "" for empty text. */
function cell(text: string): string {
  const line = text.replace(/\s+/g, " ").trim().replaceAll("|", "¦");
  const short = line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS).replace(/[\ud800-\udbff]$/, "")}…` : line;
  return short === "" ? "" : codeSpan(short);
}

function planOf(plan: MadePlan): string {
  return [
    "**The plan**",
    ...plan.tasks.map(taskText),
    plan.tasks.length > 1 && `Order: ${orderSentence(plan.order, pathsOf(plan.tasks))}.`,
    plan.fallback &&
      `The Manager's own order could not be used, so the tasks were done one after the other: ${plain(plan.fallback)}`,
  ]
    .filter((part) => part)
    .join("\n\n");
}

const DONE = { modify: "Change", create: "Add", delete: "Delete" } as const;

function taskText({ path, action, title, description }: Task): string {
  const what = `${DONE[action]} ${codeSpan(path)}: ${plain(title)}`;
  if (isSame(description, title)) return what;
  return onlyWords(description).startsWith(onlyWords(title))
    ? `${DONE[action]} ${codeSpan(path)}:\n\n${prose(description)}`
    : `${what}\n\n${prose(description)}`;
}

/** Nobody reads a sentence twice that differs in its dots and capitals alone. */
const isSame = (one: string, other: string) => onlyWords(one) === onlyWords(other);

const onlyWords = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

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
  return [
    "**Who did what**",
    ["| file | written by | reviewed by |", "| --- | --- | --- |", ...rows].join("\n"),
    commitWay === "pushed, unsigned" &&
      "The commit is not signed, since this host did not accept one made through its API.",
  ]
    .filter((part) => part)
    .join("\n\n");
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
  return [
    "**What it cost**",
    ["| role | calls | tokens | money |", "| --- | ---: | ---: | ---: |", ...rows, total].join("\n"),
    inAll > spend.money && `All runs on the issue together cost ${formatMoney(inAll)}.`,
  ]
    .filter((part) => part)
    .join("\n\n");
}
