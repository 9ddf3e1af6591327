import type { IssueSnapshot } from "../../model/issue-snapshot.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { Plan } from "../../model/task.ts";
import type { CommitApi } from "../../ports/commit-api.ts";
import { stripHiddenText } from "../../text/strip-hidden-text.ts";
import type { Base } from "./base.ts";
import { planMark } from "./plan-mark.ts";

/** What a run is about, as the record keeps it for the runs that go on with it. */
export interface KeptStart {
  readonly issue: IssueSnapshot;
  readonly base: Base;
  /** the run that fixed it */
  readonly by: string;
  /** why a plan that was approved is put before people again, in a sentence */
  readonly renewed?: string;
  /** the mark of the plan that a person has approved */
  readonly approved?: string;
}

const MAX_WORDS = 10_000;

/**
 * The start of a run that goes on with an ended one: the same issue and the same commit, so that everything that was
 * paid for is found again, with the words that came since added to the hint. A plan is tied to the commit it was made
 * for: when the branch has moved under its files, the run takes the new tip and the plan has to be approved again.
 * Gives undefined when there is nothing to go on with.
 */
export async function resumeStart(
  request: RunRequest,
  kept: Readonly<Record<string, unknown>>,
  host: Pick<CommitApi, "branchTip" | "changedPaths">,
): Promise<KeptStart | undefined> {
  const earlier = kept.start as KeptStart | undefined;
  // Done again after a crash, it must not add the words twice.
  if (!earlier || earlier.by === request.id) return earlier;
  if (request.root === request.id) return undefined;
  const start = { ...earlier, issue: withWords(earlier.issue, request.words), by: request.id };
  if (!isAboutPlan(request)) return start;

  const { renewed: _settled, approved: _before, ...open } = start;
  const plan = kept.plan as Plan | undefined;
  const tip = await host.branchTip(open.base.branch);
  const moved = tip !== undefined && tip !== open.base.commit && (await touches(open.base.commit, tip, plan, host));
  if (moved) return { ...open, base: { ...open.base, commit: tip }, renewed: `${moved} The plan was made again.` };
  const isApproved = request.work.kind === "resolve" && request.work.gate === "none";
  return { ...open, ...(isApproved && plan && { approved: planMark(plan) }) };
}

function withWords(issue: IssueSnapshot, words = ""): IssueSnapshot {
  const said = stripHiddenText(words).slice(0, MAX_WORDS).trim();
  return said === "" ? issue : { ...issue, hint: [issue.hint, said].filter((part) => part !== "").join("\n\n") };
}

const isAboutPlan = ({ trigger }: RunRequest) =>
  trigger.kind === "comment" ||
  (trigger.kind === "other-command" && (trigger.command.verb === "plan" || trigger.command.verb === "approve"));

/** Why the plan no longer fits, or undefined when what changed does not concern it. */
async function touches(
  base: string,
  tip: string,
  plan: Plan | undefined,
  host: Pick<CommitApi, "changedPaths">,
): Promise<string | undefined> {
  const changed = await host.changedPaths(base, tip);
  if (!plan || !changed) return "The branch has moved since the plan was made, and what changed cannot be told.";
  const paths = plan.tasks.map(({ path }) => path).filter((path) => changed.includes(path));
  if (paths.length === 0) return undefined;
  return `The branch has moved since the plan was made and touches ${paths.map((path) => `\`${path}\``).join(", ")}.`;
}
