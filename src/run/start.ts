import { createHash } from "node:crypto";
import type { IssueSnapshot } from "../data/discussion.ts";
import { branchOf } from "../data/marks.ts";
import type { MadePlan } from "../data/plan.ts";
import type { Base, KeptStart, Start } from "../data/run-record.ts";
import type { RunRequest } from "../data/run-request.ts";
import type { CodeHost } from "../github/code-host.ts";
import { cutEnd } from "../text/cut.ts";
import { shownWords } from "../text/shown-text.ts";
import { stripInvisible } from "../text/visible-text.ts";
import type { RunContext } from "./run-context.ts";
import { cutSentence, heardOf, snapshotIssue } from "./snapshot-issue.ts";

/**
 * Shows the tracking comment, then fixes what the run is about: the issue's text and the default branch's tip, or those
 * of the run that it continues. `takeBack` removes what that run left on the host, once its commit is no longer part of
 * the branch, and gives in words what it removed.
 */
export async function startRun(
  { request, host, uploads, lost: signal, tracker, kept, record, settings }: RunContext,
  takeBack: () => Promise<readonly string[]> = async () => [],
): Promise<Start> {
  await tracker.announce();
  const issue = await host.readIssue(request.issue);
  if (!issue.open) return { refused: "The issue was closed before the work began." };
  if (issue.locked) return { refused: "The conversation was locked before the work began." };
  const wanted = settings.baseBranch;
  const tip = wanted === undefined ? undefined : await host.branchTip(wanted);
  if (wanted !== undefined && tip === undefined) return { refused: `There is no branch "${wanted}" to start from.` };
  const inTheWay = await blockingBranch(host, branchOf(settings.branch, issue.number, issue.title));
  if (inTheWay !== undefined)
    return { refused: `A branch called "${inTheWay}" keeps me from making mine below it. Rename or delete it first.` };
  const present = async (): Promise<Base> => {
    if (wanted !== undefined && tip) return { branch: wanted, commit: tip };
    const { name, commit } = await host.defaultBranch();
    return { branch: name, commit };
  };
  const start = (await resumedStart()) ?? (await freshStart());
  const anew = start.anew === undefined ? [] : [start.anew, takenBack(await takeBack())];
  const notes = [...anew, start.anew === undefined && start.moved, cutSentence(start.issue)].filter((note) => note);
  if (notes.length > 0) await tracker.note(notes.join(" "));
  await record("start", start);
  return start;

  async function resumedStart(): Promise<KeptStart | undefined> {
    const resumed = await resumeStart(request, await kept(), host, await present());
    return resumed && { ...resumed, issue: heardOf(resumed.issue, settings.commentsFrom) };
  }

  async function freshStart(): Promise<KeptStart> {
    const comments = await host.listComments(request.issue);
    const { start: earlier, plan } = await kept();
    const how = { from: settings.commentsFrom, host, more: { uploads, signal } };
    const seen = await snapshotIssue(request, issue, comments, how);
    const snapshot = withQuestions(seen, plan?.questions ?? [], host.login);
    const lost = "The earlier run is no longer kept, so this is a new plan.";
    return {
      issue: snapshot,
      base: await present(),
      by: request.id,
      renewed: earlier === undefined && needsPlanAgain(request) ? lost : undefined,
    };
  }
}

/** A branch with the name of a folder of ours: git then has no room for the branch. Found before anything is paid for. */
async function blockingBranch(host: CodeHost, branch: string): Promise<string | undefined> {
  const parts = branch.split("/").slice(0, -1);
  const folders = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  const tips = await Promise.all(folders.map((folder) => host.branchTip(folder)));
  return folders.find((_, at) => tips[at] !== undefined);
}

const takenBack = (parts: readonly string[]) => (parts.length === 0 ? "" : `Taken back: ${parts.join(", ")}.`);

/** The approved plan is gone with its run's record. A plan that needed no approval needs none now. */
function needsPlanAgain(request: RunRequest): boolean {
  if (request.root === request.id || request.work.kind !== "resolve") return false;
  return isAboutPlan(request) || request.settings?.approval === "required";
}

/** Puts the run's questions before the last comment, which answers them. */
function withQuestions(issue: IssueSnapshot, questions: readonly string[], author: string): IssueSnapshot {
  if (questions.length === 0) return issue;
  const asked = { author, body: questions.map((question, at) => `${at + 1}. ${question}`).join("\n") };
  return { ...issue, discussion: [...issue.discussion.slice(0, -1), asked, ...issue.discussion.slice(-1)] };
}

const MAX_TEXT = 10_000;

/**
 * The start of a run that continues an ended one: the same issue and commit, so that everything paid for is found
 * again, with what people said since added to the hint. A plan is tied to its commit: when new commits on the branch
 * touch its files, the run takes the new tip and the plan needs approval again. When the branch is gone, is no longer
 * the one to start from, or has another history, the run takes what is `present`, as a new run would, and says why.
 * Gives undefined when there is nothing to continue, and for a run that ended with a question: reading the issue again
 * finds the answer.
 */
