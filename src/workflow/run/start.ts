import { createHash } from "node:crypto";
import type { IssueSnapshot } from "../../model/discussion.ts";
import type { Plan } from "../../model/plan.ts";
import type { KeptStart, Start } from "../../model/run-record.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { CommitApi } from "../../ports/code-host.ts";
import { stripHiddenText } from "../../text/strip-hidden.ts";
import type { RunTools } from "./run-tools.ts";
import { heardOf, snapshotIssue } from "./snapshot-issue.ts";

/**
 * Shows the tracking comment, then fixes what the run is about: the issue's text and the default branch's tip, or, for
 * a run that goes on with another, what that one was about.
 */
export async function startRun(
  request: RunRequest,
  { host, tracker, kept, record, settings }: RunTools,
): Promise<Start> {
  await tracker.announce();
  const issue = await host.readIssue(request.issue);
  if (!issue.open) return { refused: "The issue was closed before the work began." };
  if (issue.locked) return { refused: "The conversation was locked before the work began." };
  const wanted = settings.baseBranch;
  const tip = wanted === undefined ? undefined : await host.branchTip(wanted);
  if (wanted !== undefined && tip === undefined)
    return { refused: `There is no branch "${wanted}", which the configuration names.` };
  const start = (await resumedStart()) ?? (await freshStart());
  await record("start", start);
  return start;

  async function resumedStart(): Promise<KeptStart | undefined> {
    const resumed = await resumeStart(request, await kept(), host);
    return resumed && { ...resumed, issue: heardOf(resumed.issue, settings.commentsFrom) };
  }

  async function freshStart(): Promise<KeptStart> {
    const comments = await host.listComments(request.issue);
    const { name, commit } = wanted !== undefined && tip ? { name: wanted, commit: tip } : await host.defaultBranch();
    const snapshot: IssueSnapshot = snapshotIssue(request, issue, comments, settings.commentsFrom);
    // What was approved is gone with the record of its run.
    const lost = request.root !== request.id && request.work.kind === "resolve";
    return {
      ...{ issue: snapshot, base: { branch: name, commit }, by: request.id },
      ...(lost && { renewed: "The earlier run is no longer kept, so the plan was made anew." }),
    };
  }
}

const MAX_TEXT = 10_000;

/**
 * The start of a run that goes on with an ended one: the same issue and the same commit, so that everything that was
 * paid for is found again, with the words that came since added to the hint. A plan is tied to the commit it was made
 * for: when the branch has moved under its files, the run takes the new tip and the plan has to be approved again.
 * Gives undefined when there is nothing to go on with.
 */
export async function resumeStart(
  request: RunRequest,
  { start: earlier, plan }: { readonly start?: KeptStart; readonly plan?: ShownPlan },
  host: Pick<CommitApi, "branchTip" | "changedPaths">,
): Promise<KeptStart | undefined> {
  // Done again after a crash, it must not add the words twice.
  if (!earlier || earlier.by === request.id) return earlier;
  if (request.root === request.id) return undefined;
  const start = { ...earlier, issue: withAdded(earlier.issue, request), by: request.id };
  if (!isAboutPlan(request)) return start;

  const { renewed: _settled, approved: _before, ...open } = start;
  const tip = await host.branchTip(open.base.branch);
  const moved = tip !== undefined && tip !== open.base.commit && (await touches(open.base.commit, tip, plan, host));
  if (moved) return { ...open, base: { ...open.base, commit: tip }, renewed: `${moved} The plan was made again.` };
  const isApproved = request.work.kind === "resolve" && request.work.gate === "none";
  return { ...open, ...(isApproved && plan && { approved: planMark(plan) }) };
}

/** People's words are added to the hint; the agents' own are kept apart from them. */
function withAdded(issue: IssueSnapshot, { hint = "", gaveUp = "" }: RunRequest): IssueSnapshot {
  const [said, why] = [hint, gaveUp].map((text) => stripHiddenText(text).slice(0, MAX_TEXT).trim());
  return {
    ...issue,
    hint: [issue.hint, said].filter((part) => part).join("\n\n"),
    ...(why && { gaveUp: why }),
  };
}

const isAboutPlan = ({ trigger }: RunRequest) =>
  trigger.kind === "comment" ||
  (trigger.kind === "other-command" && (trigger.command.verb === "plan" || trigger.command.verb === "approve"));

/** Why the plan no longer fits, or undefined when what changed does not concern it. */
async function touches(
  base: string,
  tip: string,
  plan: ShownPlan | undefined,
  host: Pick<CommitApi, "changedPaths">,
): Promise<string | undefined> {
  const changed = await host.changedPaths(base, tip);
  if (!plan || !changed) return "The branch has moved since the plan was made, and what changed cannot be told.";
  const paths = plan.tasks.map(({ path }) => path).filter((path) => changed.includes(path));
  if (paths.length === 0) return undefined;
  return `The branch has moved since the plan was made and touches ${paths.map((path) => `\`${path}\``).join(", ")}.`;
}

/** A plan as it is made or kept. */
interface ShownPlan extends Pick<Plan, "order"> {
  readonly tasks: readonly Readonly<Record<"id" | "path" | "action" | "title" | "description", string>>[];
}

/** A mark of what a person sees of a plan: equal marks, equal plans. */
export function planMark({ tasks, order }: ShownPlan): string {
  const shown = tasks.map(({ id, path, action, title, description }) => [id, path, action, title, description]);
  return createHash("sha256")
    .update(JSON.stringify([shown, order]))
    .digest("hex");
}
