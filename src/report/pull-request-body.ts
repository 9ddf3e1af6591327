import { workingCommands } from "../model/command.ts";
import { markers } from "../model/marks.ts";
import type { Plan, Task } from "../model/plan.ts";
import { formatMoney, type Spend } from "../model/spend.ts";
import type { FailedTest, VerifiedCheck } from "../model/verdict.ts";
import type { TaskOutcome } from "../model/work.ts";
import { codeBlock, codeSpan, cutText, fold, plain, prose } from "../text/compose-markdown.ts";
import { commandFoot } from "./commands.ts";

/** Why a commit is or is not shown as verified: which way it was made. */
export type CommitWay =
  | "signed by GitHub"
  | "signed by GitHub, through the API alone"
  | "pushed, unsigned"
  | "pushed in a person's name";

export interface PullRequestDescription {
  readonly problem: string;
  readonly solution: string;
  /** the repository's template, filled in, or "" */
  readonly template: string;
}

export interface PullRequestContent {
  readonly marker: string;
  readonly issue: number;
  readonly description: PullRequestDescription;
  readonly plan: Plan;
  readonly outcomes: readonly TaskOutcome[];
  readonly spend: Spend;
  readonly callsByRole: readonly RoleSpend[];
  readonly commitWay: CommitWay;
  /** what is said of the proof and of what was not verified, from `proofBlock` */
  readonly proof?: string;
  /** it was made in a job, which nobody can tell anything */
  readonly inJob?: boolean;
  /** what a command that was run has said of the change, a sentence */
  readonly checked?: string;
  /** variants of the issue's example that the review did not follow */
  readonly unfollowed?: readonly string[];
}

/** What the calls of one role have cost. */
export interface RoleSpend {
  readonly role: string;
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
}

/** The pull request's body: what was wrong, what changed, how it came about, what was not verified, what it cost. */
export function pullRequestBody(content: PullRequestContent): string {
  const { marker, issue, description, plan, outcomes, inJob = false } = content;
  return [
    marker,
    description.template && prose(description.template, "kept"),
    `${isWhole(outcomes) ? "Fixes" : "Part of"} #${issue}`,
    description.problem && `## What was wrong\n\n${prose(description.problem)}`,
    `## What changed\n\n${solutionOf(content)}${outcomes.map((outcome) => changeOf(outcome, plan)).join("\n")}`,
    `${content.proof ?? `## Not verified\n\n${unverified(content.checked)}`}${notVerified(content)}`,
    plan.notes &&
      plan.notes.length > 0 &&
      `## Noted, not changed\n\n${plan.notes.map((note) => `- ${plain(note)}`).join("\n")}`,
    fold("The plan and who did what", planOf(plan, outcomes)),
    fold(
      "The kick-off meeting",
      plan.meeting.map(({ speaker, text }) => `**${plain(speaker)}:**\n\n${prose(text)}`).join("\n\n"),
    ),
    fold(`What it cost: ${formatMoney(content.spend.money)}`, costOf(content)),
    "<sub>Made by MAGIS. Review it as any other pull request; the QA Engineers' comments are review threads. Close it if you do not want it: nothing will be done again unless you comment `/magis resolve` on the issue.</sub>",
    `<sub>${commandFoot(workingCommands(undefined, { onPullRequest: true, inJob }))} While something is at work, ${inJob ? "cancel its job in the Actions tab to end it" : "`/magis cancel` ends it"}.</sub>`,
  ]
    .filter((part) => part)
    .join("\n\n");
}

/** Nothing when the files' own lines say it all: then it was made of them. */
function solutionOf({ description, outcomes }: PullRequestContent): string {
  const rest = outcomes.reduce((text, { summary }) => text.replace(summary, ""), description.solution);
  return rest.trim() === "" ? "" : `${prose(description.solution)}\n\n`;
}

/** A change from which a task is missing does not close the issue. */
export const isWhole = (outcomes: readonly TaskOutcome[]) => outcomes.every(({ status }) => status !== "failed");

function changeOf({ taskId, path, summary, status }: TaskOutcome, { tasks }: Plan): string {
  const action = tasks.find(({ id }) => id === taskId)?.action;
  const done = { modify: "", create: " (created)", delete: " (deleted)" }[action ?? "modify"];
  const outcome = {
    approved: done,
    open: `${done} (QA comments are open)`,
    unchanged: " (not changed)",
    failed: " (**failed**, not changed)",
  };
  return `- ${codeSpan(path)}${outcome[status]}: ${plain(summary)}`;
}

function notVerified({ outcomes, commitWay, unfollowed = [] }: PullRequestContent): string {
  const failed = outcomes.filter(({ status }) => status === "failed");
  return [
    ...failed.map(
      ({ path, summary }) =>
        `- The task for ${codeSpan(path)} failed and is missing from this change: ${plain(summary)}`,
    ),
    ...unfollowed.map((variant) => `- The reviewers did not follow: ${plain(variant)}`),
    commitWay === "pushed, unsigned" &&
      "- The commit is not signed: this host did not take a commit made through its API.",
  ]
    .filter((line) => line)
    .map((line) => `\n${line}`)
    .join("");
}

const UNVERIFIED =
  "- No test, build or linter was run. The change was read and reviewed by agents only; let your checks run before you merge.";

const unverified = (checked: string | undefined) =>
  checked
    ? `- ${plain(checked)} Nothing else was run; the change was read and reviewed by agents. Let your checks run before you merge.`
    : UNVERIFIED;