export async function resumeStart(
  request: RunRequest,
  { start: earlier, plan }: { start?: KeptStart; plan?: ShownPlan },
  host: CodeHost,
  present: Base,
): Promise<KeptStart | undefined> {
  // Running it again after a crash must not add the words twice.
  if (!earlier || earlier.by === request.id) return earlier;
  if (request.root === request.id || (plan?.questions?.length ?? 0) > 0) return undefined;
  const { anew: _said, moved: _once, ...going } = earlier;
  const start = { ...going, issue: await withAdded(earlier.issue, request, host), by: request.id };
  const tip = await host.branchTip(start.base.branch);
  const rewritten = await whyRewritten(start.base, tip, host, present);
  if (rewritten && "moved" in rewritten) return resumePlan(request, { ...start, ...rewritten }, plan);
  if (rewritten) {
    const renewed = isAboutPlan(request) && { renewed: `${rewritten.anew} The plan was made again.` };
    const { approved: _old, ...open } = start;
    return { ...open, ...rewritten, ...renewed };
  }
  if (!isAboutPlan(request)) return start;

  const { base } = start;
  const moved = tip !== undefined && tip !== base.commit && (await touches(base.commit, tip, plan, host));
  if (!moved) return resumePlan(request, start, plan);
  const { renewed: _settled, approved: _old, ...open } = start;
  return { ...open, base: { ...base, commit: tip }, renewed: `${moved} The plan was made again.` };
}

/** The start of a run whose plan, if any, still fits. */
function resumePlan(request: RunRequest, start: KeptStart, plan: ShownPlan | undefined): KeptStart {
  if (!isAboutPlan(request)) return start;
  const { renewed: _settled, approved: _before, ...open } = start;
  const isApproved = request.work.kind === "resolve" && request.work.gate === "none";
  return isApproved && plan ? { ...open, approved: planMark(plan) } : open;
}

/** Adds people's words to the hint, and keeps the agents' own apart. */
async function withAdded(
  issue: IssueSnapshot,
  { hint = "", gaveUp = "" }: RunRequest,
  host: CodeHost,
): Promise<IssueSnapshot> {
  const said = cutEnd((await shownWords(hint, host.renderText)).trim(), MAX_TEXT);
  const why = cutEnd(stripInvisible(gaveUp).trim(), MAX_TEXT);
  return {
    ...issue,
    hint: [issue.hint, said].filter((part) => part).join("\n\n"),
    gaveUp: why || issue.gaveUp,
  };
}

type Rewritten = { base: Base; anew: string } | { base: Base; moved: string };

/** Where a run continues when its branch no longer holds its commit, and why; undefined when it does. */
async function whyRewritten(
  base: Base,
  tip: string | undefined,
  host: CodeHost,
  now: Base,
): Promise<Rewritten | undefined> {
  if (tip !== undefined && now.branch !== base.branch) {
    const why = `The earlier run started from \`${base.branch}\`, and this one is to start from \`${now.branch}\`.`;
    return { base: now, anew: `${why} The work was begun anew there.` };
  }
  if (tip !== undefined) {
    if (tip === base.commit || (await host.isAncestor(base.commit, tip))) return undefined;
    const why = `The history of \`${base.branch}\` was rewritten since the earlier run, and no longer holds its commit.`;
    return { base: now, anew: `${why} The work was begun anew on the present one.` };
  }
  const why = `The branch \`${base.branch}\`, which the earlier run worked on, no longer exists.`;
  if (now.commit === base.commit || (await host.isAncestor(base.commit, now.commit)))
    return { base: { branch: now.branch, commit: base.commit }, moved: `${why} It goes on for \`${now.branch}\`.` };
  return { base: now, anew: `${why} The work was begun anew on \`${now.branch}\`.` };
}

const isAboutPlan = ({ trigger }: RunRequest) =>
  trigger.kind === "comment" ||
  (trigger.kind === "other-command" && (trigger.command.verb === "plan" || trigger.command.verb === "approve"));

/** Why the plan no longer fits; undefined when the new commits do not touch its files. */
async function touches(
  base: string,
  tip: string,
  plan: ShownPlan | undefined,
  host: CodeHost,
): Promise<string | undefined> {
  const changed = await host.changedPaths(base, tip);
  if (!plan || !changed) return "The branch has moved since the plan was made, and GitHub does not tell what changed.";
  const paths = plan.tasks.map(({ path }) => path).filter((path) => changed.includes(path));
  if (paths.length === 0) return undefined;
  return `Since the plan was made, commits on the branch have touched ${paths.map((path) => `\`${path}\``).join(", ")}.`;
}

/** A plan as it is made or kept. */
interface ShownPlan extends Pick<MadePlan, "order"> {
  questions?: readonly string[] | undefined;
  tasks: readonly Readonly<Record<"id" | "path" | "action" | "title" | "description", string>>[];
}

/** A hash of what a person sees of a plan: equal hashes, equal plans. */
export function planMark({ tasks, order }: ShownPlan): string {
  const shown = tasks.map(({ id, path, action, title, description }) => [id, path, action, title, description]);
  return createHash("sha256")
    .update(JSON.stringify([shown, order]))
    .digest("hex");
}

/** Records the run's plan, and its tasks in the run's state. */
export async function keepPlan(plan: MadePlan, { record, tracker }: RunContext): Promise<void> {
  await record("plan", plan);
  await tracker.tasks(plan.tasks.map(({ id, path, title }) => ({ id, path, title, status: "waiting" })));
}