/** How the proof of a fix stands: why there is none, what is waited for, or what the checks have shown. */
export type ProofState =
  /** `keep`: it is not to leave its draft by itself */
  | { readonly unproved: string; readonly keep: boolean }
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

/**
 * The proof and what was not verified, between the marks by which both are replaced. `checked`: what a command that was
 * run has said of the change, a sentence.
 */
export function proofBlock(state: ProofState, checked?: string): string {
  const { begin, end } = markers.proof;
  const mark = "waiting" in state ? markers.proving : "unproved" in state && state.keep ? markers.unproved : "";
  const verified =
    "red" in state
      ? "- What these checks do not run. MAGIS itself ran nothing; the change was read and reviewed by agents."
      : unverified(checked);
  return `${begin}${mark}\n## Proof\n\n${proofText(state)}\n\n## Not verified\n\n${verified}\n${end}`;
}

/** A body with its block about the proof replaced; one whose marks a person has taken away is left as it is. */
export function replaceProof(body: string, block: string): string {
  const { begin, end } = markers.proof;
  const [from, to] = [body.indexOf(begin), body.indexOf(end)];
  return from < 0 || to < from ? body : body.slice(0, from) + block + body.slice(to + end.length);
}

/** The proof in Markdown, as the pull request and the check run say it. */
export function proofText(state: ProofState): string {
  if ("unproved" in state) {
    return `No proof by red and green checks: ${plain(state.unproved)}`;
  }
  if ("waiting" in state)
    return state.waiting === "red"
      ? "The test of the fix was pushed alone, and **is to fail** in the checks of this commit. The fix follows when they have ended."
      : "The test alone failed as it should. Now the checks run with the fix.";
  const { red, green, tests, note } = state;
  const rows = tests.slice(0, MAX_PROVED).flatMap((test) => provedRows(test, red, green));
  const excused = red.checks.filter(({ excused: is }) => is).map(({ name }) => plain(name));
  const seconds = [...red.checks, ...green.checks].reduce((sum, check) => sum + (check.seconds ?? 0), 0);
  return [
    ["| commit | check | test | result |", "| --- | --- | --- | --- |", ...rows].join("\n"),
    tests.length > MAX_PROVED && `And ${tests.length - MAX_PROVED} more.`,
    excused.length > 0 && `Failed with the test alone, and says nothing against it: ${excused.join(", ")}.`,
    seconds > 0 &&
      `The checks ran for ${Math.ceil(seconds / 60) === 1 ? "a minute" : `${Math.ceil(seconds / 60)} minutes`} in all.`,
    note && plain(note),
    "Squash when you merge: the commit with the test alone is red, and stands in the way of bisecting.",
  ]
    .filter((part) => part)
    .join("\n\n");
}

const MAX_PROVED = 10;

const MAX_WORDS = 160;

function provedRows({ name, check, words }: ProvedTest, red: ProofCommit, green: ProofCommit): readonly string[] {
  const cell = (text: string) => codeSpan(text.replace(/\s+/g, " ").replaceAll("|", "¦"));
  const linked = ({ checks }: ProofCommit) => {
    const found = checks.find((one) => one.name === check);
    return found?.url ? `[${plain(check)}](${found.url})` : plain(check);
  };
  const said = cell(cutText(words.split("\n").slice(0, 3).join(" "), MAX_WORDS));
  return [
    `| ${red.commit.slice(0, 10)}, the test alone | ${linked(red)} | ${cell(name)} | **fails**: ${said} |`,
    `| ${green.commit.slice(0, 10)}, with the fix | ${linked(green)} | ${cell(name)} | passes |`,
  ];
}

function planOf(plan: Plan, outcomes: readonly TaskOutcome[]): string {
  const rows = plan.tasks.map((task) =>
    row(
      task,
      outcomes.find(({ taskId }) => taskId === task.id),
    ),
  );
  return [
    ["| task | file | Developer | QA Engineer | rounds of review |", "| --- | --- | --- | --- | --- |", ...rows].join(
      "\n",
    ),
    ...plan.tasks.map(({ id, title, description }) => `**${id}: ${plain(title)}**\n\n${prose(description)}`),
    plan.tasks.length > 1 && `The order, as code:\n\n${codeBlock(plan.source.replaceAll("<!--", "<\u200b!--"), "js")}`,
    plan.fallback && `The Manager's plan was not used: the tasks ran one after the other. ${plain(plan.fallback)}`,
  ]
    .filter((part) => part)
    .join("\n\n");
}

function row({ id, path, developer }: Task, outcome: TaskOutcome | undefined): string {
  const rounds = outcome?.attempts.filter(({ rejected }) => rejected === undefined).length ?? 0;
  return `| ${id} | ${codeSpan(path)} | ${plain(developer.title)} | ${plain(outcome?.qaEngineer.title ?? "")} | ${rounds} |`;
}

function costOf({ callsByRole, spend }: PullRequestContent): string {
  const rows = callsByRole.map(
    (one) => `| ${one.role} | ${one.calls} | ${one.tokens.toLocaleString("en-US")} | ${formatMoney(one.money)} |`,
  );
  const total = `| **all** | ${spend.calls} | ${spend.tokens.toLocaleString("en-US")} | ${formatMoney(spend.money)} |`;
  return ["| role | calls | tokens | money |", "| --- | ---: | ---: | ---: |", ...rows, total].join("\n");
}
